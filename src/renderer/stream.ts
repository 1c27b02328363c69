/**
 * Renders a reply while it arrives. This file is the whole renderer to others: it needs a container in
 * a document and nothing else of the app (no CSS, no host). It decides when to render; what is rendered
 * is replyDocument.ts. Markdown is markup/parser.ts; no HTML of a reply is ever parsed, nothing is loaded.
 */
import { ReplyDocument } from "./replyDocument";
import type { MarkdownOptions } from "./page";
import type { CodeHighlighter } from "./codeHighlighter";
import { Highlighter } from "./highlight/highlighter";
import { isHighlightWorker, workerFromOwnScript } from "./highlight/startWorker";
import { addStyles, REPLY_CLASS } from "./styles";

export type { MarkdownOptions } from "./page";

/** A reply that is being rendered. */
export interface MarkdownStream {
  /** Takes more text, in any pieces, any number of times a frame. */
  append(text: string): void;
  /** Shows all of it; when the promise (or the call) returns, the reply is final. */
  end(): void | Promise<void>;
  /** Touches the container no more: what waits to be shown is dropped. */
  leave(): void;
}

/** Shortest time between two renderings, in milliseconds: 30 a second. */
const MIN_INTERVAL_MS = 1000 / 30;

/** Longest time between two, in milliseconds: with a frame on top, text is on screen within 100 ms. */
const MAX_INTERVAL_MS = 64;

/** The share of time that showing text may take before renderings become fewer. */
const MAX_SHARE = 0.1;

/** Text that `end` renders at once, in UTF-16 units; more is rendered in slices of this size. */
const SLICE_LENGTH = 8_192;

// In a bare page this script is also the highlighting worker's, see highlight/startWorker.ts.
if (isHighlightWorker()) void import("./highlight/worker");

const highlighters = new WeakMap<Document, CodeHighlighter>();

/** The app's highlighter, or the document's own, made when first needed. */
function highlighterFor(
  container: HTMLElement,
  options: MarkdownOptions,
): CodeHighlighter | undefined {
  if (options.highlighter !== undefined) return options.highlighter || undefined;
  const page = container.ownerDocument;
  let own = highlighters.get(page);
  if (own === undefined) {
    own = new Highlighter(page, workerFromOwnScript());
    highlighters.set(page, own);
  }
  return own;
}

/** Renders a reply into `container`, whose content it owns from now on. */
export function createMarkdownStream(
  container: HTMLElement,
  options: MarkdownOptions = {},
): MarkdownStream {
  addStyles(container.ownerDocument);
  container.classList.add(REPLY_CLASS);
  const reply = new ReplyDocument(container, options, highlighterFor(container, options));
  const view: Window = container.ownerDocument.defaultView ?? window;
  let pending: string[] = [];
  /** A carriage return at the end of a piece: half of a line end, perhaps. */
  let heldReturn = "";
  let timer: number | undefined;
  let frame: number | undefined;
  let lastRenderMs = -Infinity;
  let intervalMs = MIN_INTERVAL_MS;
  let isEnded = false;
  let isLeft = false;

  const take = (): string => {
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
    reply.append(take());
    reply.render();
    // A timer that is due at once runs after the frame, so that layout and paint are counted.
    view.setTimeout(() => {
      const wantedMs = (performance.now() - lastRenderMs) / MAX_SHARE;
      intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, wantedMs));
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
    for (let at = 0; at < text.length && !isLeft; at += SLICE_LENGTH) {
      reply.append(text.slice(at, at + SLICE_LENGTH));
      reply.render();
      await new Promise<void>((resume) => view.setTimeout(resume, 0));
    }
    if (isLeft) return;
    reply.end();
    await reply.rest;
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
      const text = take();
      if (text.length > SLICE_LENGTH) return renderInSlices(text);
      reply.append(text);
      reply.end();
      return reply.rest;
    },
    leave() {
      isLeft = isEnded = true;
      unschedule();
    },
  };
}
