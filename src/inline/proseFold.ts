/**
 * Extracts the text of a reply for documents in which prose and fences are content: Markdown and
 * plain text. Uses the whole reply, except for a fence around the text and the prose outside that
 * fence.
 */
import { withoutBlankEnds } from "./blockLines";
import { closesFence, contentOf, openingFence, type Fence } from "./fences";
import { applyPatch, isPatchLabel, readPatch } from "./patch";

/** Labels of a fence that a model puts around a whole text. */
const LABELS = new Set(
  ["", "md", "markdown", "mdx", "rst", "asciidoc", "adoc"].concat(
    "text txt plaintext plain".split(" "),
  ),
);

/** Upper limit of introductory lines before the fence around the text. */
const MAX_LEAD_LINES = 3;

/** Collects the lines of a reply, in order. */
export class ProseFold {
  /** Lines before a fence around the text, or all lines without such a fence. */
  private readonly bare: string[] = [];
  private given = 0;
  private fence: Fence | undefined;
  private nested = 0;
  private isOver = false;

  /** True when prose outside the text was left out. */
  hasWordsAround = false;

  /** True inside a fence around the text. */
  get isFenced(): boolean {
    return this.fence !== undefined;
  }

  /**
   * Accepts a line; returns the next lines, or "restart" when the lines returned before are not the
   * text.
   */
  take(line: string): readonly string[] | "restart" {
    if (this.isOver) {
      this.hasWordsAround ||= line.trim() !== "";
      return [];
    }
    if (this.fence !== undefined) return this.takeFenced(line, this.fence);
    const fence = openingFence(line);
    if (fence !== undefined && this.isAround(fence)) {
      this.hasWordsAround = this.bare.some((one) => one.trim() !== "");
      this.fence = fence;
      return "restart";
    }
    this.bare.push(line);
    if (line.trim() === "") return [];
    const lines = this.bare.slice(this.given);
    this.given = this.bare.length;
    return lines;
  }

  /**
   * Returns the lines after applying a reply that is only a diff; undefined for any other reply.
   */
  patched(target: readonly string[]): readonly string[] | undefined {
    const lines = withoutBlankEnds(this.bare);
    const fence = openingFence(lines[0] ?? "");
    if (fence === undefined || !isPatchLabel(fence.label)) return undefined;
    if (lines.length < 2 || !closesFence(lines.at(-1) ?? "", fence)) return undefined;
    const sections = readPatch(lines.slice(1, -1));
    return sections && applyPatch(sections, target)?.lines;
  }

  private takeFenced(line: string, around: Fence): readonly string[] {
    if (closesFence(line, around)) {
      if (this.nested === 0) {
        this.isOver = true;
        return [];
      }
      this.nested--;
    } else {
      const inner = openingFence(line);
      const isInner = inner?.mark === around.mark && inner.length >= around.length;
      if (isInner && inner.label !== "") this.nested++;
    }
    return [contentOf(line, around)];
  }

  /** Returns true for a fence around the answer, which may also be part of the answer. */
  private isAround(fence: Fence): boolean {
    const lead = this.bare.filter((line) => line.trim() !== "");
    if (lead.length === 0) return fence.length > 3 || LABELS.has(fence.label);
    const isNamed = fence.length > 3 || /^(?:md|markdown|mdx)$/.test(fence.label);
    const isIntroduced = lead.length <= MAX_LEAD_LINES && /[:：]\**\s*$/.test(lead.at(-1) ?? "");
    return isNamed && isIntroduced;
  }
}
