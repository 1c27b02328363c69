/**
 * A request's body as the inspector keeps it: the JSON without the bytes of its pictures, which are
 * told by type, size and SHA-256 instead. The pictures themselves are let go.
 */
import { fromBase64 } from "../../base/base64";
import { sha256 } from "../../base/sha256";
import { pictureSize } from "../../context/pictureSize";

/** What is known of one picture of a body. */
export interface PictureFacts {
  /** As the `data:` URL says; an address of the web is not a picture here and stays in the JSON. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Undefined when the header tells no size. */
  readonly widthPx?: number;
  readonly heightPx?: number;
  /** 64 hexadecimal digits; undefined while it is computed, or for what is not base64. */
  readonly sha256?: string;
}

/** A body whose pictures stand as `PICTURE_MARK` and their number from 1. */
export interface ShownBody {
  /** Undefined when it was too long to keep. */
  readonly json: string | undefined;
  /** UTF-16 units of the JSON without the pictures, kept or not. */
  readonly length: number;
  readonly pictures: readonly PictureFacts[];
  /** Resolves when every picture has its hash. */
  readonly hashed: Promise<readonly PictureFacts[]>;
}

/** Stands for the data of a picture; its number from 1 and `)` follow. */
export const PICTURE_MARK = "(picture ";

/** Longest JSON kept, in UTF-16 units and without pictures. */
export const MAX_BODY_LENGTH = 1024 * 1024;

// A quote inside a JSON string is escaped, so `"url":"` is always a name and the start of a value.
const PICTURE = /"url":"data:([\w.+-]+\/[\w.+-]+)((?:;[\w.=+-]+)*),([^"]*)"/g;

/** Takes the pictures out of a body as it was sent. */
export function shownBody(json: string): ShownBody {
  const found: { readonly facts: PictureFacts; readonly base64: string }[] = [];
  const short = json.replace(PICTURE, (_whole, type: string, options: string, data: string) => {
    found.push({ facts: { mediaType: type, bytes: bytesOf(data) }, base64: data });
    return `"url":"data:${type}${options},${PICTURE_MARK}${found.length})"`;
  });
  return {
    json: short.length > MAX_BODY_LENGTH ? undefined : flat(short),
    length: short.length,
    pictures: found.map(({ facts }) => facts),
    hashed: Promise.all(found.map(({ facts, base64 }) => examine(facts, base64))),
  };
}

/** Bytes that a base64 text stands for. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4);
}

/** A copy that does not hold the long text alive that it was cut from. */
function flat(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

async function examine(facts: PictureFacts, base64: string): Promise<PictureFacts> {
  const bytes = fromBase64(base64);
  if (bytes === undefined) return facts;
  const hash = await sha256(bytes);
  return { ...facts, bytes: bytes.byteLength, ...pictureSize(bytes), sha256: hash };
}
