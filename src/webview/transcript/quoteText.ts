/**
 * Writes marked elements of a message as Markdown for the model: what is seen, not the source of the
 * message. Code of one block becomes a fence, tables become rows, formulas their source, the rest a
 * quotation.
 */
import { fenceFor } from "../../base/backticks";

/** Elements that are not part of what is read. */
const UNREAD = [
  "button, select, .code-header, .code-mark, .visually-hidden, [hidden]",
  ".has-points:not(.shows-source) > pre, .has-points.shows-source > .listed-points",
].join();

const BLOCKS =
  "P, H1, H2, H3, H4, H5, H6, PRE, UL, OL, LI, BLOCKQUOTE, TABLE, DIV, HR, SECTION, THEAD, TBODY, TR";
const BLOCK_NAMES: ReadonlySet<string> = new Set(BLOCKS.split(", "));

/** Returns the marked part of `root` as Markdown; "" if nothing of it is read. */
export function quoteText(range: Range, root: Element): string {
  const writer = new QuoteWriter(range);
  const code = writer.onlyCode(root);
  if (code !== undefined) return writer.block(code);
  return prefixed(writer.blocks(root), "> ", "> ");
}

class QuoteWriter {
  constructor(private readonly range: Range) {}

  /** Returns the code block that has the whole marking, if any. */
  onlyCode(root: Element): Element | undefined {
    const { commonAncestorContainer: node } = this.range;
    const element = node instanceof Element ? node : node.parentElement;
    const code = element?.closest("pre");
    if (code && root.contains(code)) return code;
    const filledBlocks = [...root.querySelectorAll("pre")].filter((pre) => this.text(pre) !== "");
    const [firstBlock] = filledBlocks;
    return filledBlocks.length === 1 &&
      firstBlock &&
      this.text(root).trim() === this.text(firstBlock).trim()
      ? firstBlock
      : undefined;
  }

  /** Writes the children of a container, blocks apart from each other by an empty line. */
  blocks(container: Element, between = "\n\n"): string {
    const written: string[] = [];
    let inline = "";
    const endInline = () => {
      written.push(collapsed(inline, container));
      inline = "";
    };
    for (const node of container.childNodes) {
      if (!this.range.intersectsNode(node)) continue;
      if (node instanceof Element && BLOCK_NAMES.has(node.tagName)) {
        endInline();
        written.push(this.block(node));
      } else inline += this.inline(node);
    }
    endInline();
    return written.filter((text) => text !== "").join(between);
  }

  block(element: Element): string {
    if (element.matches(UNREAD)) return "";
    switch (element.tagName) {
      case "PRE":
        return this.fence(element);
      case "UL":
      case "OL":
        return this.list(element);
      case "BLOCKQUOTE":
        return prefixed(this.blocks(element), "> ", "> ");
      case "TABLE":
        return this.table(element);
      case "HR":
        return "";
      default:
        if (element.matches(".math-block")) return collapsed(this.inline(element), element);
        return this.blocks(element);
    }
  }

  private fence(pre: Element): string {
    let text = this.text(pre);
    while (text.endsWith("\n")) text = text.slice(0, -1);
    if (text.trim() === "") return "";
    const block = pre.closest(".code-block");
    const info = [".code-language", ".code-label"]
      .map((name) => block?.querySelector(name)?.textContent.trim() ?? "")
      .filter((word) => word !== "")
      .join(" ");
    const fence = fenceFor(text);
    return `${fence}${info}\n${text}\n${fence}`;
  }

  private list(list: Element): string {
    const first = Number(list.getAttribute("start") ?? 1);
    const items = [...list.children].map((item, index) => {
      const marker = list.tagName === "OL" ? `${first + index}. ` : "- ";
      if (!this.range.intersectsNode(item)) return "";
      const text = this.blocks(item, "\n");
      return text === "" ? "" : prefixed(text, marker, " ".repeat(marker.length));
    });
    return items.filter((text) => text !== "").join("\n");
  }

  private table(table: Element): string {
    const rows = [...table.querySelectorAll("tr")].flatMap((row) => {
      if (!this.range.intersectsNode(row)) return [];
      const cells = [...row.children].map((cell) =>
        collapsed(this.inline(cell), cell).replaceAll("\n", "<br>").replaceAll("|", "\\|"),
      );
      if (cells.every((cell) => cell === "")) return [];
      const written = [`| ${cells.join(" | ")} |`];
      if (row.closest("thead")) written.push(`|${" --- |".repeat(cells.length)}`);
      return written;
    });
    return rows.join("\n");
  }

  /** Returns the text of a node in a line; a line break is "\n", other white space is as in the DOM. */
  private inline(node: Node): string {
    if (!this.range.intersectsNode(node)) return "";
    if (node instanceof Text)
      return keepsLines(node) ? this.clipped(node) : blanks(this.clipped(node));
    if (!(node instanceof Element)) return "";
    if (node instanceof HTMLElement && node.matches(".point-mark"))
      return node.dataset["source"] ?? node.textContent;
    if (node.matches(UNREAD)) return "";
    if (node.tagName === "BR") return "\n";
    if (node instanceof HTMLImageElement) return node.alt;
    if (node instanceof HTMLInputElement) return node.checked ? "[x] " : "[ ] ";
    if (node.matches(".math")) return formula(node);
    return [...node.childNodes].map((child) => this.inline(child)).join("");
  }

  private text(element: Element): string {
    if (element.matches(UNREAD) || !this.range.intersectsNode(element)) return "";
    return [...element.childNodes]
      .map((node) =>
        node instanceof Text ? this.clipped(node) : node instanceof Element ? this.text(node) : "",
      )
      .join("");
  }

  private clipped(node: Text): string {
    const { startContainer, startOffset, endContainer, endOffset } = this.range;
    if (!this.range.intersectsNode(node)) return "";
    const from = node === startContainer ? startOffset : 0;
    return node.data.slice(from, node === endContainer ? endOffset : undefined);
  }
}

/** Returns the source of a formula with its delimiters, whether it is drawn or not. */
function formula(element: Element): string {
  const source = element.querySelector("annotation")?.textContent;
  if (source === undefined) return element.textContent;
  const mark = element.matches(".math-block, .math-display") ? "$$" : "$";
  return `${mark}${source.trim()}${mark}`;
}

/** True for the text of a question, whose line ends are shown. */
function keepsLines({ parentElement }: Text): boolean {
  return parentElement?.closest(".question-text") !== null;
}

function blanks(text: string): string {
  return text.replaceAll(/[ \t\r]+/g, " ");
}

function collapsed(text: string, container: Element): string {
  if (container.closest(".question-text")) return text.replace(/^\n+/, "").trimEnd();
  return text
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .trim();
}

/** Puts `first` before the first line and `other` before the others. */
function prefixed(text: string, first: string, other: string): string {
  if (text === "") return "";
  const lines = text.split("\n").map((line, index) => (index === 0 ? first : other) + line);
  return lines.map((line) => line.trimEnd()).join("\n");
}
