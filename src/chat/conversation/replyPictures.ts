/** Stores the pictures of a reply. Nothing is fetched; what cannot be shown is named, with the reason. */
import { fromBase64 } from "../../base/base64";
import { parseUrl } from "../../base/parseUrl";
import { pictureSize } from "../../pictures/pictureSize";
import { validateImage, type PictureLimits } from "../../pictures/validateImage";
import type { ReplyPicture } from "../../conversation/message";
import type { Pictures } from "../../history/pictures";

/** Limits of a picture of a reply; a service may make larger ones than it accepts. */
const LIMITS: PictureLimits = { maxSidePx: 16_384, maxBytes: 32 * 1024 * 1024 };

/** Media types that the page shows; others are named. */
const SHOWN = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["image/gif", "gif"],
]);

/** @param number 1 for the first picture of the reply */
export async function storeReplyPicture(
  url: string,
  number: number,
  pictures: Pick<Pictures, "store">,
): Promise<ReplyPicture> {
  const name = nameOf(url);
  if (/^https?:/i.test(url)) return { kind: "not-shown", name, reason: "web" };
  const bytes = bytesOf(url);
  if (bytes === undefined || bytes.length === 0) return notShown(name, isType(url));
  const validation = validateImage(bytes, LIMITS);
  if (validation.kind === "refused") {
    const { problem } = validation;
    if (problem === "damaged") return { kind: "not-shown", name, reason: "damaged" };
    if (problem === "no-picture") return notShown(name, true);
    return { kind: "not-shown", name: withSize(name, pictureSize(bytes)), reason: "too-large" };
  }
  const shownPicture =
    validation.kind === "ready"
      ? validation.picture
      : { ...validation, ...pictureSize(validation.bytes) };
  if (validation.kind === "ready" && validation.isTooLarge) {
    const { picture } = validation;
    return { kind: "not-shown", name: withSize(name, picture), reason: "too-large" };
  }
  const { widthPx, heightPx } = shownPicture;
  const extension = SHOWN.get(shownPicture.mediaType);
  if (extension === undefined) return { kind: "not-shown", name: shownPicture.mediaType };
  if (!widthPx || !heightPx) return { kind: "not-shown", name, reason: "damaged" };
  const { hash } = await pictures.store(shownPicture.bytes);
  const file = `reply-${number}.${extension}`;
  const { mediaType } = shownPicture;
  return {
    kind: "image",
    hash,
    mediaType,
    widthPx,
    heightPx,
    bytes: shownPicture.bytes.length,
    name: file,
  };
}

/** @param isOther true for a picture that is not damaged, but of another kind */
function notShown(name: string, isOther: boolean): ReplyPicture {
  return { kind: "not-shown", name, ...(!isOther && { reason: "damaged" }) };
}

/**
 * Returns the bytes of a picture in base64, of either alphabet, also percent-encoded or without the start
 * of a `data:` URL; undefined for other addresses.
 */
function bytesOf(url: string): Uint8Array<ArrayBuffer> | undefined {
  const start = /^data:[^,]{0,200};base64,/i.exec(url)?.[0] ?? "";
  if (start === "" && !/^[\w+/-]+={0,2}$/.test(url)) return undefined;
  const data = url.slice(start.length);
  const plain = data.includes("%")
    ? data.replaceAll(/%(?:2B|2F|3D|0A|0D)/gi, decodeURIComponent)
    : data;
  return fromBase64(plain.replaceAll("-", "+").replaceAll("_", "/"));
}

/** True for a `data:` URL that names a type without base64. */
function isType(url: string): boolean {
  return /^data:/i.test(url) && !/^data:[^,]{0,200};base64,./i.test(url);
}

function withSize(name: string, size: { widthPx: number; heightPx: number } | undefined): string {
  return size === undefined ? name : `${name}, ${size.widthPx}×${size.heightPx}`;
}

function nameOf(url: string): string {
  if (/^data:/i.test(url)) return url.slice("data:".length, 100).split(/[;,]/)[0] ?? "";
  const { host = "", pathname = "" } = parseUrl(url) ?? {};
  return `${host}${pathname}`.slice(0, 200) || url.slice(0, 60);
}
