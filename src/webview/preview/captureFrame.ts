/** Runs a page in a frame that is not seen, and returns the document that its scripts made. */
import * as z from "zod/mini";
import type { PreviewSize } from "./previewSizes";

/** Time limit for a page, in milliseconds; see captureScript.ts for its own. */
const MAX_MS = 10_000;

const capturedSchema = z.object({
  coreChatCaptured: z.string().check(z.maxLength(50_000_000)),
});

/** Rejects for a page that never ends loading or leaves its frame. */
export async function capturedHtml(html: string, size: PreviewSize): Promise<string> {
  const frame = document.createElement("iframe");
  // The sandbox applies to documents that are loaded afterwards, so it comes first.
  frame.setAttribute("sandbox", "allow-scripts");
  frame.referrerPolicy = "no-referrer";
  frame.inert = true;
  frame.className = "capture-frame";
  const { widthPx, heightPx } = size;
  // A browser does not draw a frame outside the window, so the whole frame is inside.
  const scale = Math.min(1, innerWidth / widthPx, innerHeight / heightPx);
  Object.assign(frame.style, {
    width: `${widthPx}px`,
    height: `${heightPx}px`,
    transform: `scale(${scale})`,
  });
  frame.srcdoc = html;
  const ended = new AbortController();
  const { signal } = ended;
  try {
    return await new Promise<string>((resolve, reject) => {
      const receive = ({ source, data }: MessageEvent<unknown>) => {
        if (source === null || source !== frame.contentWindow) return;
        const captured = capturedSchema.safeParse(data);
        if (captured.success) resolve(captured.data.coreChatCaptured);
      };
      addEventListener("message", receive, { signal });
      setTimeout(() => reject(new Error("the page is not complete")), MAX_MS);
      document.body.append(frame);
    });
  } finally {
    ended.abort();
    frame.remove();
  }
}
