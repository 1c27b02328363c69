/**
 * A reply for a document in which prose and fences are content: Markdown, plain text. All of it is taken,
 * but for a fence around the whole text and the words outside that fence.
 */
import { withoutBlankEnds } from "./blockLines";
import { closesFence, contentOf, openingFence, type Fence } from "./fences";
import { applyPatch, isPatchLabel, readPatch } from "./patch";

/** Labels of the fence a model puts around a whole text. */
const LABELS = new Set(
  ["", "md", "markdown", "mdx", "rst", "asciidoc", "adoc"].concat(
    "text txt plaintext plain".split(" "),
  ),
);

/** So many lines before the fence around the text are an introduction. */
const MAX_LEAD_LINES = 3;

/** Collects the lines, in order. */
export class ProseFold {
  /** Lines before a fence around the text, or all lines where there is none. */
  private readonly bare: string[] = [];
  private given = 0;
  private fence: Fence | undefined;
  private nested = 0;
  private isOver = false;

  /** True when words outside the text were left out. */
  hasWordsAround = false;

  /** True inside a fence around the text. */
  get isFenced(): boolean {
    return this.fence !== undefined;
  }

  /** Takes a line; gives those that come next, or "restart" when those before are not the text. */
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

  /** The lines with the diff applied that is the whole reply; undefined for any other reply. */
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

  /** True for a fence around the answer; it may also be part of the answer. */
  private isAround(fence: Fence): boolean {
    const lead = this.bare.filter((line) => line.trim() !== "");
    if (lead.length === 0) return fence.length > 3 || LABELS.has(fence.label);
    const isNamed = fence.length > 3 || /^(?:md|markdown|mdx)$/.test(fence.label);
    const isIntroduced = lead.length <= MAX_LEAD_LINES && /[:：]\**\s*$/.test(lead.at(-1) ?? "");
    return isNamed && isIntroduced;
  }
}
