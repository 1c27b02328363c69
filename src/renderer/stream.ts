/**
 * Entry point of the renderer: schedules the rendering of a streamed reply. Needs a container in a
 * document and no other part of the app, no style sheet and no network. No HTML of a reply is
 * parsed.
 */
import { UNFINISHED_SEQUENCE } from "../base/ansi";
import { normalizeText } from "../markdown/limits";
import { ReplyDocument } from "./replyDocument";
import type { MarkdownOptions } from "./renderContext";
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

/** Length in UTF-16 units of text that `end` renders at once. */
const SHORT_LENGTH = 8_192;

/** Length in UTF-16 units of the text that is rendered before the time is checked again. */
const SLICE_LENGTH = 2_048;

/**
 * Time of a task in which further slices start, in milliseconds; none while the user types. Layout and
 * paint come on top.
 */
const TASK_MS = 6;

/** Starts a reply in `container` and owns the container's content from then on. */
export function createMarkdownStream(
  container: HTMLElement,
  options: MarkdownOptions = {},
): MarkdownStream {
  installStyles(container.ownerDocument);
  container.classList.add(REPLY_CLASS);
  const { highlighter } = options;
  const reply = new ReplyDocument(container, options);
  const view: Window = container.ownerDocument.defaultView ?? window;
  let pending: string[] = [];
  /** End of a piece that the next one may complete. */
  let held = "";
  let timer: number | undefined;
  let frame: number | undefined;
  const times = new RenderTimes(() => lastKeyMs(container.ownerDocument));
  let isEnded = false;
  let isDisposed = false;

  /** Takes the pending text, at most `length` units of it if there is more. */
  const nextText = (length = Infinity): string => {
    const text = held + pending.join("");
    // A pair of surrogates stays together.
    const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
    const lastHalf = text.slice(end);
    pending = lastHalf === "" ? [] : [lastHalf];
    const isLast = isEnded && lastHalf === "";
    const piece = text.slice(0, end);
    held = isLast ? "" : (UNFINISHED_SEQUENCE.exec(piece)?.[0] ?? "");
    return normalizeText(piece.slice(0, piece.length - held.length));
  };

  const deadline = () => {
    const nowMs = performance.now();
    const untilMs = nowMs + (times.isTyping(nowMs) ? 0 : TASK_MS);
    return () => performance.now() >= untilMs;
  };

  /** Renders pending text and paused work for the time of a task; the rest waits for the next. */
  const renderSlices = () => {
    const isLate = deadline();
    for (;;) {
      reply.append(nextText(SLICE_LENGTH));
      if (pending.length === 0 || isLate()) break;
      reply.finishBlocks();
    }
    reply.render(isLate);
    highlighter?.paint(isLate);
  };

  const render = () => {
    frame = undefined;
    const startMs = performance.now();
    if (times.waitMs(startMs) > 1) {
      schedule(); // A key was pressed since the frame was requested.
      return;
    }
    renderSlices();
    times.renderStarted(startMs, pending.length > 0);
    if (pending.length > 0 || reply.isPaused) schedule();
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

  /** Runs `work` in tasks of their own, after the frame of a key press, while there is some. */
  const inTasks = async (hasWork: () => boolean, work: () => void): Promise<void> => {
    while (hasWork()) {
      await sleep(times.keyFrameMs(performance.now()));
      if (isDisposed) return;
      work();
    }
  };

  /** Ends a reply whose text is rendered or short. */
  const finish = (): void | Promise<void> => {
    if (isDisposed) return undefined;
    reply.append(nextText());
    reply.end(deadline());
    if (!reply.isPaused) return reply.settled;
    return inTasks(
      () => reply.isPaused,
      () => reply.continueLate(deadline()),
    ).then(() => reply.settled);
  };

  /** Ends the reply in slices, after the frame of a key press that has just arrived. */
  const endInSlices = async (): Promise<void> => {
    await sleep(times.keyFrameMs(performance.now()));
    await inTasks(() => pending.length > 0, renderSlices);
    await sleep(times.keyFrameMs(performance.now()));
    await finish();
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
      const length = pending.reduce((sum, piece) => sum + piece.length, held.length);
      const isKeyFrame = times.keyFrameMs(performance.now()) > 0;
      return isKeyFrame || length > SHORT_LENGTH ? endInSlices() : finish();
    },
    dispose() {
      isDisposed = isEnded = true;
      unschedule();
    },
  };
}
