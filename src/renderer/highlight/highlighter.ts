/**
 * Page side of highlighting: owns a worker, sends grammars when first needed, and paints tokens
 * in short slices. A worker that hangs (a hostile line can make a pattern run forever) is
 * terminated, and its code stays plain.
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
import type { FromWorker, StyleRule, HighlightTheme, ToWorker } from "./protocol";

/** Time without a message after which a worker with unread lines is terminated. */
const SILENCE_TIMEOUT_MS = 10_000;

/** Starts a worker; rejects if workers are unavailable. */
export type StartWorker = () => Promise<Worker>;

interface OpenBlock {
  readonly receiver: TokenReceiver;
  /** Lines sent to the worker whose tokens have not arrived. */
  unread: number;
  isEnded: boolean;
  isRefused: boolean;
}

export class Highlighter implements CodeHighlighter {
  private readonly document: Document;
  private readonly start: StartWorker;
  private readonly sheet: CSSStyleSheet;
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly paints: PaintQueue;
  private readonly sentGrammars = new Set<string>();
  private rules = new Map<number, string>();
  private worker: Promise<Worker | undefined> | undefined;
  private theme: HighlightTheme | undefined;
  private nextBlock = 1;
  private silenceTimer: number | undefined;
  private isDisabled = false;

  constructor(document: Document, start: StartWorker) {
    const view = document.defaultView ?? window;
    this.document = document;
    this.start = start;
    this.sheet = new view.CSSStyleSheet();
    document.adoptedStyleSheets.push(this.sheet);
    this.paints = new PaintQueue(view);
  }

  open(language: string, receiver: TokenReceiver): HighlightSession | undefined {
    const name = knownLanguage(language);
    if (name === undefined || this.isDisabled) return undefined;
    const id = this.nextBlock++;
    const block: OpenBlock = { receiver, unread: 0, isEnded: false, isRefused: false };
    this.blocks.set(id, block);
    // Each message waits for the previous message, so that a block's messages keep their order.
    let sent = this.openBlock(name, id);
    const send = (message: ToWorker) => {
      sent = sent.then((worker) => {
        if (!block.isRefused) worker?.postMessage(message);
        return worker;
      });
    };
    return {
      add: (lines) => {
        if (block.isRefused) return;
        block.unread += lines.length;
        this.restartSilenceTimer();
        send({ type: "lines-added", block: id, lines });
      },
      end: () => {
        if (block.isEnded) return;
        block.isEnded = true;
        send({ type: "block-closed", block: id });
        this.settleIfDone(id, block);
      },
    };
  }

  /** Colors all code by a theme, or without a theme by the variables of VS Code. */
  setTheme(theme: HighlightTheme | undefined): void {
    if (theme === undefined && this.theme === undefined) return;
    this.theme = theme ?? FALLBACK_THEME;
    // Without a worker the old styles cannot be converted; plain code is readable in any theme.
    if (this.worker === undefined) this.setStyles(true, []);
    void this.worker?.then((worker) => this.sendTheme(worker));
  }

  /** Terminates the worker and removes the token styles. */
  dispose(): void {
    this.isDisabled = true;
    this.stopWorker();
    const sheets = this.document.adoptedStyleSheets;
    this.document.adoptedStyleSheets = sheets.filter((sheet) => sheet !== this.sheet);
  }

  private async openBlock(name: string, id: number): Promise<Worker | undefined> {
    this.worker ??= this.startWorker();
    const [worker, grammars] = await Promise.all([this.worker, loadGrammars(name).catch(() => [])]);
    const scopeName = grammars.at(-1)?.scopeName;
    if (worker === undefined || scopeName === undefined) {
      this.refuse(id);
      return undefined;
    }
    const missing = grammars.filter((grammar) => !this.sentGrammars.has(grammar.scopeName));
    for (const grammar of missing) this.sentGrammars.add(grammar.scopeName);
    const send = (message: ToWorker) => worker.postMessage(message);
    if (missing.length > 0) send({ type: "grammars-added", grammars: missing });
    send({ type: "block-opened", block: id, scopeName });
    return worker;
  }

  private async startWorker(): Promise<Worker | undefined> {
    try {
      const worker = await this.start();
      await isReady(worker);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
      if (this.theme !== undefined) this.sendTheme(worker);
      return worker;
    } catch {
      // Workers are unavailable (old browser, strict policy): code stays plain.
      this.isDisabled = true;
      return undefined;
    }
  }

  private sendTheme(worker: Worker | undefined): void {
    if (this.theme === undefined) return;
    worker?.postMessage({ type: "theme-set", theme: this.theme } satisfies ToWorker);
  }

  private receive(message: FromWorker): void {
    this.handle(message);
    this.restartSilenceTimer();
  }

  private handle(message: FromWorker): void {
    switch (message.type) {
      case "ready":
        return;
      case "styles-set":
        this.setStyles(message.isAll, message.rules);
        return;
      case "tokens-found": {
        const block = this.blocks.get(message.block);
        if (block === undefined) return;
        block.unread -= countLines(message.tokens);
        this.paints.add(block.receiver, message.tokens, () =>
          this.settleIfDone(message.block, block),
        );
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
    if (!block.isEnded || block.unread > 0 || this.paints.has(block.receiver)) return;
    if (this.blocks.delete(id)) block.receiver.finishPainting();
  }

  private refuse(id: number): void {
    const block = this.blocks.get(id);
    if (block === undefined) return;
    block.isRefused = true;
    block.isEnded = true;
    block.unread = 0;
    this.settleIfDone(id, block);
  }

  /** Restarts the timer while the worker has unread lines. */
  private restartSilenceTimer(): void {
    const view = this.document.defaultView ?? window;
    view.clearTimeout(this.silenceTimer);
    this.silenceTimer = undefined;
    if (![...this.blocks.values()].some(({ unread }) => unread > 0)) return;
    this.silenceTimer = view.setTimeout(() => this.stopWorker(), SILENCE_TIMEOUT_MS);
  }

  private stopWorker(): void {
    void this.worker?.then((worker) => worker?.terminate());
    this.worker = undefined;
    this.sentGrammars.clear();
    for (const id of [...this.blocks.keys()]) this.refuse(id);
  }
}

/** Waits for the worker's first message; earlier messages to it would be lost. */
function isReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      worker.terminate();
      reject(new Error("the highlighting worker does not start"));
    };
    const timer = setTimeout(fail, SILENCE_TIMEOUT_MS);
    worker.onmessage = () => {
      clearTimeout(timer);
      resolve();
    };
    worker.onerror = (event: Event | string) => {
      // An error with a message comes from other code in the same script.
      if (!(event instanceof ErrorEvent)) fail();
    };
  });
}

function countLines(tokens: Uint32Array): number {
  let lines = 0;
  for (let at = 0; at < tokens.length; at += 1 + (tokens[at] ?? 0) * 2) lines++;
  return lines;
}
