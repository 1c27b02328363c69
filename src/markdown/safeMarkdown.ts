/**
 * Writes a reply as Markdown for VS Code's own views, which load images and follow any link. The
 * result has no images and no HTML, and its links are those of linkPolicy.ts. All text is escaped, so
 * that another parser reads the blocks that ours read.
 */
import type { Token } from "markdown-it";
import { fenceFor, longestBackticks } from "../base/backticks";
import type { Block, ContainerBlock, LeafBlock, ListBlock } from "./blockTree";
import { markdownLength, normalizeText } from "./limits";
import { linkKind } from "./linkPolicy";
import { createParser, type LinkReference } from "./parser";

const parser = createParser();

/** Converts the whole reply; an unfinished block of a streamed reply ends at its end. */
export function safeMarkdown(message: string): string {
  const text = normalizeText(message);
  const length = markdownLength(text);
  const { root, definitions } = parser.blocks(text.slice(0, length));
  const rest = text.slice(length);
  return [new SafeWriter(definitions).container(root), rest === "" ? "" : fenced(rest)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Returns text that Markdown shows as written. */
export function escapedMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<>~|&]/g, "\\$&")
      .replace(/^([ \t]*)([#+=-])/gm, "$1\\$2")
      .replace(/^([ \t]*\d+)([.)])/gm, "$1\\$2")
      // Before a link, the mark of an image.
      .replace(/!$/, "\\!")
  );
}

class SafeWriter {
  constructor(private readonly definitions: ReadonlyMap<string, LinkReference>) {}

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
        return this.container(block).replaceAll(/^/gm, "> ");
      case "footnote":
        return `\\[${escapedMarkdown(block.label)}\\] ${this.container(block)}`;
      default:
        return this.leaf(block);
    }
  }

  private leaf(block: LeafBlock): string {
    switch (block.kind) {
      case "paragraph": {
        const box = { open: "[ ] ", done: "[x] " };
        return (block.task ? box[block.task] : "") + this.inline(block.content);
      }
      case "heading":
        return `${"#".repeat(block.level)} ${oneLine(this.inline(block.content))}`;
      case "code":
        return fenced(block.content, block.language);
      case "math":
        return fenced(block.content.trim(), "latex");
      case "table": {
        const [head = [], ...rows] = block.rows.map((cells) =>
          cells.map((cell) => oneLine(this.inline(cell, true))),
        );
        return [head, head.map(() => "---"), ...rows]
          .map((cells) => `| ${cells.join(" | ")} |`)
          .join("\n");
      }
      case "text":
        return escapedMarkdown(block.content.replaceAll(/^[ \t]+/gm, ""));
      case "rule":
        return "***";
      case "definition":
        return "";
    }
  }

  private list({ children, isOrdered, first, isLoose }: ListBlock): string {
    return children
      .map((item, index) => {
        const marker = isOrdered ? `${first + index}. ` : "- ";
        const text = this.container(item);
        return marker + text.replaceAll(/\n(?=.)/g, `\n${" ".repeat(marker.length)}`);
      })
      .join(isLoose === true ? "\n\n" : "\n");
  }

  private inline(source: string, isTableCell = false): string {
    const tokens = parser.inline(source, {
      reference: (label) => this.definitions.get(label),
      hasFootnote: () => true,
      isTableCell,
    });
    const links: string[] = [];
    return tokens
      .map((token) => {
        if (token.type === "link_open") {
          links.push(targetOf(String(token.attrGet("href") ?? "")));
          return links.at(-1) === "" ? "" : "[";
        }
        if (token.type !== "link_close") return markdownOf(token, isTableCell);
        const target = links.pop() ?? "";
        return target && `](${target})`;
      })
      .join("");
  }
}

/** Returns the Markdown of a token without children. */
function markdownOf(token: Token, isTableCell: boolean): string {
  switch (token.type) {
    case "softbreak":
      return "\n";
    case "hardbreak":
      return "\\\n";
    case "code_inline":
    case "math_inline":
      return codeSpan(token.content, isTableCell);
    case "strong_open":
    case "strong_close":
      return "**";
    case "em_open":
    case "em_close":
      return "*";
    case "s_open":
    case "s_close":
      return "~~";
    case "footnote_reference":
      return `\\[${escapedMarkdown(token.content)}\\]`;
    case "image": {
      const address = String(token.attrGet("src") ?? "");
      const name = escapedMarkdown(oneLine(token.content) || address);
      const target = targetOf(address);
      return target === "" ? name : `[${name}](${target})`;
    }
    default:
      return token.nesting === 0 ? escapedMarkdown(token.content) : "";
  }
}

/** Returns the address of a link that may be followed, in angle brackets; empty for other links. */
function targetOf(address: string): string {
  return linkKind(address) === "web"
    ? `<${address.replaceAll(/[<>\\]/g, encodeURIComponent)}>`
    : "";
}

function codeSpan(code: string, isTableCell: boolean): string {
  const line = oneLine(isTableCell ? code.replaceAll("|", "\\|") : code);
  const marks = "`".repeat(longestBackticks(line) + 1);
  return `${marks} ${line} ${marks}`;
}

function fenced(code: string, language = ""): string {
  const marks = fenceFor(code);
  return `${marks}${language.replaceAll(/[^\w+#.-]/g, "")}\n${code.replace(/(?<!\n)$/, "\n")}${marks}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\\?\n/g, " ");
}
