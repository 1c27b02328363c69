/**
 * Body of a request for the inspector: the JSON, with type, size and SHA-256 of pictures instead of
 * their bytes. The pictures are not kept.
 */
import { fromBase64 } from "../../base/base64";
import { sha256 } from "../../base/sha256";
import { pictureSize } from "../../pictures/pictureSize";

export interface PictureFacts {
  /** Type in the `data:` URL; pictures with a web address stay in the JSON. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Undefined if the header has no size. */
  readonly widthPx?: number;
  readonly heightPx?: number;
  /** 64 hexadecimal digits; undefined during computation and for invalid base64. */
  readonly sha256?: string;
}

/** Body with `PICTURE_MARK` and a number from 1 in place of each picture. */
export interface ShownBody {
  /** Undefined if too long to keep. */
  readonly json: string | undefined;
  /** UTF-16 units of the JSON without pictures, kept or not. */
  readonly length: number;
  readonly pictures: readonly PictureFacts[];
  readonly hashed: Promise<readonly PictureFacts[]>;
}

/** Start of the mark for a picture; its number from 1 and `)` follow. */
export const PICTURE_MARK = "(picture ";

/** Longest kept JSON without pictures, in UTF-16 units. */
export const MAX_BODY_LENGTH = 1024 * 1024;

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.=+-]+)*,/;

/**
 * Replaces the pictures of a sent body by marks.
 * @param addresses of the pictures in the body; those on the web stay
 */
export function createShownBody(json: string, addresses: readonly string[]): ShownBody {
  const pictures: { readonly facts: PictureFacts; readonly base64: string }[] = [];
  let short = json;
  for (const address of addresses) {
    const [start = "", mediaType] = DATA_URL.exec(address) ?? [];
    if (mediaType === undefined) continue;
    const base64 = address.slice(start.length);
    pictures.push({ facts: { mediaType, bytes: bytesOf(base64) }, base64 });
    short = short.replace(`"${address}"`, () => `"${start}${PICTURE_MARK}${pictures.length})"`);
  }
  return {
    json: short.length > MAX_BODY_LENGTH ? undefined : copyString(short),
    length: short.length,
    pictures: pictures.map(({ facts }) => facts),
    hashed: Promise.all(pictures.map(({ facts, base64 }) => hashPicture(facts, base64))),
  };
}

/** Returns the decoded length of a base64 text. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4);
}

/** Returns a copy that does not keep the much longer source string in memory. */
function copyString(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

async function hashPicture(facts: PictureFacts, base64: string): Promise<PictureFacts> {
  const bytes = fromBase64(base64);
  if (bytes === undefined) return facts;
  const hash = await sha256(bytes);
  return { ...facts, bytes: bytes.byteLength, ...pictureSize(bytes), sha256: hash };
}
