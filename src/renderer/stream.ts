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
import { lastKeyMs } from "./lastKey";
import { RenderTimes } from "./renderTimes";
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

/** Length in UTF-16 units that `end` renders in one task; longer text is rendered in slices. */
const SLICE_LENGTH = 8_192;

/** Length in UTF-16 units of what one render adds while the user types. */
const TYPING_SLICE_LENGTH = 2_048;

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
  const times = new RenderTimes(() => lastKeyMs(container.ownerDocument));
  let isEnded = false;
  let isDisposed = false;

  /** Takes the pending text, at most `length` units of it if there is more. */
  const nextText = (length = Infinity): string => {
    let text = heldReturn + pending.join("");
    const rest = text.slice(length);
    pending = rest === "" ? [] : [rest];
    text = text.slice(0, length);
    heldReturn = text.endsWith("\r") && !isEnded ? "\r" : "";
    if (heldReturn !== "") text = text.slice(0, -1);
    return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  };

  const render = () => {
    frame = undefined;
    const startMs = performance.now();
    if (times.waitMs(startMs) > 1) {
      schedule(); // A key was pressed since the frame was requested.
      return;
    }
    reply.append(nextText(times.isTyping(startMs) ? TYPING_SLICE_LENGTH : Infinity));
    times.renderStarted(startMs, pending.length > 0);
    reply.render();
    if (pending.length > 0) schedule();
    // This timer runs after the frame, so that the measured time includes layout and paint.
    view.setTimeout(() => times.frameEnded(performance.now()), 0);
  };

  const schedule = () => {
    if (timer !== undefined || frame !== undefined) return;
    const wait = times.waitMs(performance.now());
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

  const sleep = (waitMs: number) =>
    new Promise<void>((resume) => view.setTimeout(resume, Math.max(0, waitMs)));

  /** Ends the reply in slices, after the frame of a key press that has just arrived. */
  const endInSlices = async (text: string): Promise<void> => {
    await sleep(times.keyFrameMs(performance.now()));
    for (let at = 0; at < text.length && !isDisposed;) {
      const length = times.isTyping(performance.now()) ? TYPING_SLICE_LENGTH : SLICE_LENGTH;
      reply.append(text.slice(at, at + length));
      reply.render();
      at += length;
      await sleep(times.keyFrameMs(performance.now()));
    }
    if (isDisposed) return;
    reply.end();
    await reply.settled;
  };

  return {
    append(text) {
      if (isEnded || text === "") return;
      pending.push(text);
      times.textArrived(performance.now());
      schedule();
    },
    end() {
      if (isEnded) return undefined;
      isEnded = true;
      unschedule();
      const text = nextText();
      const isKeyFrame = times.keyFrameMs(performance.now()) > 0;
      if (isKeyFrame || text.length > SLICE_LENGTH) return endInSlices(text);
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
