/**
 * Reads the images of a receipt from the data URLs in the sent JSON, so that the receipt shows the
 * bytes that were sent.
 */
import { fromBase64 } from "../base/base64";
import { sha256 } from "../base/sha256";
import { pictureSize } from "../pictures/pictureSize";
import { sniffPicture } from "../pictures/pictureType";
import type { ReceiptPicture } from "../conversation/message";

const DATA_URL = /^data:[\w./+-]+;base64,/;

/** Returns an entry for each URL, in order. */
export async function receiptPictures(urls: readonly string[]): Promise<ReceiptPicture[]> {
  const pictures: ReceiptPicture[] = [];
  for (const url of urls) pictures.push(await receiptPicture(url));
  return pictures;
}

async function receiptPicture(url: string): Promise<ReceiptPicture> {
  const head = DATA_URL.exec(url)?.[0];
  const bytes = head === undefined ? undefined : fromBase64(url.slice(head.length));
  if (bytes === undefined) return { kind: "address", url };
  return {
    kind: "bytes",
    hash: await sha256(bytes),
    mediaType: sniffPicture(bytes) ?? "",
    bytes: bytes.length,
    ...(pictureSize(bytes) ?? { widthPx: 0, heightPx: 0 }),
  };
}
