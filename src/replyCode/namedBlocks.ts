/**
 * Finds the code blocks of a reply, and the files that their labels, their first lines, tags around
 * them and the text above them name. Whether such a file exists is decided elsewhere.
 */
import { documentEnd, isDocument } from "../base/documentFence";
import { findMentions, isPathWithBlanks } from "../markdown/fileMentions";
import { normalizeText } from "../markdown/limits";
import { ReplyBlocks, type ReplyBlock } from "./blocks";
import { contentOf, openingFence } from "./fences";
import { isMention, LABEL, nameInComment, namesFile, pathName, type FileName } from "./filePath";
import { isFileName, labelKind } from "./labels";
import { isBlank, lineAt } from "./lines";
import { endsPatch, startsPatch } from "./patch";

/** Code block of a reply: fenced, in a tag that names a file, or a diff without a fence. */
export interface NamedBlock {
  readonly info: string;
  readonly lines: readonly string[];
  readonly isClosed: boolean;
  readonly ownName: FileName | undefined;
  /** Files that the text between the previous block and this one names, nearest first. */
  readonly namesAbove: readonly FileName[];
  readonly isBelowHeading: boolean;
}

/** Attributes of labels and tags that hold a path. */
const ATTRIBUTE =
  /(?:^|[\s{,])(?:title|file|file_?name|file_?path|path|name)\s{0,2}[=:]\s{0,2}(?:"([^"]{1,300})"|'([^']{1,300})'(?=[\s,}]|$)|([^\s"']\S{0,300}?)(?=,?\s|[,}]?$))/i;

/** Lines and path of Cursor's code references (`12:20:src/a.ts`), or language and path. */
const CITATION = /^(?:\d{1,7}:\d{1,7}|[\w+#-]{1,30}):(?=[^\s=])(.{1,300})$/;

/** Tag whose content is a file, on a line of its own; without attributes below `<path>` (Cline). */
const TAG = /^\s*<([a-zA-Z][\w-]{0,40})(\s[^<>]{1,400})?>\s*$/;
const PATH_TAG = /^\s*<path>([^<>]{1,300})<\/path>\s*$/;

const HEADING = /^\s{0,3}#{1,6}\s/;

/** Bold text, and text that models set apart: a link, code, or a path in a tag. */
const MARKED =
  /\*\*([^*\n]{1,300})\*\*|\[([^[\]\n]{0,200}(?:\[{1,2}[^[\]\n]{1,50}\]{1,2}[^[\]\n]{0,100}){0,4})\]\(([^()\n]{0,200}(?:\([^()\n]{0,50}\)[^()\n]{0,100}){0,4})\)|`([^`\n]{1,300})`|<path>([^<>]{1,300})<\/path>|(?:path|file|filename)="([^"]{1,300})"/g;

/** Word with a colon, and text, of a line without its marks. */
const LINE =
  /^\s{0,9}(?:(?:#{1,6}|\/\/|>|[-*+]|\d{1,9}[.)]|\p{Extended_Pictographic}\ufe0f?)\s{1,9}){0,4}(?:(\p{L}{2,20})\s?[:：]\s{0,4})?(\S.*)$/u;

/** Words that languages without blanks between words set next to a path. */
const WORDS_AROUND =
  /^[\p{Lo}\p{Lm}\p{M}]{1,300}(?=[\w@([{$~]|\.[\w.]{0,20}\/)|(?<=\.\w{1,16})[\p{Lo}\p{Lm}].{0,300}/gsu;

/** Number of a list, and a word with a colon, before a name: "1. File: src/cart.ts". */
const PREFIX = /^[^\p{L}\p{N}]*(?:\d{1,9}[.)])?[^\p{L}\p{N}]*(?:\p{L}{1,20}\s?[:：])?/u;

/** Settings in a label, as `{1,3}` or `linenums="1"`, and a note at its end. */
const SETTINGS =
  /(?:^|\s)(?:\{[\d\s,-]{1,100}\}|[\w-]{1,30}=(?:"[^"]{0,100}"|'[^']{0,100}'|[\w,-]{1,30}))(?=\s|$)|\s\([^()]{0,100}\)$/g;

/** Returns the file in the info string of a fence; a label that is one path is that path. */
export function nameInLabel(info: string): FileName | undefined {
  const attribute = attributeIn(info);
  if (attribute !== undefined && namesFile(attribute)) return pathName(attribute);
  const label = info.replaceAll(SETTINGS, "").trim();
  const cited = CITATION.exec(label)?.[1]?.trim();
  if (cited !== undefined && namesFile(cited)) return pathName(cited);
  if (attributeIn(label) !== undefined) return undefined;
  const [, word = "", text = label] = /^([\w+#-]{1,30})\s(.{1,400})$/.exec(label) ?? [];
  const isLanguage = word !== "" && labelKind(word, "plaintext") !== "open";
  const whole = isPathWithBlanks(label) && !isLanguage ? label : undefined;
  if (isPathWithBlanks(text.trim())) return { ...pathName(text.trim()), whole };
  const [mention, ...more] = findMentions(text).filter(
    (one) => namesFile(one.text) || /[/\\]/.test(one.text),
  );
  if (mention === undefined || more.some((one) => one.text !== mention.text)) return undefined;
  const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, mention.index).replace(/^.*:/, ""));
  return isFirst ? { ...pathName(mention.text), whole } : undefined;
}

function attributeIn(info: string): string | undefined {
  const [, ...values] = ATTRIBUTE.exec(info) ?? [];
  return values.find((value: string | undefined) => value !== undefined);
}

/** Returns the files that lines of text name, as far up as the nearest heading. */
export function namesIn(lines: readonly string[]): readonly FileName[] {
  const names: FileName[] = [];
  let isNear = true;
  for (const line of lines.toReversed()) {
    const isHeading = HEADING.test(line);
    if (isNear || isHeading) names.push(...namesInLine(line, isHeading));
    if (isHeading) break;
    // The nearest paragraph with names counts.
    if (isBlank(line) && names.length > 0) isNear = false;
  }
  return names.filter(({ path }, at) => names.findIndex((one) => one.path === path) === at);
}

function namesInLine(line: string, isHeading: boolean): FileName[] {
  const names: FileName[] = [];
  const unmarked = line.replaceAll(MARKED, (...parts: readonly unknown[]) => {
    const [match, bold, link, target, ...groups] = parts;
    const linked = typeof link === "string" ? linkedPath(link, String(target)) : undefined;
    // Groups without a match are undefined.
    const texts = [bold, linked, ...groups, match].filter((one) => typeof one === "string");
    const text = texts[0]?.trim() ?? "";
    const path = text.replace(/:$/, "");
    const isPath = (isMention(path) && namesFile(path)) || isFileName(path);
    // Text with blanks, or without an ending, may be a command; bold text may be a sentence.
    const isFolder = /^[^\s：/\\]{0,300}[/\\]/.test(path);
    const isCode = /^[^<>"|?*]*[^\s<>"|?*]\.\w+$/.test(path) && (isFolder || bold === undefined);
    if (isPath || isMention(path) || isCode) {
      const whole = /[\s：]/.test(path) && !isFolder ? path : undefined;
      names.push({ path, isPath, isTitle: false, whole });
      return " ";
    }
    return ` ${text} `;
  });
  const [, label = "", text = ""] = LINE.exec(unmarked) ?? [];
  const bare = text
    .trimEnd()
    .replace(/[:：]$/, "")
    .trimEnd();
  const title = bare.replace(/\([^()]{0,100}\)$/, "").trimEnd();
  const whole = names.length === 0 && isPathWithBlanks(title) ? title : undefined;
  if (whole !== undefined && LABEL.test(label)) return [pathName(whole)];
  const mentions = findMentions(unmarked);
  const folder = mentions.find(({ text }) => !namesFile(text));
  if (whole !== undefined && (mentions.length === 0 || title.startsWith(folder?.text ?? "\n"))) {
    names.push({ path: whole, isPath: false, isTitle: true, whole });
    mentions.length = 0;
  }
  for (const { text, index } of mentions) {
    if (!namesFile(text)) continue;
    const path = text.replaceAll(WORDS_AROUND, "");
    // "A=src/a.ts" may be a setting.
    const isPath = path === text && /[/\\]/.test(text) && !text.includes("=");
    const isLong = folder !== undefined && folder.index < index;
    const long = isLong ? unmarked.slice(folder.index, index + text.length) : whole;
    names.push({ path, isPath, isTitle: false, whole: path === text ? long : text });
  }
  const name = unmarked.replace(/^[\s#>*_\d.)(-]+/, "").replace(/[\s:*_]{1,9}$/, "");
  if (names.length === 0 && isFileName(name)) {
    return [pathName(name)];
  }
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return names;
  const words = unmarked
    .replace(only.path, "")
    .replaceAll(/\([^()]*\)/g, "")
    .replace(PREFIX, "");
  const isAlone = !/[\p{L}\p{N}]/u.test(words);
  const isPath = only.isPath || (isAlone && (only.whole === undefined || /[/\\]/.test(only.path)));
  return [{ ...only, isPath, isTitle: isHeading || isAlone }];
}

/** Returns the path of a link; the link's text for any other target. */
function linkedPath(text: string, target: string): string {
  let path = target.trim();
  try {
    path = decodeURIComponent(path);
  } catch {
    // "100%" is no escape.
  }
  path = path.replace(/#L\d.{0,20}$/, "");
  const isPath = namesFile(path) && (isMention(path) || isPathWithBlanks(path));
  return isPath ? path : text.replaceAll("`", "");
}

export function namedBlocks(reply: string): readonly NamedBlock[] {
  const lines = normalizeText(reply).split("\n");
  const blocks: NamedBlock[] = [];
  let above: string[] = [];
  let reader = newReader();
  let info = "";
  let open: ReplyBlock | undefined;
  const add = (block: Pick<NamedBlock, "lines" | "isClosed">, taggedName?: FileName) => {
    blocks.push({
      ...block,
      info,
      ownName:
        taggedName ?? nameInLabel(info) ?? nameInComment(block.lines.find((one) => !isBlank(one))),
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
    const line = lineAt(lines, at);
    if (open === undefined) {
      const tagged = taggedFile(lines, at);
      if (tagged !== undefined) {
        add({ lines: lines.slice(at + 1, tagged.end), isClosed: tagged.isClosed }, tagged.name);
        at = tagged.end;
        continue;
      }
      const document = documentAt(lines, at);
      if (document !== undefined) {
        info = infoOf(line);
        above.push(line.slice(0, Math.max(0, line.search(/[`~]{3}/))));
        add({ lines: document.lines, isClosed: document.isClosed });
        at = document.end;
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
  return blocks;
}

function newReader(): ReplyBlocks {
  return new ReplyBlocks({ isKnown: () => false, isAround: () => true, hasInner: false });
}

function infoOf(line: string): string {
  return line.replace(/^[^`~]*(?:`{3,}|~{3,})/, "").trim();
}

/** Returns the block of a fence around Markdown at a line, and its last line. */
function documentAt(lines: readonly string[], at: number) {
  const fence = openingFence(lineAt(lines, at));
  if (fence === undefined || !isDocument(infoOf(lineAt(lines, at)))) return undefined;
  const below = lines.slice(at + 1);
  const outside = fence.isQuoted ? below.findIndex((line) => !/^[ \t]*>/.test(line)) : -1;
  const inside = outside === -1 ? below : below.slice(0, outside);
  const contentAt = (index: number) => {
    const line = inside[index];
    return line === undefined ? line : contentOf(line, fence);
  };
  const end = documentEnd(contentAt, fence.mark.repeat(fence.length));
  const content = inside.slice(0, end).map((line) => contentOf(line, fence));
  const first = content.find((line) => !isBlank(line)) ?? "";
  // An indented fence, or one that only wraps another block, is read as any other.
  const isDeep = fence.indent > 3 && /^\s/.test(lineAt(lines, at));
  if (first === "" || isDeep || openingFence(first) !== undefined) return undefined;
  return {
    lines: content,
    end: at + content.length + Number(end !== undefined),
    isClosed: end !== undefined,
  };
}

/** Returns the path and the last line of a tag whose content is a file, not a block. */
function taggedFile(lines: readonly string[], at: number) {
  const [, tag, attributes] = TAG.exec(lineAt(lines, at)) ?? [];
  if (tag === undefined) return undefined;
  const above = PATH_TAG.exec(lineAt(lines, at - 1))?.[1]?.trim() ?? "";
  const name = attributes === undefined ? pathName(above) : nameInLabel(attributes);
  if (name === undefined || !namesFile(name.path)) return undefined;
  const first = lines.slice(at + 1).find((line) => !isBlank(line)) ?? "";
  if (openingFence(first) !== undefined || startsPatch(first) || TAG.test(first)) return undefined;
  if (PATH_TAG.test(first)) return undefined;
  const length = lines.slice(at + 1).findIndex((line) => line.trim() === `</${tag}>`);
  const isClosed = length !== -1;
  return { name, end: isClosed ? at + 1 + length : lines.length, isClosed };
}
