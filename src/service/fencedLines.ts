/** Follows the lines of a growing Markdown text: the current line, and the fence around it. */
export class FencedLines {
  private fence: { readonly mark: string; readonly length: number } | undefined;
  /** Current line up to the end of the text; only its last `MAX_LINE` code units. */
  line = "";

  get isFenced(): boolean {
    return this.fence !== undefined;
  }

  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.endLine(this.line + text.slice(start, end));
      this.line = "";
      start = end + 1;
    }
    this.line += text.slice(start);
    if (this.line.length > 2 * MAX_LINE) this.line = this.line.slice(-MAX_LINE);
  }

  /** Opens or closes a fence, as CommonMark says; the indentation of lists is ignored. */
  private endLine(line: string): void {
    if (!line.includes("```") && !line.includes("~~~")) return;
    const fence = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line);
    const run = fence?.[1] ?? "";
    const mark = run[0];
    if (fence === null || mark === undefined) return;
    const info = line.slice(fence[0].length);
    if (this.fence === undefined) {
      if (mark === "~" || !info.includes("`")) this.fence = { mark, length: run.length };
    } else if (mark === this.fence.mark && run.length >= this.fence.length && info.trim() === "") {
      this.fence = undefined;
    }
  }
}

/** Longest line that is kept, in UTF-16 units. */
const MAX_LINE = 4096;
