/**
 * What the page does before the panel is built, and first of all: it says that it is there, keeps
 * what the host says, and holds the box for a question, which stands in the page's own HTML so that
 * it can be seen and typed in at once. The rest of the script goes on when that box was painted.
 */
import type { ToHost } from "../../protocol/messages";
import { editorApi } from "./editorApi";

/** Longest wait for the first frame, in milliseconds; a page that is hidden gets none. */
const FRAME_PATIENCE_MS = 200;

/** What happened before the panel was there. */
export interface Bootstrap {
  /** What stands in the box. */
  readonly text: string;
  /** True when Enter was pressed and nothing typed since. */
  readonly isAsked: boolean;
  /** What came over the bridge, in order. */
  readonly heard: readonly MessageEvent<unknown>[];
}

const box = document.querySelector<HTMLTextAreaElement>("#root textarea");
const listening = new AbortController();
const heard: MessageEvent<unknown>[] = [];
let askedText: string | undefined;

/** Hands everything over to the panel, which listens itself from now on. */
export function endBootstrap(): Bootstrap {
  listening.abort();
  const text = box?.value ?? "";
  return { text, isAsked: text === askedText, heard };
}

function holdEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.isComposing || event.shiftKey || event.altKey) return;
  event.preventDefault();
  askedText = box?.value;
}

/** The editor has the page focused: then the caret belongs into the box. */
function focusBox(): void {
  if (document.activeElement === document.body) box?.focus();
}

/** The editor shows the page when it is loaded: resolves after the frame that follows. */
async function firstFrame(): Promise<void> {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  }
  await new Promise<void>((resolve) => {
    // A task queued from a frame runs after that frame was painted.
    requestAnimationFrame(() => setTimeout(resolve, 0));
    setTimeout(resolve, FRAME_PATIENCE_MS);
  });
}

const { signal } = listening;
window.addEventListener("message", (event) => heard.push(event), { signal });
window.addEventListener("focus", focusBox, { signal });
box?.addEventListener("keydown", holdEnter, { signal });
editorApi.postMessage({ kind: "event", message: { type: "view-ready" } satisfies ToHost });
if (document.hasFocus()) focusBox();
await firstFrame();
