/**
 * Converts a reply to plain text for screen readers, line by line without Markdown marks. The
 * caller passes localized labels for information that only marks express, such as a heading's
 * level.
 */
import type { Token } from "markdown-it";
import type { Block, ContainerBlock, LeafBlock, ListBlock } from "./blockTree";
import { markdownLength, normalizeText } from "./limits";
import { createParser, type LinkReference, type MarkdownParser } from "./parser";

export interface PlainTextLabels {
  heading(level: number): string;
  /** @param language as written, "" if none */
  codeStart(language: string): string;
  readonly codeEnd: string;
  readonly quote: string;
  readonly formula: string;
  /** @param row 1-based, the head not counted; 0 is the head */
  tableRow(row: number): string;
  readonly taskDone: string;
  readonly taskOpen: string;
}

/**
 * Converts the whole reply. Blocks are separated by an empty line; there is no line end at the end.
 */
export function plainText(message: string, labels: PlainTextLabels): string {
  const text = normalizeText(message);
  const length = markdownLength(text);
  const parser = createParser();
  const { root, definitions } = parser.blocks(text.slice(0, length));
  const plain = new PlainTextWriter(parser, definitions, labels).container(root);
  return [plain, text.slice(length)].filter((part) => part !== "").join("\n\n");
}

class PlainTextWriter {
  constructor(
    private readonly parser: MarkdownParser,
    private readonly definitions: ReadonlyMap<string, LinkReference>,
    private readonly labels: PlainTextLabels,
  ) {}

  container(container: ContainerBlock, between = "\n\n"): string {
    return container.children
      .map((block) => this.block(block))
      .filter((text) => text !== "")
      .join(between);
  }

  private block(block: Block): string {
    switch (block.kind) {
      case "list":
        return this.list(block);
      case "item":
        return this.container(block);
      case "quote":
        return `${this.labels.quote}\n${this.container(block)}`;
      default:
        return this.leaf(block);
    }
  }

  private leaf(block: LeafBlock): string {
    const { labels } = this;
    switch (block.kind) {
      case "paragraph": {
        const text = this.inline(block.content);
        if (block.task === undefined) return text;
        return `${block.task === "done" ? labels.taskDone : labels.taskOpen} ${text}`;
      }
      case "heading":
        return `${labels.heading(block.level)} ${this.inline(block.content)}`;
      case "code":
        return `${labels.codeStart(block.language)}\n${block.content.replace(/(?<!\n)$/, "\n")}${labels.codeEnd}`;
      case "math":
        return `${labels.formula} ${block.content.trim()}`;
      case "table":
        return block.rows
          .map((cells, row) => {
            const texts = cells.map((cell) => this.inline(cell, true).replaceAll("\n", " "));
            return `${labels.tableRow(row)} ${texts.join(" | ")}`;
          })
          .join("\n");
      case "text":
        return block.content;
      case "rule":
      case "definition":
        return "";
    }
  }

  private list({ children, isOrdered, first, isLoose }: ListBlock): string {
    return children
      .map((item, index) => {
        const marker = isOrdered ? `${first + index}. ` : "- ";
        const text = this.container(item, isLoose === true ? "\n\n" : "\n");
        return marker + text.replaceAll(/\n(?=.)/g, `\n${" ".repeat(marker.length)}`);
      })
      .join("\n");
  }

  private inline(source: string, isTableCell = false): string {
    return plainInline(this.parser, this.definitions, source, isTableCell);
  }
}

/** Returns the text of a paragraph or cell without Markdown marks; the address of a link follows it. */
export function plainInline(
  parser: MarkdownParser,
  definitions: ReadonlyMap<string, LinkReference>,
  source: string,
  isTableCell: boolean,
): string {
  const tokens = parser.inline(source, {
    reference: (label) => definitions.get(label),
    isTableCell,
  });
  let text = "";
  const links: { href: string; from: number }[] = [];
  for (const token of tokens) {
    if (token.type === "link_open") {
      links.push({ href: String(token.attrGet("href") ?? ""), from: text.length });
    } else if (token.type === "link_close") {
      const link = links.pop();
      // A bare address is not repeated.
      if (link && !link.href.endsWith(text.slice(link.from))) text += ` (${link.href})`;
    } else {
      text += plainOf(token);
    }
  }
  return text;
}

/** Returns the text of a token without children; marks have none. */
function plainOf(token: Token): string {
  if (token.type === "softbreak" || token.type === "hardbreak") return "\n";
  if (token.type === "image") return `${token.content} (${String(token.attrGet("src") ?? "")})`;
  return token.nesting === 0 ? token.content : "";
}
