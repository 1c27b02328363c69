/**
 * Parser of the Markdown dialect that host and webview share: CommonMark 0.31 without raw HTML
 * (shown as text), GitHub's tables, strikethrough, task lists and autolinks, formulas.
 * The renderer creates the DOM nodes. Grammar: https://spec.commonmark.org/0.31.2/ and
 * https://github.github.com/gfm/
 */
import createMarkdownIt, {
  type Env,
  type MarkdownIt,
  type StateBlock,
  type Token,
} from "markdown-it";
import { autolinks, resolveReferences } from "./autolinks";
import { blockTree, TIGHTNESS_MARKER, type RootBlock } from "./blockTree";
import { codeLikeText } from "./codeLikeText";
import { documentFences } from "./documentFences";
import { cjkEmphasis } from "./emphasis";
import { MAX_NESTING } from "./limits";
import { unwrapped } from "./lineEnds";
import { math } from "./math";
import { tableRows, type BlockEnvironment, type CellEnvironment } from "./tableRows";

/** Target of a link definition. */
export interface LinkReference {
  readonly href: string;
  readonly title: string;
}

/** Lookups for inline parsing, by normalized labels. */
export interface InlineEnvironment extends CellEnvironment {
  readonly reference?: (label: string) => LinkReference | undefined;
}

/** Parser without state between calls. */
export interface MarkdownParser {
  /**
   * Parses the block structure of whole lines with normalized line ends. Inline text stays source.
   * `definitions` are the link definitions, the first of each label.
   */
  blocks(
    source: string,
    env?: BlockEnvironment,
  ): { root: RootBlock; definitions: ReadonlyMap<string, LinkReference> };
  /**
   * Parses the text of a block into markdown-it's inline tokens, with autolinks and joined text.
   */
  inline(source: string, env?: InlineEnvironment): Token[];
  /** Returns a link label as `InlineEnvironment.reference` receives it. */
  labelKey(label: string): string;
}

export interface ParserOptions {
  /** Turns bare addresses into links; default true. */
  readonly autolinks?: boolean;
}

/**
 * Adds two markers at the start of a list item. `meta.width` of its opening token is the
 * indentation of its continuation lines, which a renderer needs to parse the inside of an item
 * without its first lines. An empty paragraph, hidden by markdown-it in a tight list, lets
 * blockTree.ts detect tightness, which no other token states.
 */
function markItem(state: StateBlock): boolean {
  const opened = state.tokens.at(-1);
  if (opened?.type !== "list_item_open") return false;
  opened.meta = { width: state.blkIndent - state.listIndent };
  state.push("paragraph_open", "p", 1).info = TIGHTNESS_MARKER;
  state.push("inline", "", 0).children = [];
  state.push("paragraph_close", "p", -1);
  return false;
}

/**
 * Parses content below the nesting limit as a single paragraph. markdown-it alone would drop the
 * content.
 */
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

/** Shows `[^1]: word` as text. CommonMark reads it as a link definition, which shows nothing. */
function refuseCaretLabels(md: MarkdownIt): void {
  const { ruler } = md.block;
  const rules = ruler.getRules("");
  ruler.disable("reference");
  const enabledRules = new Set(ruler.getRules(""));
  const linkDefinition = rules.find((rule) => !enabledRules.has(rule));
  ruler.enable("reference");
  ruler.at("reference", (state, start, end, silent) => {
    const from = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0);
    if (state.src.startsWith("[^", from)) return false;
    return linkDefinition?.(state, start, end, silent) ?? false;
  });
}

/** Matches any text with a bare address; the search for addresses itself is expensive. */
const MAY_HOLD_AUTOLINK = /[:@]|www\./i;

export function createParser(options: ParserOptions = {}): MarkdownParser {
  const md = createMarkdownIt({
    html: false,
    linkify: options.autolinks ?? true,
    // Limits inline levels. `stopNesting` limits blocks earlier.
    maxNesting: MAX_NESTING * 3,
  });
  // linkPolicy.ts decides which addresses can be followed. To the grammar, any address is a link.
  md.validateLink = () => true;
  md.use(math).use(documentFences).use(codeLikeText);
  refuseCaretLabels(md);
  md.block.ruler.before("table", "note_item", markItem);
  md.block.ruler.before("table", "stop_nesting", stopNesting);
  md.use(autolinks).use(cjkEmphasis).use(tableRows);
  // Only these two core rules apply to the text of a single block.
  md.core.ruler.enableOnly(["linkify", "text_join"]);
  const [findAutolinks, joinText] = md.core.ruler.getRules("");

  return {
    blocks(source, environment = {}) {
      const references: Record<string, LinkReference> = Object.create(null) as never;
      const env: Env = { ...environment, references };
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
    inline(text, environment = {}) {
      const source = unwrapped(text);
      const env: Env = {
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
    labelKey: (label) => md.utils.normalizeReference(label),
  };
}
