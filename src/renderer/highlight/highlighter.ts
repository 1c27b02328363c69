/**
 * Page side of highlighting: owns a worker, sends grammars when first needed, and paints tokens
 * in short slices. A worker that hangs (a hostile line can make a pattern run forever) is
 * replaced. The code that it was reading stays plain for good if it hangs a second worker; all
 * other code is read by the next worker. A busy machine only delays the colors.
 */
import {
  styleClass,
  type CodeHighlighter,
  type HighlightSession,
  type TokenReceiver,
} from "../codeHighlighter";
import { REPLY_CLASS } from "../styles";
import { FALLBACK_THEME, withFallbackColors } from "./fallbackTheme";
import { knownLanguage, loadGrammars } from "./languages";
import { PaintQueue } from "./paintQueue";
import type { FromWorker, Grammar, StyleRule, HighlightTheme, ToWorker } from "./protocol";

/** Number of waiting blocks that are sent to a new worker in one task. */
const BLOCKS_A_TASK = 100;

/** Time without a message after which a worker with unread lines is terminated. */
const SILENCE_TIMEOUT_MS = 10_000;

/** Time for the first start of a worker; each further start has twice the time of the one before. */
const START_TIMEOUT_MS = 10_000;

/** Pause before the second start; it doubles too. */
const RESTART_PAUSE_MS = 1_000;

/** Upper limit of failed starts in a row. */
const MAX_STARTS = 5;

/** Starts a worker; rejects if workers are unavailable. */
export type StartWorker = () => Promise<Worker>;

interface OpenBlock {
  readonly receiver: TokenReceiver;
  /** Undefined until loaded. */
  grammars: readonly Grammar[] | undefined;
  /** All lines, for a worker that replaces another. */
  readonly lines: string[];
  /** Number of lines whose tokens arrived. */
  readCount: number;
  /** Number of tokenized lines to skip, which an earlier worker has returned. */
  skipCount: number;
  isSent: boolean;
  /** True if a worker was terminated while it read the next line. */
  hasHung: boolean;
  isEnded: boolean;
  isRefused: boolean;
}

export class Highlighter implements CodeHighlighter {
  private readonly view: Window;
  private readonly sheet: CSSStyleSheet;
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly paints: PaintQueue;
  private readonly sentLanguages = new Set<string>();
  /** Sent lines without tokens, in the order in which the worker reads them. */
  private unread: { readonly block: OpenBlock; lineCount: number }[] = [];
  /** Starts of blocks that hung two workers. Each costs two timeouts, so there are few. */
  private readonly hangingTexts = new Set<string>();
  private rules = new Map<number, string>();
  private worker: Worker | undefined;
  private isStarting = false;
  private failedStarts = 0;
  /** True if the next complete set of styles is from a new worker, which knows no earlier code. */
  private keepsRules = false;
  private theme: HighlightTheme | undefined;
  private nextBlock = 1;
  private silenceTimer: number | undefined;
  private isDisabled = false;

  /** @param reportHang called with the grammar's name when code stays plain because it hangs */
  constructor(
    private readonly document: Document,
    private readonly start: StartWorker,
    private readonly reportHang: (scopeName: string) => void = () => undefined,
  ) {
    const view = document.defaultView ?? window;
    this.view = view;
    this.sheet = new view.CSSStyleSheet();
    document.adoptedStyleSheets.push(this.sheet);
    this.paints = new PaintQueue(view);
  }

  open(language: string, receiver: TokenReceiver): HighlightSession | undefined {
    const name = knownLanguage(language);
    if (name === undefined || this.isDisabled) return undefined;
    const id = this.nextBlock++;
    const block: OpenBlock = {
      receiver,
      grammars: undefined,
      lines: [],
      readCount: 0,
      skipCount: 0,
      isSent: false,
      hasHung: false,
      isEnded: false,
      isRefused: false,
    };
    this.blocks.set(id, block);
    void this.loadBlock(name, id, block);
    return {
      add: (lines) => {
        if (block.isRefused) return;
        block.lines.push(...lines);
        if (block.isSent) this.sendLines(id, block, lines);
      },
      end: () => {
        if (block.isEnded) return;
        block.isEnded = true;
        if (block.isSent) this.post({ type: "block-closed", block: id });
        this.settleIfDone(id, block);
      },
    };
  }

  paint(shouldStop: () => boolean): void {
    this.paints.paint(shouldStop);
  }

  /** Colors all code by a theme, or without a theme by the variables of VS Code. */
  setTheme(theme: HighlightTheme | undefined): void {
    if (theme === undefined && this.theme === undefined) return;
    this.theme = theme ?? FALLBACK_THEME;
    // Without a worker the old styles cannot be converted; plain code is readable in any theme.
    if (this.worker === undefined) this.setStyles(true, []);
    this.sendTheme();
  }

  /** Terminates the worker and removes the token styles. */
  dispose(): void {
    this.isDisabled = true;
    this.stopWorker();
    this.refuseAll();
    const sheets = this.document.adoptedStyleSheets;
    this.document.adoptedStyleSheets = sheets.filter((sheet) => sheet !== this.sheet);
  }

  private async loadBlock(name: string, id: number, block: OpenBlock): Promise<void> {
    this.startWorker();
    const grammars = await loadGrammars(name).catch(() => []);
    if (grammars.length === 0) this.refuse(id);
    block.grammars = grammars;
    this.sendBlock(id, block);
  }

  /** Sends what is known of a block once there is a worker. */
  private sendBlock(id: number, block: OpenBlock): void {
    const { grammars = [], lines } = block;
    const scopeName = grammars.at(-1)?.scopeName;
    if (this.worker === undefined || scopeName === undefined || block.isRefused) return;
    if (!this.sentLanguages.has(scopeName)) this.post({ type: "grammars-added", grammars });
    this.sentLanguages.add(scopeName);
    block.isSent = true;
    block.skipCount = block.readCount;
    this.post({ type: "block-opened", block: id, scopeName });
    if (lines.length > 0) this.sendLines(id, block, lines);
    if (block.isEnded) this.post({ type: "block-closed", block: id });
  }

  private sendLines(id: number, block: OpenBlock, lines: readonly string[]): void {
    if (this.isKnownToHang(block)) {
      this.refuse(id);
      return;
    }
    this.post({ type: "lines-added", block: id, lines });
    this.unread.push({ block, lineCount: lines.length });
    this.watchSilence();
  }

  private isKnownToHang(block: OpenBlock): boolean {
    if (this.hangingTexts.size === 0) return false;
    const text = textOf(block);
    return [...this.hangingTexts].some((start) => text.startsWith(start));
  }

  private post(message: ToWorker): void {
    this.worker?.postMessage(message);
  }

  /** Starts a worker unless there is one; its blocks wait. */
  private startWorker(): void {
    if (this.worker !== undefined || this.isStarting || this.isDisabled) return;
    this.isStarting = true;
    const timeoutMs = START_TIMEOUT_MS * 2 ** this.failedStarts;
    readyWorker(this.start, timeoutMs, this.view).then(
      (worker) => this.useWorker(worker),
      (error: unknown) => this.restartLater(error instanceof SlowStartError),
    );
  }

  private useWorker(worker: Worker): void {
    this.isStarting = false;
    this.failedStarts = 0;
    if (this.isDisabled) {
      worker.terminate();
      return;
    }
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker === this.worker) this.receive(data);
    };
    this.worker = worker;
    this.keepsRules = this.rules.size > 0;
    this.sendTheme();
    // Code that hung a worker comes last, so that all other code gets its colors first.
    const blocks = [...this.blocks].sort(([, a], [, b]) => Number(a.hasHung) - Number(b.hasHung));
    this.sendBlocks(worker, blocks);
  }

  private sendBlocks(worker: Worker, blocks: readonly (readonly [number, OpenBlock])[]): void {
    if (worker !== this.worker) return;
    for (const [id, block] of blocks.slice(0, BLOCKS_A_TASK)) {
      if (!block.isSent && this.blocks.has(id)) this.sendBlock(id, block);
    }
    const laterBlocks = blocks.slice(BLOCKS_A_TASK);
    if (laterBlocks.length > 0) this.view.setTimeout(() => this.sendBlocks(worker, laterBlocks), 0);
  }

  /**
   * Starts again after a pause. After too many failures, the code stays plain: until the next block
   * if the machine was slow, for good if workers are unavailable (old browser, strict policy).
   */
  private restartLater(wasSlow: boolean): void {
    this.failedStarts += 1;
    if (this.failedStarts >= MAX_STARTS) {
      this.isStarting = false;
      this.failedStarts = 0;
      if (!wasSlow) this.isDisabled = true;
      this.refuseAll();
      return;
    }
    for (const { receiver } of this.blocks.values()) receiver.postponePainting();
    this.view.setTimeout(
      () => {
        this.isStarting = false;
        this.startWorker();
      },
      RESTART_PAUSE_MS * 2 ** (this.failedStarts - 1),
    );
  }

  private sendTheme(): void {
    if (this.theme !== undefined) this.post({ type: "theme-set", theme: this.theme });
  }

  private receive(message: FromWorker): void {
    this.handle(message);
    this.endSilence();
    this.watchSilence();
  }

  private handle(message: FromWorker): void {
    switch (message.type) {
      case "ready":
        return;
      case "styles-set":
        this.setStyles(message.isAll && !this.keepsRules, message.rules);
        if (message.isAll) this.keepsRules = false;
        return;
      case "tokens-found": {
        const block = this.blocks.get(message.block);
        if (block === undefined) return;
        const count = countLines(message.tokens);
        const [first] = this.unread; // A message has tokens of one `lines-added` only.
        if (first?.block === block && (first.lineCount -= count) <= 0) this.unread.shift();
        const skipped = Math.min(count, block.skipCount);
        block.skipCount -= skipped;
        block.readCount += count - skipped;
        if (count > skipped) block.hasHung = false;
        const tokens = withoutLines(message.tokens, skipped);
        this.paints.add(block.receiver, tokens, () => this.settleIfDone(message.block, block));
        return;
      }
      case "block-refused":
        this.refuse(message.block);
        return;
      default:
        message satisfies never;
    }
  }

  private setStyles(isAll: boolean, rules: readonly StyleRule[]): void {
    if (isAll) this.rules = new Map();
    for (const [style, declarations] of rules) {
      if (declarations === "") continue;
      const rule = `.${REPLY_CLASS} .${styleClass(style)}{${withFallbackColors(declarations)}}`;
      this.rules.set(style, rule);
      if (!isAll) this.sheet.insertRule(rule, this.sheet.cssRules.length);
    }
    if (isAll) this.sheet.replaceSync([...this.rules.values()].join("\n"));
  }

  private settleIfDone(id: number, block: OpenBlock): void {
    if (!block.isEnded || isUnread(block) || this.paints.has(block.receiver)) return;
    if (this.blocks.delete(id)) block.receiver.finishPainting();
  }

  private refuse(id: number): void {
    const block = this.blocks.get(id);
    if (block === undefined) return;
    block.isRefused = true;
    block.isEnded = true;
    this.unread = this.unread.filter((one) => one.block !== block);
    this.settleIfDone(id, block);
  }

  private refuseAll(): void {
    for (const id of [...this.blocks.keys()]) this.refuse(id);
  }

  /** Starts the timer, unless it runs, while the worker has unread lines. */
  private watchSilence(): void {
    if (this.unread.length === 0) return;
    this.silenceTimer ??= this.view.setTimeout(() => this.replaceWorker(), SILENCE_TIMEOUT_MS);
  }

  private endSilence(): void {
    this.view.clearTimeout(this.silenceTimer);
    this.silenceTimer = undefined;
  }

  /** Terminates a worker that hangs. The block that it reads gets one other, as it may be just slow. */
  private replaceWorker(): void {
    const firstUnread = this.unread[0]?.block;
    this.stopWorker();
    for (const [id, block] of [...this.blocks]) {
      if (block === firstUnread && block.hasHung) {
        this.hangingTexts.add(textOf(block));
        this.reportHang(block.grammars?.at(-1)?.scopeName ?? "");
        this.refuse(id);
      } else if (block.isSent) {
        block.hasHung ||= block === firstUnread;
        block.isSent = false;
        block.receiver.postponePainting();
      }
    }
    if (this.blocks.size > 0) this.startWorker();
  }

  private stopWorker(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.sentLanguages.clear();
    this.unread = [];
    this.endSilence();
  }
}

/** Returns the name of the grammar and the lines so far, each with a line end. */
function textOf({ grammars, lines }: OpenBlock): string {
  return [grammars?.at(-1)?.scopeName, ...lines, ""].join("\n");
}

/** True if tokens of lines are missing. */
function isUnread({ lines, readCount, isRefused }: OpenBlock): boolean {
  return !isRefused && readCount < lines.length;
}

class SlowStartError extends Error {
  override readonly name = "SlowStartError";
}

/** Starts a worker and waits for its first message; earlier messages to it would be lost. */
function readyWorker(start: StartWorker, timeoutMs: number, view: Window): Promise<Worker> {
  return new Promise((resolve, reject) => {
    let started: Worker | undefined;
    let isOver = false;
    const fail = (error: unknown) => {
      isOver = true;
      view.clearTimeout(timer);
      started?.terminate();
      reject(error instanceof Error ? error : new Error("the highlighting worker does not start"));
    };
    const timer = view.setTimeout(() => fail(new SlowStartError()), timeoutMs);
    const follow = (worker: Worker) => {
      started = worker;
      if (isOver) worker.terminate();
      worker.onmessage = () => {
        view.clearTimeout(timer);
        if (!isOver) resolve(worker);
      };
      worker.onerror = (event: Event | string) => {
        // An error with a message comes from other code in the same script.
        if (!(event instanceof ErrorEvent)) fail(undefined);
      };
    };
    start().then(follow, fail);
  });
}

/** Returns tokens without those of the first lines. */
function withoutLines(tokens: Uint32Array, count: number): Uint32Array {
  let at = 0;
  for (let line = 0; line < count; line++) at += 1 + (tokens[at] ?? 0) * 2;
  return tokens.subarray(at);
}

function countLines(tokens: Uint32Array): number {
  let lines = 0;
  for (let at = 0; at < tokens.length; at += 1 + (tokens[at] ?? 0) * 2) lines++;
  return lines;
}
