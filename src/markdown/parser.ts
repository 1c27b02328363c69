/**
 * The Markdown dialect of a reply, for both sides of the bridge: CommonMark 0.31 without raw HTML
 * (it shows as text), GitHub's tables, strikethrough, task lists and autolinks, footnotes, formulas.
 * Parsing only; nodes are built in webview/markdown.
 * Grammar: https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/
 */
import createMarkdownIt from "markdown-it";
import type { Env, StateBlock, Token } from "markdown-it";
import { autolinks, resolveReferences } from "./autolinks";
import { blockTree, TIGHTNESS_NOTE, type RootBlock } from "./blockTree";
import { cjkEmphasis } from "./emphasis";
import { footnotes, type FootnoteEnvironment } from "./footnotes";
import { MAX_NESTING } from "./limits";
import { math } from "./math";
import {
  cellBreaks,
  limitTableRows,
  type CellEnvironment,
  type TableEnvironment,
} from "./tableRows";

/** Where a link definition points. */
export interface LinkReference {
  readonly href: string;
  readonly title: string;
}

/** What is known when the text of a block is read; both are asked with normalised labels. */
export interface InlineEnvironment extends FootnoteEnvironment, CellEnvironment {
  readonly reference?: (label: string) => LinkReference | undefined;
}

/** A parser; holds no state between calls. */
export interface MarkupParser {
  /**
   * Reads the block structure of whole lines (line ends normalised). Text inside blocks stays source.
   * `definitions` are the link definitions found, the first of each label.
   */
  blocks(
    source: string,
    env?: TableEnvironment,
  ): { root: RootBlock; definitions: ReadonlyMap<string, LinkReference> };
  /** Reads the text of one block into markdown-it's inline tokens, autolinks found, text joined. */
  inline(source: string, env?: InlineEnvironment): Token[];
}

/** Options of the dialect. */
export interface ParserOptions {
  /** Whether bare addresses become links; default true. */
  readonly autolinks?: boolean;
}

/**
 * Leaves two notes at the start of a list item. The width of its marker, beside its opening token: the
 * columns its later lines are set in, all a renderer needs to go on inside an item without its first
 * lines. And an empty paragraph, which markdown-it hides if the list is tight: blockTree.ts reads there
 * what no token says otherwise.
 */
function noteItem(state: StateBlock): boolean {
  const opened = state.tokens.at(-1);
  if (opened?.type !== "list_item_open") return false;
  opened.meta = { width: state.blkIndent - state.listIndent };
  state.push("paragraph_open", "p", 1).info = TIGHTNESS_NOTE;
  state.push("inline", "", 0).children = [];
  state.push("paragraph_close", "p", -1);
  return false;
}

/** Shows what lies too deep as one paragraph; markdown-it alone would drop it. */
function stopNesting(state: StateBlock, start: number, end: number): boolean {
  if (state.level < MAX_NESTING) return false;
  let line = start + 1;
  while (line < end && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) line++;
  const token = state.push("text_block", "p", 0);
  token.content = state.getLines(start, line, state.blkIndent, false).trim();
  token.map = [start, line];
  state.line = line;
  return true;
}

/** What every bare address holds; asked first because looking for addresses is dear. */
const MAY_HOLD_AUTOLINK = /[:@]|www\./i;

/** Makes a parser of the dialect. */
export function createParser(options: ParserOptions = {}): MarkupParser {
  const md = createMarkdownIt({
    html: false,
    linkify: options.autolinks ?? true,
    // Inline levels; blocks are stopped earlier, by stopNesting.
    maxNesting: MAX_NESTING * 3,
  });
  // Which addresses can be followed is decided when links are made (linkPolicy.ts): a link that leads
  // nowhere still is one to the grammar.
  md.validateLink = () => true;
  md.use(math).use(footnotes).use(limitTableRows);
  md.block.ruler.before("table", "note_item", noteItem);
  md.block.ruler.before("table", "stop_nesting", stopNesting);
  md.use(autolinks).use(cjkEmphasis).use(cellBreaks);
  // Of the core's steps only these two work on the text of one block.
  md.core.ruler.enableOnly(["linkify", "text_join"]);
  const [findAutolinks, joinText] = md.core.ruler.getRules("");

  return {
    blocks(source, tableEnvironment = {}) {
      const references: Record<string, LinkReference> = Object.create(null) as never;
      const env: Env = { ...tableEnvironment, references };
      const tokens: Token[] = [];
      md.block.parse(source, md, env, tokens);
      for (const token of tokens) {
        if (token.type === "fence") token.info = md.utils.unescapeAll(token.info);
      }
      return {
        root: blockTree(tokens),
        definitions: new Map(Object.entries(references)),
      };
    },
    inline(source, environment = {}) {
      const env: Env = {
        hasFootnote: environment.hasFootnote,
        isTableCell: environment.isTableCell,
        references: new Proxy<Record<string, LinkReference>>(
          {},
          { get: (_target, label) => environment.reference?.(String(label)) },
        ),
      };
      const state = new md.core.State(source, md, env);
      const token = new state.Token("inline", "", 0);
      const children: Token[] = [];
      token.content = source;
      token.children = children;
      md.inline.parse(source, md, env, children);
      resolveReferences(md, children);
      state.tokens.push(token);
      if (MAY_HOLD_AUTOLINK.test(source)) findAutolinks?.(state);
      joinText?.(state);
      return token.children;
    },
  };
}
