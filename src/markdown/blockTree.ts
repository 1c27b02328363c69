/**
 * Tree of a reply's blocks as plain values, built from markdown-it's flat tokens. Lines are 0-based
 * within the parsed text, `end` exclusive. Inline text stays Markdown source.
 */
import type { Token } from "markdown-it";

interface Lines {
  readonly start: number;
  readonly end: number;
}

export interface RootBlock extends Lines {
  readonly kind: "root";
  readonly children: readonly Block[];
}

export interface QuoteBlock extends Lines {
  readonly kind: "quote";
  readonly children: readonly Block[];
}

export interface ListBlock extends Lines {
  readonly kind: "list";
  readonly isOrdered: boolean;
  /** Number of the first item; 1 for a bullet list. */
  readonly first: number;
  /** Bullet, or the character after the number. */
  readonly marker: string;
  /** True if blank lines separate the items; undefined while all items are empty. */
  readonly isLoose: boolean | undefined;
  readonly children: readonly ItemBlock[];
}

export interface ItemBlock extends Lines {
  readonly kind: "item";
  /** Marker as written, without spaces: "-", "12." */
  readonly marker: string;
  /** Columns from the start of the list's line to the item's text. */
  readonly width: number;
  readonly children: readonly Block[];
}

export interface ParagraphBlock extends Lines {
  readonly kind: "paragraph";
  readonly content: string;
  /** Set for the first paragraph of a task; `content` excludes the checkbox. */
  readonly task: "open" | "done" | undefined;
}

/** Paragraph that no list makes tight: text nested too deeply, or a formula without end. */
export interface TextBlock extends Lines {
  readonly kind: "text";
  readonly content: string;
  /** Unclosed formula without its opening mark; undefined for other text. */
  readonly formula: string | undefined;
}

export interface HeadingBlock extends Lines {
  readonly kind: "heading";
  /** 1 to 6. */
  readonly level: number;
  readonly content: string;
}

export interface CodeBlock extends Lines {
  readonly kind: "code";
  readonly isFenced: boolean;
  /** First word of the info string with entities and escapes resolved; "" if none. */
  readonly language: string;
  /** The rest of the info string. */
  readonly label: string;
  /** The code, ending in "\n" unless empty. */
  readonly content: string;
}

export interface MathBlock extends Lines {
  readonly kind: "math";
  readonly content: string;
}

export interface RuleBlock extends Lines {
  readonly kind: "rule";
}

export interface TableBlock extends Lines {
  readonly kind: "table";
  readonly alignments: readonly ("" | "left" | "center" | "right")[];
  /** Sources of the cells; the first row is the head. Other rows may have fewer cells. */
  readonly rows: readonly (readonly string[])[];
  /** Line of each row. */
  readonly lines: readonly number[];
}

/** Content of a table's token. */
export type TableContent = Pick<TableBlock, "alignments" | "rows" | "lines">;

/** Link definition, which shows nothing. */
export interface DefinitionBlock extends Lines {
  readonly kind: "definition";
  readonly label: string;
}

export type ContainerBlock = RootBlock | QuoteBlock | ListBlock | ItemBlock;
export type LeafBlock =
  | ParagraphBlock
  | TextBlock
  | HeadingBlock
  | CodeBlock
  | MathBlock
  | RuleBlock
  | TableBlock
  | DefinitionBlock;
export type Block = Exclude<ContainerBlock, RootBlock> | LeafBlock;

/** Builds the tree from all tokens of markdown-it's block parser. */
export function blockTree(tokens: readonly Token[]): RootBlock {
  const reader = new TokenReader(tokens);
  const children = reader.children();
  return { kind: "root", start: 0, end: children.at(-1)?.end ?? 0, children };
}

/**
 * `info` of the paragraph that parser.ts inserts at the start of a list item to detect tightness.
 */
export const TIGHTNESS_MARKER = "tightness";

const TASK = /^\[([ xX])\][ \t\n]+(?=\S)/;

class TokenReader {
  private at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  /** Reads up to the closing token of the current container, or to the end. */
  children(): Block[] {
    const blocks: Block[] = [];
    for (;;) {
      const token = this.tokens[this.at];
      if (token === undefined) return blocks;
      this.at++;
      if (token.nesting < 0) return blocks;
      const block = this.block(token);
      if (block !== undefined) blocks.push(block);
    }
  }

  private block(token: Token): Block | undefined {
    const [start, end] = token.map ?? [0, 0];
    const lines = { start, end };
    switch (token.type) {
      case "paragraph_open":
        if (token.info !== TIGHTNESS_MARKER)
          return { kind: "paragraph", ...lines, content: this.inline(), task: undefined };
        this.at += 2;
        return undefined;
      case "heading_open":
        return { kind: "heading", ...lines, level: Number(token.tag[1]), content: this.inline() };
      case "fence":
      case "code_block":
        return codeBlock(token, lines);
      case "text_block":
        return { kind: "text", ...lines, content: token.content, formula: openFormula(token) };
      case "math_block":
        return { kind: "math", ...lines, content: token.content };
      case "hr":
        return { kind: "rule", ...lines };
      case "reference_definition":
        return { kind: "definition", ...lines, label: labelOf(token) };
      case "table":
        return { kind: "table", ...lines, ...(token.meta as unknown as TableContent) };
      case "blockquote_open":
        return { kind: "quote", ...lines, children: this.children() };
      case "bullet_list_open":
      case "ordered_list_open":
        return this.list(token, lines);
      case "list_item_open":
        return this.item(token, lines);
      default:
        return undefined;
    }
  }

  private inline(): string {
    const content = this.tokens[this.at]?.content ?? "";
    this.at += 2;
    return content;
  }

  private list(token: Token, lines: Lines): ListBlock {
    const from = this.at;
    const children = this.children().filter((child) => child.kind === "item");
    return {
      kind: "list",
      ...lines,
      isOrdered: token.type === "ordered_list_open",
      first: Number(token.attrGet("start") ?? 1),
      marker: token.markup,
      isLoose: this.isLoose(from, token.level + 2),
      children,
    };
  }

  /** Reads looseness from the first marker paragraph of the list that starts at token `from`. */
  private isLoose(from: number, level: number): boolean | undefined {
    for (let at = from; at < this.at; at++) {
      const token = this.tokens[at];
      if (token?.info === TIGHTNESS_MARKER && token.level === level) return !token.hidden;
    }
    return undefined;
  }

  private item(token: Token, lines: Lines): ItemBlock {
    const children = this.children();
    const [first] = children;
    const isText = first?.kind === "paragraph" && first.start === lines.start;
    const box = isText ? TASK.exec(first.content) : null;
    if (isText && box !== null) {
      const content = first.content.slice(box[0].length);
      children[0] = { ...first, content, task: box[1] === " " ? "open" : "done" };
    }
    const width = Number(token.meta?.["width"]);
    return { kind: "item", ...lines, marker: token.info + token.markup, width, children };
  }
}

function openFormula({ markup, content }: Token): string | undefined {
  if (markup === "") return undefined;
  return markup.startsWith("\\begin") ? content : content.slice(markup.length).trim();
}

/** Returns the label of a link definition's token. */
function labelOf(token: Token): string {
  const label = token.meta?.["label"];
  return typeof label === "string" ? label : "";
}

function codeBlock(token: Token, lines: Lines): CodeBlock {
  const info = token.info.trim();
  const language = /^\S*/.exec(info)?.[0] ?? "";
  return {
    kind: "code",
    ...lines,
    isFenced: token.type === "fence",
    language,
    label: info.slice(language.length).trim(),
    content: token.content,
  };
}
