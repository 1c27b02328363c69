/**
 * Script in the page's HTML: posts `view-ready`, queues the host's messages, and keeps the composer
 * of the HTML usable. The other modules, which are a file, run after the first frame, so that typing
 * works at once.
 */
import type { ToHost } from "../protocol/toHost";
import { isSendKey } from "./ui/sendKey";
import type { EarlyInput } from "./boot/early";
import { editorApi } from "./boot/editorApi";

/** Longest wait for the first frame, in milliseconds; a page that is hidden gets none. */
const FRAME_PATIENCE_MS = 200;

const box = document.querySelector<HTMLTextAreaElement>("#root textarea");
const listening = new AbortController();
const received: MessageEvent<unknown>[] = [];
const pasted: File[] = [];
const dropped: File[] = [];
let askedText: string | undefined;

function end(): EarlyInput {
  listening.abort();
  const text = box?.value ?? "";
  return { text, isAsked: text === askedText, received, pasted, dropped };
}

function holdEnter(event: KeyboardEvent): void {
  if (!isSendKey(event, box?.dataset["sendKey"] === "ctrlEnter" ? "ctrlEnter" : "enter")) return;
  event.preventDefault();
  askedText = box?.value;
}

/** Keeps pasted and dropped files, which can be read during the event only. */
function holdFiles(event: Event, data: DataTransfer | null, held: File[]): void {
  if (data === null || data.files.length === 0 || data.getData("text/plain").trim() !== "") return;
  event.preventDefault();
  held.push(...data.files);
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

/** Tells the user that the other modules cannot run, for example after the extension was updated. */
function showFailure(): void {
  const notice = document.createElement("p");
  notice.className = "notice is-error";
  notice.role = "alert";
  notice.textContent = box?.dataset["failureText"] ?? "";
  box?.form?.prepend(notice);
  const message: ToHost = { type: "view-failed", where: "main script" };
  editorApi.postMessage({ kind: "event", message });
}

const { signal } = listening;
window.addEventListener("message", (event) => received.push(event), { signal });
window.addEventListener("focus", focusBox, { signal });
box?.addEventListener("keydown", holdEnter, { signal });
document.addEventListener("paste", (event) => holdFiles(event, event.clipboardData, pasted), {
  signal,
});
document.addEventListener("drop", (event) => holdFiles(event, event.dataTransfer, dropped), {
  signal,
});
document.addEventListener(
  "dragover",
  (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  },
  { signal },
);
editorApi.postMessage({ kind: "event", message: { type: "view-ready" } satisfies ToHost });
if (document.hasFocus()) focusBox();
await firstFrame();
try {
  const { start } = await import("./main");
  start({ editorApi, end });
} catch {
  showFailure();
}
