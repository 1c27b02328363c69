/** Compares the pictures of a request by their pixels, decoded in a browser. */
import type { BrowserContext } from "playwright-core";

/** Decoded picture: four bytes per pixel, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Returns true if the first picture in the body of a request has the same pixels as `source`. */
export async function samePixels(
  context: BrowserContext,
  body: unknown,
  source: Buffer,
): Promise<boolean> {
  const [, url = ""] = /"url":"(data:[^"]+)"/.exec(JSON.stringify(body)) ?? [];
  const sent = await pixelsOf(context, url);
  const made = await pixelsOf(context, `data:image/png;base64,${source.toString("base64")}`);
  return sent.width === made.width && sent.data.equals(made.data);
}

async function pixelsOf(context: BrowserContext, url: string): Promise<Pixels> {
  const page = await context.newPage();
  try {
    const { width, height, base64 } = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const drawing = canvas.getContext("2d")!;
      drawing.drawImage(image, 0, 0);
      const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
      let text = "";
      for (let at = 0; at < data.length; at += 8192) {
        text += String.fromCharCode(...data.subarray(at, at + 8192));
      }
      return { width: canvas.width, height: canvas.height, base64: btoa(text) };
    }, url);
    return { width, height, data: Buffer.from(base64, "base64") };
  } finally {
    await page.close();
  }
}
