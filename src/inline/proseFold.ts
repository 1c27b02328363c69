/**
 * Extracts the text of a reply for documents in which prose and fences are content: Markdown and
 * plain text. Uses the text in a fence around it, or the whole reply without the chat at both ends.
 * Text without a fence is used at the end of the reply, unless it begins like the lines to rewrite.
 */
import { withLeftOut } from "./blockLines";
import type { Rejection } from "./blockReader";
import { isAnswerToUser, isIntroduction, withoutChat } from "./chatText";
import { closesFence, contentOf, openingFence, type Fence } from "./fences";
import { isLeftOut } from "./leftOut";
import { withoutWrapperTags } from "./lineKind";
import { applyPatch, isPatchLabel, isSearchMarker, readPatch, startsPatch } from "./patch";

/** Labels of a fence that a model puts around Markdown. */
const MARKDOWN_LABELS = new Set("md markdown mdx rst asciidoc adoc".split(" "));

/** Labels of a fence that a model puts around a whole text. */
const LABELS = new Set(["", ..."text txt plaintext plain".split(" "), ...MARKDOWN_LABELS]);

/** Upper limit of introductory lines before the fence around the text. */
const MAX_LEAD_LINES = 3;

/** Minimum number of letters and digits that proves a line was repeated, not written by chance. */
const MIN_LETTERS = 8;

/** Text for the document, or the reason why there is none. */
export type ProseFound =
  | { readonly lines: readonly string[]; readonly isPlaced: boolean }
  | { readonly rejection: Rejection };

/** Collects the lines of a reply, in order. */
export class ProseFold {
  /** Lines before a fence around the text, or all lines without such a fence. */
  private readonly bare: string[] = [];
  private given = 0;
  private fence: Fence | undefined;
  private readonly fenced: string[] = [];
  private readonly around: string[] = [];
  /** Fences that are open in the text, outermost first. */
  private readonly inner: { readonly fence: Fence; readonly line: number }[] = [];
  private isOver = false;
  private isStreaming = false;
  private hasGap = false;
  private isWrapped = false;
  private hasWords = false;
  private readonly known: ReadonlySet<string>;

  constructor(
    private readonly target: readonly string[],
    private readonly languageId: string,
  ) {
    this.known = new Set(target.map((line) => line.trim()));
  }

  /** True when prose outside the text was left out. */
  get hasWordsAround(): boolean {
    return this.hasWords;
  }

  /**
   * Accepts a line; returns the next lines, or "restart" when the lines returned before are not the
   * text.
   */
  take(raw: string): readonly string[] | "restart" {
    if (this.isOver) {
      this.around.push(raw);
      return [];
    }
    if (this.fence !== undefined) return this.takeFenced(raw, this.fence);
    const line = this.withoutTags(raw);
    if (line === undefined) return [];
    const fence = openingFence(line);
    if (fence !== undefined && this.isAround(fence)) {
      this.fence = fence;
      return "restart";
    }
    this.bare.push(line);
    this.hasGap ||= this.isGap(line);
    if (line.trim() === "" || this.hasGap) return [];
    this.isStreaming ||= this.given === 0 && this.beginsLikeTarget();
    if (!this.isStreaming) return [];
    const lines = this.bare.slice(this.given);
    this.given = this.bare.length;
    return lines;
  }

  /**
   * Returns the text of the whole reply.
   * @param isWhole false for a reply that was cut: only text that is clearly for the document is used
   */
  end(isWhole: boolean): ProseFound {
    if (this.fence !== undefined) {
      this.closeLast();
      const { bare, around } = this;
      if (!isWhole || !this.isBetterOutside()) {
        this.hasWords = [...bare, ...around].some((one) => one.trim() !== "");
        return this.found(this.fenced);
      }
    } else if (!isWhole && !this.isStreaming) return { rejection: { kind: "no-code" } };
    const lines = this.wholeReply();
    if (!isWhole) return this.found(lines);
    const patched = this.patched(lines);
    if (patched !== undefined) return patched;
    const text = withoutChat(lines, this.target);
    if (text.lines.length === 0) return { rejection: { kind: "no-code" } };
    if (isAnswerToUser(text.lines, this.target)) {
      return { rejection: { kind: "doubtful", lines: text.lines } };
    }
    this.hasWords = text.hasWordsAround;
    return this.found(text.lines);
  }

  /** Returns a line without the tags around the answer; undefined for a line of tags only. */
  private withoutTags(line: string): string | undefined {
    if (this.known.has(line.trim())) return line;
    const text = withoutWrapperTags(line, "html");
    const isAtStart = this.bare.every((one) => one.trim() === "");
    if (text === line || (!isAtStart && !this.isWrapped)) return line;
    this.isWrapped = true;
    return text.trim() === "" ? undefined : text;
  }

  private takeFenced(line: string, around: Fence): readonly string[] {
    const content = contentOf(line, around);
    const last = this.inner.at(-1);
    if (last !== undefined && closesFence(content, last.fence)) this.inner.pop();
    else if (last === undefined && closesFence(line, around)) {
      if (this.looksOpening()) this.openInner(content);
      else {
        this.isOver = true;
        return [];
      }
    } else if (last === undefined) this.openInner(content);
    this.fenced.push(content);
    this.hasGap ||= this.isGap(content);
    return this.hasGap ? [] : [content];
  }

  private openInner(content: string): void {
    const fence = openingFence(content);
    if (fence === undefined || fence.mark !== this.fence?.mark) return;
    // A shorter fence cannot end the text.
    if (fence.length >= this.fence.length) this.inner.push({ fence, line: this.fenced.length });
  }

  /**
   * Returns true if a fence without a label opens a block of the text rather than closes the text:
   * the fence around the text directly follows its last line.
   */
  private looksOpening(): boolean {
    const filled = this.fenced.findLast((line) => line.trim() !== "");
    if (filled === undefined || (this.fence?.length ?? 0) > 3) return false;
    return this.fenced.at(-1)?.trim() === "" || /[:：]\**\s*$/.test(filled);
  }

  /** Ends the text at a fence that was taken for the start of a block but has no end. */
  private closeLast(): void {
    const [first] = this.inner;
    if (this.isOver || first === undefined || first.fence.label !== "") return;
    const rest = this.fenced.splice(first.line).slice(1);
    this.around.push(...rest);
    this.fenced.length = this.fenced.findLastIndex((line) => line.trim() !== "") + 1;
  }

  /** Returns true for a fence around the answer, which may also be part of the answer. */
  private isAround(fence: Fence): boolean {
    const lead = this.bare.filter((line) => line.trim() !== "");
    const isPlainText = this.languageId === "plaintext";
    const isNamed = fence.length > 3 || MARKDOWN_LABELS.has(fence.label);
    if (lead.length === 0) return isNamed || LABELS.has(fence.label);
    if (this.isStreaming || lead.some((line) => this.isOfTarget(line))) return false;
    if (isPlainText && LABELS.has(fence.label)) {
      return !this.target.some((line) => openingFence(line) !== undefined);
    }
    const isShort = lead.length <= MAX_LEAD_LINES;
    const isSpoken = isIntroduction(lead[0] ?? "") || isIntroduction(lead.at(-1) ?? "");
    const isAnnounced = /[:：]\**\s*$/.test(lead.at(-1) ?? "");
    if (isNamed) return isSpoken || (isShort && isAnnounced) || this.hasTarget();
    return fence.label === "" && isShort && isAnnounced && isIntroduction(lead.at(-1) ?? "");
  }

  /**
   * Returns true if the words of the lines to rewrite are outside the fence: the fence is part of
   * the text then.
   */
  private isBetterOutside(): boolean {
    const outside = [...this.bare, ...this.around];
    if (!this.hasTarget() || outside.every((line) => line.trim() === "")) return false;
    return this.share(outside) > this.share(this.fenced);
  }

  private share(lines: readonly string[]): number {
    const words = wordsOf(this.target);
    const own = wordsOf(lines);
    return [...words].filter((word) => own.has(word)).length;
  }

  private wholeReply(): readonly string[] {
    const { fence, bare, fenced, around } = this;
    if (fence === undefined) return bare;
    const mark = fence.mark.repeat(fence.length);
    const closing = this.isOver ? [mark] : [];
    return [...bare, mark + fence.label, ...fenced, ...closing, ...around];
  }

  /** Applies a reply that is a diff; undefined for any other reply. */
  private patched(lines: readonly string[]): ProseFound | undefined {
    const isNew = (line: string) => !this.known.has(line.trim());
    const block = diffBlock(lines);
    const isUnfenced = lines.some(
      (line) => isNew(line) && (isSearchMarker(line) || startsPatch(line)),
    );
    if (block === undefined && !isUnfenced) return undefined;
    if (!this.hasTarget()) {
      // The user may have asked for an example of a diff.
      return { rejection: isUnfenced ? { kind: "diff" } : { kind: "doubtful", lines } };
    }
    for (const isStrict of [false, true]) {
      const sections = readPatch(block?.lines ?? lines, isStrict);
      const patched = sections && applyPatch(sections, this.target);
      if (patched === undefined) continue;
      this.hasWords = block?.hasWordsAround ?? false;
      return { lines: patched.lines, isPlaced: true };
    }
    return { rejection: { kind: "diff" } };
  }

  /** Returns the text with the target's lines in place of placeholders. */
  private found(lines: readonly string[]): ProseFound {
    const isGap = (line: string) => this.isGap(line);
    if (!lines.some(isGap)) return { lines, isPlaced: false };
    const filled = withLeftOut(lines, this.target, isGap);
    return filled ? { lines: filled, isPlaced: true } : { rejection: { kind: "left-out" } };
  }

  /** Returns true for a placeholder of left-out text; a heading is none. */
  private isGap(line: string): boolean {
    const isMarked = /^\s*(?:<!--|\[|\(|\*\(|\.{3}|…|\/\/)/.test(line);
    if (!isMarked || !isLeftOut(line) || this.known.has(line.trim())) return false;
    return this.hasTarget() || /^\s*<!--/.test(line);
  }

  private hasTarget(): boolean {
    return this.target.some((line) => line.trim() !== "");
  }

  private isOfTarget(line: string): boolean {
    return (
      this.known.has(line.trim()) && (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS
    );
  }

  /** Returns true if the first line is the target's first line, or a heading like that line. */
  private beginsLikeTarget(): boolean {
    const first = this.bare.find((line) => line.trim() !== "")?.trim() ?? "";
    const own = this.target.find((line) => line.trim() !== "")?.trim() ?? "";
    if (own === "") return false;
    return own === first || (/^#{1,6} /.test(own) && /^#{1,6} /.test(first));
  }
}

/** Returns the diff of a reply whose only block is a diff. */
function diffBlock(
  lines: readonly string[],
): { lines: readonly string[]; hasWordsAround: boolean } | undefined {
  const start = lines.findIndex((line) => openingFence(line) !== undefined);
  const fence = openingFence(lines[start] ?? "");
  if (fence === undefined || !isPatchLabel(fence.label)) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => closesFence(line, fence));
  const end = length === -1 ? lines.length : start + 1 + length;
  const around = [...lines.slice(0, start), ...lines.slice(end + 1)];
  if (around.some((line) => openingFence(line) !== undefined)) return undefined;
  if (around.filter((line) => line.trim() !== "").length > 2 * MAX_LEAD_LINES) return undefined;
  return {
    lines: lines.slice(start + 1, end),
    hasWordsAround: around.some((line) => line.trim() !== ""),
  };
}

function wordsOf(lines: readonly string[]): Set<string> {
  return new Set(lines.join("\n").match(/[\p{L}\p{N}_$]{2,}/gu));
}
