/**
 * First module of the page: posts `view-ready`, queues the host's messages, and keeps the composer
 * of the HTML usable. The other modules run after the first frame, so that typing works at once.
 */
import type { ToHost } from "../../protocol/toHost";
import { isSendKey } from "../ui/sendKey";
import { editorApi } from "./editorApi";

/** Longest wait for the first frame, in milliseconds; a page that is hidden gets none. */
const FRAME_PATIENCE_MS = 200;

/** Input and messages from before the panel was rendered. */
export interface Bootstrap {
  readonly text: string;
  /** True if the text has not changed since Enter was pressed. */
  readonly isAsked: boolean;
  readonly received: readonly MessageEvent<unknown>[];
}

const box = document.querySelector<HTMLTextAreaElement>("#root textarea");
const listening = new AbortController();
const received: MessageEvent<unknown>[] = [];
let askedText: string | undefined;

/** Removes the listeners and returns what they collected. */
export function endBootstrap(): Bootstrap {
  listening.abort();
  const text = box?.value ?? "";
  return { text, isAsked: text === askedText, received };
}

function holdEnter(event: KeyboardEvent): void {
  if (!isSendKey(event, box?.dataset["sendKey"] === "ctrlEnter" ? "ctrlEnter" : "enter")) return;
  event.preventDefault();
  askedText = box?.value;
}

/** Focuses the composer when VS Code focuses the page. */
function focusBox(): void {
  if (document.activeElement === document.body) box?.focus();
}

/** Resolves after the first frame since the page was loaded; VS Code shows it only then. */
async function firstFrame(): Promise<void> {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  }
  await new Promise<void>((resolve) => {
    // A task queued in a frame callback runs after that frame is painted.
    requestAnimationFrame(() => setTimeout(resolve, 0));
    setTimeout(resolve, FRAME_PATIENCE_MS);
  });
}

const { signal } = listening;
window.addEventListener("message", (event) => received.push(event), { signal });
window.addEventListener("focus", focusBox, { signal });
box?.addEventListener("keydown", holdEnter, { signal });
editorApi.postMessage({ kind: "event", message: { type: "view-ready" } satisfies ToHost });
if (document.hasFocus()) focusBox();
await firstFrame();
