/** Tracks strings and comments across lines, so that their content is not classified as code. */
export class OpenLiterals {
  private closing: string | undefined;

  constructor(private readonly languageId: string) {}

  /** True inside a string or comment that previous lines left open. */
  get isInside(): boolean {
    return this.closing !== undefined;
  }

  /** True inside a string, where blanks are content. */
  get isInString(): boolean {
    return this.closing !== undefined && /^[`"']/.test(this.closing);
  }

  follow(line: string): void {
    const hasTemplates = /script|vue|svelte/.test(this.languageId);
    // A search for the end of a string from each escaped quotation mark takes quadratic time.
    const mark = /"""|'''|\/\*|<!--|\/\/|`|(?<!\\)"(?:[^"\\]|\\.)*"|(?<!\\)'(?:[^'\\]|\\.)*'/g;
    let at = 0;
    for (;;) {
      if (this.closing !== undefined) {
        const end = line.indexOf(this.closing, at);
        if (end === -1) return;
        at = end + this.closing.length;
        this.closing = undefined;
      }
      mark.lastIndex = at;
      const found = mark.exec(line)?.[0];
      if (found === undefined || found === "//") return;
      at = mark.lastIndex;
      if (found === "/*") this.closing = "*/";
      else if (found === "<!--") this.closing = "-->";
      else if (found === '"""' || found === "'''") this.closing = found;
      else if (found === "`" && hasTemplates) this.closing = "`";
    }
  }
}
