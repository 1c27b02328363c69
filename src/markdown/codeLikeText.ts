/**
 * Text that looks like code keeps its characters: Windows paths, and names such as `__init__`. CommonMark reads
 * their signs as escapes and emphasis. README.md in this folder lists the reports.
 */
import type { MarkdownIt, StateInline } from "markdown-it";

/** Longest path and its start that are searched, in UTF-16 units. Windows allows 260 by default. */
const MAX_PATH_LENGTH = 1_000;

/** What stands before the first backslash of a path: a drive, a folder, a variable, a root of the registry. */
const PATH_ROOT =
  /(?<![^\W_])(?:[A-Za-z]:|%\w{1,50}%|\$(?:env:\w{1,50}|PSScriptRoot|HOME|PWD)|(?<![\w.~\\])(?:\.\.?|~)|HK(?:EY_[A-Z_]{1,30}|LM|CU|CR|U|CC):?)$/;

/** Folders of Windows with blanks in their names. */
const FOLDERS_WITH_BLANKS = /Program Files \(x86\)|Program Files|Documents and Settings/g;

/** Rest of a file's relative path; a backslash before a letter shows that its other ones are no escapes. */
const FILE_REST =
  /^(?=\S{0,300}\\[A-Za-z\d])(?:\\[\w.@#$()[\]{}~+-]{1,100}){1,20}(?<=\.[A-Za-z]\w{0,7})(?![\w\\])/;

/** Share of a network: two backslashes, a name and a backslash. */
const NETWORK_SHARE = /^\\\\[\w?.$-]{1,100}\\(?=[^\s\\])/;

/** End of a path; `*` belongs to it after a backslash only. */
const PATH_END = /[\s`"<>|\p{Pi}\p{Pf}\u3000-\u303f\uff00-\uffef]|(?<![\\*])\*/u;

/**
 * Returns the end of the path whose first backslash is at `start`, or -1. Backslashes that are all doubled are
 * Markdown escapes.
 */
function pathEnd(text: string, start: number, max: number): number {
  const before = text.slice(Math.max(0, start - 60), start);
  const isPattern = /[.~]$/.test(before) && text[start + 1] === "*";
  const isPath =
    (PATH_ROOT.test(before) && !isPattern) ||
    (/\w$/.test(before) && FILE_REST.test(text.slice(start, start + 400))) ||
    (!/[\p{L}\p{N}\\]$/u.test(before) && NETWORK_SHARE.test(text.slice(start, start + 120)));
  if (!isPath) return -1;
  const following = text
    .slice(start, Math.min(max, start + MAX_PATH_LENGTH))
    .replace(FOLDERS_WITH_BLANKS, (name) => name.replaceAll(" ", "_"));
  let path = following.slice(0, PATH_END.exec(following)?.index);
  // The closing bracket of a link's text is outside.
  for (let at = 0, depth = 0; at < path.length; at++) {
    depth += path[at] === "[" ? 1 : path[at] === "]" ? -1 : 0;
    if (depth < 0) path = path.slice(0, at);
  }
  // So are marks that close an emphasis around the path.
  while (/[_~]$/.test(path)) path = path.slice(0, -1);
  const isEscaped = path.match(/\\+/g)?.every(({ length }) => length % 2 === 0) === true;
  return isEscaped ? -1 : start + path.length;
}

function windowsPath(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "\\") return false;
  const end = pathEnd(state.src, state.pos, state.posMax);
  return end > 0 && pushText(state, end, silent);
}

/** Start of a link's target that is a path with a drive or a network share. */
const PATH_TARGET = /^(?:[A-Za-z]:|\\)\\(?!\\)/;

/** Keeps the backslashes of paths that links lead to. */
function keepTargets(md: MarkdownIt): void {
  const normalizeLink = md.normalizeLink.bind(md);
  const { parseLinkDestination } = md.helpers;
  md.normalizeLink = (url) => (PATH_TARGET.test(url) ? url : normalizeLink(url));
  md.helpers.parseLinkDestination = (text, start, max) => {
    const target = parseLinkDestination(text, start, max);
    const path = text.slice(start, target.pos).replace(/^<|>$/g, "");
    return target.ok && PATH_TARGET.test(path) ? { ...target, str: path } : target;
  };
}

/** Name of word characters between two underscores each, as in Python. */
const DUNDER = /__[^\W_](?:\w{0,98}[^\W_])?__(?!\w)/y;

function dunderName(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "_" || /\w/.test(state.src[state.pos - 1] ?? "")) return false;
  DUNDER.lastIndex = state.pos;
  const name = DUNDER.exec(state.src)?.[0];
  const end = state.pos + (name?.length ?? 0);
  return name !== undefined && end <= state.posMax && pushText(state, end, silent);
}

/** Call of an indexed function such as `arr[i](x)`, which is no link. */
const INDEXED_CALL = /(?<=[A-Za-z\d_)\]])\[[\w+* -]{1,30}\]\([\w+*, -]{0,60}\)/y;

function indexedCall(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "[") return false;
  INDEXED_CALL.lastIndex = state.pos;
  const end = state.pos + (INDEXED_CALL.exec(state.src)?.[0].length ?? 0);
  return end > state.pos && end <= state.posMax && pushText(state, end, silent);
}

function pushText(state: StateInline, end: number, silent: boolean): boolean {
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

/** Reads text that looks like code before formulas, escapes and emphasis are read. */
export function codeLikeText(md: MarkdownIt): void {
  keepTargets(md);
  md.inline.ruler.before("math_inline", "windows_path", windowsPath);
  md.inline.ruler.before("emphasis", "dunder_name", dunderName);
  md.inline.ruler.before("link", "indexed_call", indexedCall);
}
