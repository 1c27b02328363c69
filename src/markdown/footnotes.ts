/**
 * Footnotes for markdown-it: `[^label]` and `[^label]: text`, as on GitHub. A reference is a
 * footnote only if `env.hasFootnote` confirms its label; the renderer thereby records labels that
 * are defined later. The renderer numbers and lists the footnotes.
 */
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** Environment of the inline rule. */
export interface FootnoteEnvironment {
  /** Checks if a normalized label is defined. */
  readonly hasFootnote?: (label: string) => boolean;
}

/**
 * Indentation of the continuation lines of a definition. Source: cmark-gfm and
 * markdown-it-footnote.
 */
export const FOOTNOTE_INDENT = 4;

/** Normalizes a label. Labels are compared without regard to case. */
export function footnoteLabel(label: string): string {
  return label.toLowerCase();
}

function footnoteDefinition(
  state: StateBlock,
  start: number,
  end: number,
  silent: boolean,
): boolean {
  if ((state.sCount[start] ?? 0) - state.blkIndent >= 4) return false;
  const from = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0);
  if (state.src.charCodeAt(from) !== 0x5b || state.src.charCodeAt(from + 1) !== 0x5e) return false;
  const line = state.src.slice(from, state.eMarks[start]);
  const label = /^\[\^([^\s[\]\\]{1,200})\]:/.exec(line)?.[1];
  if (label === undefined) return false;
  // A definition inside a definition is text, because the list at the end has one level. On the
  // next line, without indentation, a definition ends the paragraph of the previous one.
  if ((state.env as { inFootnote?: boolean }).inFootnote === true) {
    return silent && (state.sCount[start] ?? 0) < state.blkIndent;
  }
  if (silent) return true;

  const open = state.push("footnote_open", "footnote", 1);
  open.meta = { label: footnoteLabel(label) };
  open.info = label;
  const lines: [number, number] = [start, 0];
  open.map = lines;

  const saved = {
    mark: state.bMarks[start] ?? 0,
    shift: state.tShift[start] ?? 0,
    count: state.sCount[start] ?? 0,
    parent: state.parentType,
    tight: state.tight,
    listIndent: state.listIndent,
  };
  const after = from + label.length + 4;
  const spaces = /^[ \t]*/.exec(state.src.slice(after, state.eMarks[start]))?.[0].length ?? 0;
  state.bMarks[start] = after;
  state.tShift[start] = spaces;
  state.blkIndent += FOOTNOTE_INDENT;
  // The space after the colon is part of the definition; further spaces do not start indented code.
  state.sCount[start] = state.blkIndent;
  state.parentType = "footnote";
  state.listIndent = -1;
  (state.env as { inFootnote?: boolean }).inFootnote = true;
  if (state.isEmpty(start)) state.line = start + 1;
  if (!state.isEmpty(start) || hasContentAt(state, start + 1, end)) {
    state.md.block.tokenize(state, start, end);
  }
  (state.env as { inFootnote?: boolean }).inFootnote = false;
  state.blkIndent -= FOOTNOTE_INDENT;
  state.bMarks[start] = saved.mark;
  state.tShift[start] = saved.shift;
  state.sCount[start] = saved.count;
  state.parentType = saved.parent;
  state.tight = saved.tight;
  state.listIndent = saved.listIndent;
  lines[1] = state.line;
  state.push("footnote_close", "footnote", -1);
  return true;
}

function hasContentAt(state: StateBlock, line: number, end: number): boolean {
  return line < end && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent;
}

function footnoteReference(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x5b || src.charCodeAt(pos + 1) !== 0x5e) return false;
  const label = /^\[\^([^\s[\]\\]{1,200})\]/.exec(src.slice(pos, pos + 204))?.[1];
  if (label === undefined || pos + label.length + 3 > state.posMax) return false;
  const env = state.env as FootnoteEnvironment;
  if (env.hasFootnote?.(footnoteLabel(label)) !== true) return false;
  if (!silent) {
    const token = state.push("footnote_reference", "sup", 0);
    token.meta = { label: footnoteLabel(label) };
    token.content = label;
  }
  state.pos = pos + label.length + 3;
  return true;
}

/**
 * Adds the tokens `footnote_open`/`footnote_close` and `footnote_reference`, with the label in
 * `meta.label`.
 */
export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before("reference", "footnote", footnoteDefinition, {
    alt: ["paragraph", "reference", "blockquote"],
  });
  md.inline.ruler.before("link", "footnote_reference", footnoteReference);
}
