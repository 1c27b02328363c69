/**
 * Finds the code blocks of a reply, and the files that their labels, their first lines, tags around
 * them and the text above them name. Whether such a file exists is decided elsewhere.
 */
import { findMentions } from "../markdown/fileMentions";
import { ReplyBlocks, type ReplyBlock } from "./blocks";
import { openingFence } from "./fences";
import { isMention, namesFile, pathInComment } from "./filePath";
import { isFileName } from "./labels";
import { isBlank } from "./lines";
import { endsPatch, startsPatch } from "./patch";

/** File that a reply names for a block. */
export interface FileName {
  /** Path as the reply has it. */
  readonly path: string;
  /** True for a path that may be of a new file; any other name counts only if the file exists. */
  readonly isPath: boolean;
  /** True if a heading or a line of its own is the name. */
  readonly isTitle: boolean;
}

/** Code block of a reply: fenced, in a tag that names a file, or a diff without a fence. */
export interface NamedBlock {
  /** Info string of the fence. */
  readonly info: string;
  readonly lines: readonly string[];
  readonly isClosed: boolean;
  /** Path in the label, the tag or the first line. */
  readonly ownName: string | undefined;
  /** Files that the text between the previous block and this one names, nearest first. */
  readonly namesAbove: readonly FileName[];
  /** True if a heading stands between the previous block and this one. */
  readonly isBelowHeading: boolean;
}

/** Attributes of labels and tags that hold a path. */
const ATTRIBUTE =
  /(?:^|[\s{,])(?:title|file|file_?name|file_?path|path|name)\s{0,2}[=:]\s{0,2}(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'},]{1,300}))/i;

/** Lines and path of Cursor's code references (`12:20:src/a.ts`), or language and path. */
const CITATION = /^(?:\d{1,7}:\d{1,7}|[\w+#-]{1,30}):(?=[^\s=])(.{1,300})$/;

/** Tag whose content is a file, on a line of its own; without attributes below `<path>` (Cline). */
const TAG = /^\s*<([a-zA-Z][\w-]{0,40})(\s[^<>]{1,400})?>\s*$/;
const PATH_TAG = /^\s*<path>([^<>]{1,300})<\/path>\s*$/;

const HEADING = /^\s{0,3}#{1,6}\s/;

/** Text that models set apart: code, bold text, text of a link, or a path in a tag. */
const MARKED =
  /`([^`\n]{1,300})`|\*\*([^*\n]{1,300})\*\*|\[([^[\]\n]{1,300})\]\(|<path>([^<>]{1,300})<\/path>|(?:path|file|filename)="([^"]{1,300})"/g;

/** Number of a list, and a word with a colon, before a name: "1. File: src/cart.ts". */
const PREFIX = /^[^\p{L}\p{N}]*(?:\d{1,9}[.)])?[^\p{L}\p{N}]*(?:\p{L}{1,20}\s?[:：])?/u;

/** Returns the path in the info string of a fence. */
export function pathInLabel(info: string): string | undefined {
  const [, ...quoted] = ATTRIBUTE.exec(info) ?? [];
  const attribute = quoted.find((one: string | undefined) => one !== undefined);
  if (attribute !== undefined && namesFile(attribute)) return attribute;
  const cited = CITATION.exec(info.trim())?.[1]?.trim();
  if (cited !== undefined && namesFile(cited)) return cited;
  const names = new Set(
    findMentions(info)
      .map(({ text }) => text)
      .filter((text) => namesFile(text) || /[/\\]/.test(text)),
  );
  return names.size === 1 ? [...names][0] : undefined;
}

/** Returns the files that lines of text name, as far up as the nearest heading. */
export function namesIn(lines: readonly string[]): readonly FileName[] {
  const found: FileName[] = [];
  let isNear = true;
  for (const line of lines.toReversed()) {
    const isHeading = HEADING.test(line);
    if (isNear || isHeading) found.push(...namesInLine(line, isHeading));
    if (isHeading) break;
    // The nearest paragraph with names counts.
    if (isBlank(line) && found.length > 0) isNear = false;
  }
  return found.filter(({ path }, at) => found.findIndex((one) => one.path === path) === at);
}

function namesInLine(line: string, isHeading: boolean): FileName[] {
  const found: FileName[] = [];
  const rest = line.replaceAll(MARKED, (...[whole, ...groups]: readonly unknown[]) => {
    const text = groups.find((one) => typeof one === "string") ?? whole;
    const path = String(text).trim().replace(/:$/, "");
    const isPath = (isMention(path) && namesFile(path)) || isFileName(path);
    // Text with blanks, or without an ending, may be a command.
    if (isPath || isMention(path) || /^[^<>"|?*]*[^\s<>"|?*]\.\w+$/.test(path)) {
      found.push({ path, isPath, isTitle: false });
      return " ";
    }
    return ` ${path} `;
  });
  for (const { text } of findMentions(rest)) {
    if (!namesFile(text)) continue;
    found.push({ path: text, isPath: /[/\\]/.test(text), isTitle: false });
  }
  const bare = rest.replace(/^[\s#>*_\d.)(-]+/, "").replace(/[\s:*_]{1,9}$/, "");
  if (found.length === 0 && isFileName(bare)) {
    return [{ path: bare, isPath: true, isTitle: true }];
  }
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return found;
  const words = rest
    .replace(only.path, "")
    .replace(PREFIX, "")
    .replaceAll(/\([^()]*\)/g, "");
  const isAlone = !/[\p{L}\p{N}]/u.test(words);
  return [{ path: only.path, isPath: only.isPath || isAlone, isTitle: isHeading || isAlone }];
}

/** Returns the blocks of a whole reply, in order. */
export function namedBlocks(reply: string): readonly NamedBlock[] {
  const lines = reply.replace(/\r\n?/g, "\n").split("\n");
  const found: NamedBlock[] = [];
  let above: string[] = [];
  let reader = newReader();
  let info = "";
  let open: ReplyBlock | undefined;
  const add = (block: Pick<NamedBlock, "lines" | "isClosed">, named?: string) => {
    found.push({
      ...block,
      info,
      ownName:
        named ?? pathInLabel(info) ?? pathInComment(block.lines.find((one) => !isBlank(one))),
      namesAbove: namesIn(above),
      isBelowHeading: above.some((line) => HEADING.test(line)),
    });
    above = [];
    info = "";
  };
  const close = () => {
    if (open !== undefined && !open.isEmpty) add(open);
    open = undefined;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (open === undefined) {
      const tagged = taggedFile(lines, at);
      if (tagged !== undefined) {
        add({ lines: lines.slice(at + 1, tagged.end), isClosed: tagged.isClosed }, tagged.path);
        at = tagged.end;
        continue;
      }
    }
    const count = reader.blocks.length;
    const fence = open?.fence;
    reader.push(line);
    const last = reader.blocks.at(-1);
    const isNew = reader.blocks.length > count;
    if (isNew) close();
    if (isNew || (last === open && last?.fence !== fence)) {
      open = last;
      info = open?.fence === undefined ? "" : infoOf(line);
      above.push(line.slice(0, Math.max(0, line.search(/[`~]{3}/))));
    } else if (open === undefined) above.push(line);
    if (open?.isClosed === true) close();
    else if (open !== undefined && open.fence === undefined && endsPatch(line)) {
      open.isClosed = true;
      close();
      reader = newReader();
    }
  }
  // A diff without a fence has no end of its own.
  if (open !== undefined) open.isClosed ||= open.fence === undefined;
  close();
  return found;
}

function newReader(): ReplyBlocks {
  return new ReplyBlocks({ isKnown: () => false, isAround: () => true });
}

function infoOf(line: string): string {
  return line.replace(/^[^`~]*(?:`{3,}|~{3,})/, "").trim();
}

/** Returns the path and the last line of a tag whose content is a file, not a block. */
function taggedFile(lines: readonly string[], at: number) {
  const [, name, attributes] = TAG.exec(lines[at] ?? "") ?? [];
  if (name === undefined) return undefined;
  const above = PATH_TAG.exec(lines[at - 1] ?? "")?.[1]?.trim();
  const path = attributes === undefined ? above : pathInLabel(attributes);
  if (path === undefined || !namesFile(path)) return undefined;
  const first = lines.slice(at + 1).find((line) => !isBlank(line)) ?? "";
  if (openingFence(first) !== undefined || startsPatch(first) || TAG.test(first)) return undefined;
  if (PATH_TAG.test(first)) return undefined;
  const length = lines.slice(at + 1).findIndex((line) => line.trim() === `</${name}>`);
  const isClosed = length !== -1;
  return { path, end: isClosed ? at + 1 + length : lines.length, isClosed };
}
