/**
 * Text of a code block: first plain, then colored line by line. Hidden characters get a visible
 * mark. From the first line with a hidden character, or above the length limit, the code stays
 * plain. A long block is split into parts, so that a change affects the layout of a single part.
 */
import { findHiddenCharacters } from "../markdown/hiddenCharacters";
import { MAX_CODE_LINE_LENGTH } from "../markdown/limits";
import {
  styleClass,
  type CodeHighlighter,
  type HighlightSession,
  type TokenReceiver,
} from "./codeHighlighter";
import { makeElement } from "./dom";
import { keepSelection } from "./keepSelection";
import { sanitizeElement } from "./sanitize";
import { CODE_PART_CLASS } from "./styles";

/**
 * Lines in a part, and before the first part. Uncolored lines share a text node of at most this
 * many lines, so that removing lines from its front stays cheap.
 */
const LINES_A_PART = 40;

export class CodeText implements TokenReceiver {
  private readonly document: Document;
  /** Last lines of the code, which may still change. */
  private live: Text;
  private liveText = "";
  /** Lines sent to the highlighter and not painted yet. */
  private readonly waiting: Text[] = [];
  private session: HighlightSession | undefined;
  /** Element that receives the next finished line, and the number of lines in it. */
  private part: Element;
  private partLines = 0;
  private isFinished = false;
  private resolve: (() => void) | undefined;

  /** Resolves when the code no longer changes, or when its colors come much later. */
  readonly settled: Promise<void>;

  constructor(
    readonly code: HTMLElement,
    highlighter: CodeHighlighter | undefined,
    language: string,
  ) {
    this.document = code.ownerDocument;
    this.part = code;
    this.live = this.document.createTextNode("");
    code.append(this.live);
    this.session = language === "" ? undefined : highlighter?.open(language, this);
    this.settled =
      this.session === undefined
        ? Promise.resolve()
        : new Promise((resolve) => (this.resolve = resolve));
  }

  /** Replaces the unfinished lines at the end. */
  update(text: string): void {
    if (text === this.liveText) return;
    const { length } = this.liveText;
    if (text.startsWith(this.liveText)) this.live.appendData(text.slice(length));
    else this.live.data = text;
    this.liveText = text;
  }

  /** Finishes the first `count` unfinished lines; the next `update` comes without them. */
  finishLines(count: number): void {
    const lines = this.liveText.split("\n").slice(0, count);
    const liveRest = this.liveText.slice(lines.join("\n").length + 1);
    keepSelection(this.code, () => {
      this.live.data = liveRest;
      this.liveText = liveRest;
      this.addLines(lines, "\n");
    });
  }

  finish(): void {
    const text = this.liveText;
    const isEnded = text.endsWith("\n");
    const lines = (isEnded ? text.slice(0, -1) : text).split("\n");
    keepSelection(this.code, () => {
      this.live.remove();
      this.liveText = "";
      if (text !== "") this.addLines(lines, isEnded ? "\n" : "");
    });
    this.isFinished = true;
    if (this.session === undefined) this.join();
    else this.session.end();
  }

  /** Adds finished lines, with `end` after the last line. */
  private addLines(lines: readonly string[], end: "\n" | ""): void {
    for (let from = 0; from < lines.length;) {
      if (this.partLines === LINES_A_PART) {
        this.part = makeElement(this.document, "span", { class: CODE_PART_CLASS });
        this.partLines = 0;
        // Checked here: at the end, the parts have the highlighter's many spans, which have a class only.
        sanitizeElement(this.part);
        if (this.live.parentNode === this.code) this.code.insertBefore(this.part, this.live);
        else this.code.append(this.part);
      }
      const next = Math.min(lines.length, from + LINES_A_PART - this.partLines);
      this.partLines += next - from;
      this.addToPart(lines.slice(from, next), next === lines.length ? end : "\n");
      from = next;
    }
  }

  private addToPart(lines: readonly string[], end: "\n" | ""): void {
    const text = lines.join("\n") + end;
    if (this.session === undefined) {
      this.insert(this.plain(text));
      return;
    }
    const stop = lines.findIndex(
      (line) => line.length > MAX_CODE_LINE_LENGTH || findHiddenCharacters(line).length > 0,
    );
    const good = stop < 0 ? lines : lines.slice(0, stop);
    if (good.length > 0) {
      const node = this.document.createTextNode(stop < 0 ? text : `${good.join("\n")}\n`);
      this.waiting.push(node);
      this.insert(node);
      this.session.add(good);
    }
    if (stop < 0) return;
    this.session.end();
    this.session = undefined;
    this.insert(this.plain(lines.slice(stop).join("\n") + end));
  }

  private insert(node: Node): void {
    if (this.live.parentNode === this.part) this.part.insertBefore(node, this.live);
    else this.part.append(node);
  }

  /**
   * Returns text with a mark around each hidden character. The character stays in the text for
   * copying.
   */
  private plain(text: string): Node {
    const hidden = findHiddenCharacters(text);
    if (hidden.length === 0) return this.document.createTextNode(text);
    const fragment = this.document.createDocumentFragment();
    let from = 0;
    for (const { index, length, name } of hidden) {
      fragment.append(text.slice(from, index));
      const mark = makeElement(this.document, "span", { class: "hidden-character", title: name });
      mark.append(text.slice(index, index + length));
      sanitizeElement(mark);
      fragment.append(mark);
      from = index + length;
    }
    fragment.append(text.slice(from));
    return fragment;
  }

  paint(tokens: Uint32Array, from: number, shouldStop: () => boolean): number {
    let at = from;
    keepSelection(this.code, () => (at = this.paintLines(tokens, from, shouldStop)));
    return at;
  }

  private paintLines(tokens: Uint32Array, from: number, shouldStop: () => boolean): number {
    let at = from;
    while (at < tokens.length && !shouldStop()) {
      const node = this.waiting[0];
      if (node === undefined) return tokens.length;
      const { data } = node;
      const fragment = this.document.createDocumentFragment();
      let offset = 0;
      while (at < tokens.length && offset < data.length) {
        const lineBreak = data.indexOf("\n", offset);
        const next = lineBreak < 0 ? data.length : lineBreak + 1;
        at = this.paintLine(fragment, data, offset, next, tokens, at);
        offset = next;
      }
      if (offset >= data.length) {
        this.waiting.shift();
        node.replaceWith(fragment);
      } else {
        node.parentNode?.insertBefore(fragment, node);
        node.deleteData(0, offset);
      }
    }
    return at;
  }

  /** Adds the nodes of a line; the line end belongs to the last token. */
  private paintLine(
    parent: DocumentFragment,
    data: string,
    start: number,
    end: number,
    tokens: Uint32Array,
    at: number,
  ): number {
    const count = tokens[at] ?? 0;
    let from = start;
    for (let token = 0; token < count; token++) {
      const column = tokens[at + 1 + token * 2] ?? 0;
      const style = tokens[at + 2 + token * 2] ?? 0;
      const to = token === count - 1 ? end : Math.min(end, start + column);
      this.paintToken(parent, data.slice(from, to), style);
      from = to;
    }
    if (from < end) this.paintToken(parent, data.slice(from, end), 0);
    return at + 1 + count * 2;
  }

  private paintToken(parent: DocumentFragment, text: string, style: number): void {
    const node = this.document.createTextNode(text);
    if (style === 0) {
      parent.appendChild(node);
      return;
    }
    const span = this.document.createElement("span");
    span.className = styleClass(style);
    span.appendChild(node);
    parent.appendChild(span);
  }

  postponePainting(): void {
    this.resolve?.();
  }

  finishPainting(): void {
    this.session = undefined;
    this.waiting.length = 0;
    if (this.isFinished) this.join();
    this.resolve?.();
  }

  /** Joins adjacent text nodes, so that the DOM does not depend on how the text arrived. */
  private join(): void {
    this.code.normalize();
  }
}
