/**
 * Extracts the text of a reply for documents in which prose and fences are content: Markdown and
 * plain text. Uses the text in the fence around it. Text without such a fence is used only if it
 * begins and ends like the lines to rewrite.
 */
import { withLeftOut, withoutBlankEnds } from "./blockLines";
import type { Rejection } from "./blockReader";
import { closesFence, contentOf, openingFence, type Fence } from "./fences";
import { isLeftOut } from "./leftOut";
import { isProvenText } from "./proof";
import { applyPatch, isPatchLabel, isSearchMarker, readPatch, startsPatch } from "./patch";

/** Labels of a fence that a model puts around Markdown. */
const MARKDOWN_LABELS = new Set("md markdown mdx rst asciidoc adoc".split(" "));

/** Labels of a fence that a model puts around a whole text. */
const LABELS = new Set(["", ..."text txt plaintext plain".split(" "), ...MARKDOWN_LABELS]);

/** Text for the document, or the reason why there is none. */
export type ProseFound =
  | { readonly lines: readonly string[]; readonly isPlaced: boolean }
  | { readonly rejection: Rejection };

/** Collects the lines of a reply, in order. */
export class ProseFold {
  /** Lines before a fence around the text, or all lines without such a fence. */
  private readonly bare: string[] = [];
  private fence: Fence | undefined;
  private readonly fenced: string[] = [];
  private readonly around: string[] = [];
  /** Fences that are open in the text, outermost first. */
  private readonly inner: { readonly fence: Fence; readonly line: number }[] = [];
  /** Open fence of a block that is not around the text. */
  private block: Fence | undefined;
  private isOver = false;
  private hasGap = false;
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

  /** Accepts a line; returns the next lines of the text. */
  take(line: string): readonly string[] {
    if (this.isOver) this.around.push(line);
    else if (this.fence !== undefined) return this.takeFenced(line, this.fence);
    else {
      const fence = openingFence(line);
      if (this.block !== undefined && closesFence(line, this.block)) this.block = undefined;
      else if (fence !== undefined && this.isAround(fence)) {
        this.fence = fence;
        return [];
      } else this.block ??= fence;
      this.bare.push(line);
    }
    return [];
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
    }
    const lines = withoutBlankEnds(this.wholeReply());
    if (!isWhole || lines.length === 0) return { rejection: { kind: "no-code" } };
    const patched = this.patched(lines);
    if (patched !== undefined) return patched;
    const text = this.onlyFence(lines) ?? (isProvenText(lines, this.target) ? lines : undefined);
    return text ? this.found(text) : { rejection: { kind: "doubtful", lines } };
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

  /** Returns the lines of a reply that is one fence and nothing else, unlike the lines to rewrite. */
  private onlyFence(lines: readonly string[]): readonly string[] | undefined {
    const [first = "", ...rest] = withoutBlankEnds(lines);
    const fence = openingFence(first);
    if (fence === undefined || this.hasFence(fence)) return undefined;
    const end = rest.findIndex((line) => closesFence(line, fence));
    return end === rest.length - 1 ? rest.slice(0, end) : undefined;
  }

  /** Returns true if the lines to rewrite have a fence with the same marks and label. */
  private hasFence({ mark, length, label }: Fence): boolean {
    return this.target.some((line) => {
      const own = openingFence(line);
      return own?.mark === mark && own.length === length && own.label === label;
    });
  }

  /** Returns true for a fence around the answer, which may also be part of the answer. */
  private isAround(fence: Fence): boolean {
    if (this.block !== undefined || this.hasFence(fence)) return false;
    // The question asks for a fence of four marks.
    if (fence.length > 3 || MARKDOWN_LABELS.has(fence.label)) return true;
    const isFirst = this.bare.every((line) => line.trim() === "");
    return LABELS.has(fence.label) && (isFirst || this.languageId === "plaintext");
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
  return {
    lines: lines.slice(start + 1, end),
    hasWordsAround: around.some((line) => line.trim() !== ""),
  };
}

function wordsOf(lines: readonly string[]): Set<string> {
  return new Set(lines.join("\n").match(/[\p{L}\p{N}_$]{2,}/gu));
}
