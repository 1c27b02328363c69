/** Stores the pictures of a reply. Nothing is fetched; what cannot be shown is named. */
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
  const bytes = fromBase64(
    /^data:[^,]{0,200};base64,/i.test(url) ? url.slice(url.indexOf(",") + 1) : "",
  );
  if (bytes === undefined || bytes.length === 0) return { kind: "not-shown", name: nameOf(url) };
  const validation = await validateImage(bytes, LIMITS);
  const found =
    validation.kind === "ready" && !validation.isTooLarge
      ? validation.picture
      : validation.kind === "to-draw"
        ? { ...validation, ...pictureSize(validation.bytes) }
        : undefined;
  const extension = found && SHOWN.get(found.mediaType);
  const { widthPx, heightPx } = found ?? {};
  if (found === undefined || extension === undefined || !widthPx || !heightPx) {
    return { kind: "not-shown", name: nameOf(url) };
  }
  const { hash } = await pictures.store(found.bytes);
  const name = `reply-${number}.${extension}`;
  const { mediaType } = found;
  return { kind: "image", hash, mediaType, widthPx, heightPx, bytes: found.bytes.length, name };
}

/** Returns the address of a picture, or the type of its data. */
function nameOf(url: string): string {
  if (url.startsWith("data:")) return url.slice("data:".length, 100).split(/[;,]/)[0] ?? "";
  const { host = "", pathname = "" } = parseUrl(url) ?? {};
  return `${host}${pathname}`.slice(0, 200);
}
