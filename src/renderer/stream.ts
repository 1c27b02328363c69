/**
 * Entry point of the renderer: schedules the rendering of a streamed reply. Needs a container in a
 * document and no other part of the app, no style sheet and no network. No HTML of a reply is
 * parsed.
 */
import { ReplyDocument } from "./replyDocument";
import type { MarkdownOptions } from "./renderContext";
import type { CodeHighlighter } from "./codeHighlighter";
import { Highlighter } from "./highlight/highlighter";
import { isHighlightWorker, ownScriptStarter } from "./highlight/startWorker";
import { installStyles, REPLY_CLASS } from "./styles";

export type { MarkdownOptions } from "./renderContext";

/** Reply that is being rendered. */
export interface MarkdownStream {
  /** Adds text in pieces of any length, any number of times per frame. */
  append(text: string): void;
  /** Shows the whole text. The DOM is final when the promise resolves, or on return without one. */
  end(): void | Promise<void>;
  /** Stops rendering and drops pending text. The nodes in the container stay. */
  dispose(): void;
}

/** Minimum interval between two renders: 30 a second. */
const MIN_INTERVAL_MS = 1000 / 30;

/** Maximum interval between two renders. One frame later, text is on screen within 100 ms. */
const MAX_INTERVAL_MS = 64;

/** Share of the main thread's time that rendering may use before renders become less frequent. */
const MAX_SHARE = 0.1;

/** Length in UTF-16 units that `end` renders in one task; longer text is rendered in slices. */
const SLICE_LENGTH = 8_192;

// Without the app, this script is also the highlighting worker's, see highlight/startWorker.ts.
if (isHighlightWorker()) void import("./highlight/worker");

const highlighters = new WeakMap<Document, CodeHighlighter>();

/** Returns the highlighter of the options, or the document's own, created on first use. */
function highlighterFor(
  container: HTMLElement,
  options: MarkdownOptions,
): CodeHighlighter | undefined {
  if (options.highlighter !== undefined) return options.highlighter || undefined;
  const document = container.ownerDocument;
  let own = highlighters.get(document);
  if (own === undefined) {
    own = new Highlighter(document, ownScriptStarter());
    highlighters.set(document, own);
  }
  return own;
}

/** Starts a reply in `container` and owns the container's content from then on. */
export function createMarkdownStream(
  container: HTMLElement,
  options: MarkdownOptions = {},
): MarkdownStream {
  installStyles(container.ownerDocument);
  container.classList.add(REPLY_CLASS);
  const reply = new ReplyDocument(container, options, highlighterFor(container, options));
  const view: Window = container.ownerDocument.defaultView ?? window;
  let pending: string[] = [];
  /** A carriage return at the end of a piece; the next piece may start with its line feed. */
  let heldReturn = "";
  let timer: number | undefined;
  let frame: number | undefined;
  let lastRenderMs = -Infinity;
  let intervalMs = MIN_INTERVAL_MS;
  let isEnded = false;
  let isDisposed = false;

  const takePending = (): string => {
    let text = heldReturn + pending.join("");
    pending = [];
    heldReturn = text.endsWith("\r") && !isEnded ? "\r" : "";
    if (heldReturn !== "") text = text.slice(0, -1);
    return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  };

  const render = () => {
    frame = undefined;
    timer = undefined;
    lastRenderMs = performance.now();
    reply.append(takePending());
    reply.render();
    // This timer runs after the frame, so that the measured time includes layout and paint.
    view.setTimeout(() => {
      const idealMs = (performance.now() - lastRenderMs) / MAX_SHARE;
      intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, idealMs));
    }, 0);
  };

  const schedule = () => {
    if (timer !== undefined || frame !== undefined) return;
    const wait = lastRenderMs + intervalMs - performance.now();
    if (wait > 1) {
      timer = view.setTimeout(() => {
        timer = undefined;
        frame = view.requestAnimationFrame(render);
      }, wait);
    } else frame = view.requestAnimationFrame(render);
  };

  const unschedule = () => {
    if (timer !== undefined) view.clearTimeout(timer);
    if (frame !== undefined) view.cancelAnimationFrame(frame);
    timer = frame = undefined;
  };

  const renderInSlices = async (text: string): Promise<void> => {
    for (let at = 0; at < text.length && !isDisposed; at += SLICE_LENGTH) {
      reply.append(text.slice(at, at + SLICE_LENGTH));
      reply.render();
      await new Promise<void>((resume) => view.setTimeout(resume, 0));
    }
    if (isDisposed) return;
    reply.end();
    await reply.settled;
  };

  return {
    append(text) {
      if (isEnded || text === "") return;
      pending.push(text);
      schedule();
    },
    end() {
      if (isEnded) return undefined;
      isEnded = true;
      unschedule();
      const text = takePending();
      if (text.length > SLICE_LENGTH) return renderInSlices(text);
      reply.append(text);
      reply.end();
      return reply.settled;
    },
    dispose() {
      isDisposed = isEnded = true;
      unschedule();
    },
  };
}
