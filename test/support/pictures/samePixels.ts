/**
 * Compares pictures by their pixels, in a browser of the test's own.
 */
import type { BrowserContext } from "playwright-core";

/** Whether the first picture in the body of a request looks exactly like `source`. */
export async function samePixels(
  context: BrowserContext,
  body: unknown,
  source: Buffer,
): Promise<boolean> {
  const url = /"url":"(data:[^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
  const page = await context.newPage();
  try {
    return await page.evaluate(
      async (addresses) => {
        const [sent, made] = await Promise.all(
          addresses.map(async (address) => {
            const image = new Image();
            image.src = address;
            await image.decode();
            const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
            const drawing = canvas.getContext("2d")!;
            drawing.drawImage(image, 0, 0);
            return drawing.getImageData(0, 0, canvas.width, canvas.height);
          }),
        );
        if (sent === undefined || made === undefined || sent.width !== made.width) return false;
        return sent.data.every((value, index) => value === made.data[index]);
      },
      [url, `data:image/png;base64,${source.toString("base64")}`],
    );
  } finally {
    await page.close();
  }
}

/** The pixels of the last picture in the body of a request, four bytes each, row by row. */
export async function lastPixels(
  context: BrowserContext,
  body: unknown,
): Promise<{ width: number; height: number; data: Buffer }> {
  const url = [...JSON.stringify(body).matchAll(/"url":"(data:[^"]+)"/g)].at(-1)?.[1] ?? "";
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
