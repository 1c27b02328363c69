/**
 * Finds the pictures of a request and describes the received data: format, pixels, bytes and
 * SHA-256 of a `data:` URL. A web address is listed and never fetched.
 */
import { parseUrl } from "../../src/base/parseUrl";
import { createHash } from "node:crypto";
import { readPictureHeader } from "./pictureHeader";

export interface RecordedPicture {
  readonly source: "data" | "url";
  /** `PNG`, `JPEG`, `GIF`, `WebP`, `BMP`, or `unknown`. */
  readonly format: string;
  /** 0 when the header could not be read. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Size of the decoded picture; 0 for a web address. */
  readonly bytes: number;
  /** Hexadecimal; empty for a web address. */
  readonly sha256: string;
  /** Media type of the `data:` URL, e.g. `image/png`; empty for a web address. */
  readonly declaredType: string;
  /** Names of metadata blocks in the file, e.g. `Exif`. */
  readonly metadata: readonly string[];
  /** Web address; empty for a `data:` URL. */
  readonly url: string;
}

const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i;

/** Returns the problem of an `image_url.url`, or undefined for a usable URL. */
export function pictureUrlProblem(url: string): string | undefined {
  const start = DATA_URL.exec(url.slice(0, 200));
  if (start !== null) {
    if (!start[1]!.toLowerCase().startsWith("image/")) return `is a data: URL of ${start[1]!}`;
    const base64 = url.slice(start[0].length);
    if (base64 === "") return "is a data: URL without data";
    const isBase64 = base64.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(base64);
    return isBase64 ? undefined : "is a data: URL whose base64 is damaged";
  }
  if (/^https?:\/\//i.test(url) && parseUrl(url) !== undefined) return undefined;
  return "is neither a web address nor a data:image/…;base64, URL";
}

/** Returns the pictures of a body that requestRules.ts accepted, oldest first. */
export function findPictures(body: unknown): RecordedPicture[] {
  const { messages } = body as { messages: { content?: unknown }[] };
  return messages.flatMap((message) =>
    Array.isArray(message.content)
      ? message.content.flatMap((part: { image_url?: { url: string } }) =>
          part.image_url === undefined ? [] : [describePicture(part.image_url.url)],
        )
      : [],
  );
}

function describePicture(url: string): RecordedPicture {
  const start = DATA_URL.exec(url.slice(0, 200));
  if (start === null) {
    const unknown = { format: "unknown", widthPx: 0, heightPx: 0, bytes: 0, sha256: "" };
    return { source: "url", ...unknown, declaredType: "", metadata: [], url };
  }
  const bytes = Buffer.from(url.slice(start[0].length), "base64");
  const header = readPictureHeader(bytes);
  return {
    source: "data",
    format: header?.format ?? "unknown",
    widthPx: header?.widthPx ?? 0,
    heightPx: header?.heightPx ?? 0,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    declaredType: start[1]!.toLowerCase(),
    metadata: header?.metadata ?? [],
    url: "",
  };
}
