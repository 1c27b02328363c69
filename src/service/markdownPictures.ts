/**
 * Takes pictures out of a growing Markdown text: an image with a `data:` URL outside code, and a `data:`
 * URL at the start of the text, as LiteLLM sent pictures before 1.77
 * (https://docs.litellm.ai/docs/extras/gemini_img_migration). Within a line the alternative text stays, in
 * parentheses. Other images stay text. The result does not depend on how the text is split.
 */
import { FencedLines } from "./fencedLines";

/** Text without the pictures, and the `data:` URLs of the pictures that are complete. */
export interface SeparatedPictures {
  readonly text: string;
  readonly pictures: readonly string[];
}

/** Parameters of a media type, such as `;charset=utf-8`. */
const PARAMETERS = String.raw`(?:;[\w.+-]{1,30}=[\w.+-]{1,30}){0,3}`;
const START = new RegExp(
  String.raw`^!\[(?<alt>[^\]\n]{0,200})\]\(\s{0,3}<?(?=data:image\/[\w.+-]{1,50}${PARAMETERS};base64,)`,
  "i",
);
/** Incomplete `START`: the text before the address, and the start of an address. */
const START_PREFIX = /^!(?:\[[^\]\n]{0,200}(?:\](?:\(\s{0,3}<?(?<address>\S*))?)?)?$/;

/** Length of the longest text that may become `START`, in UTF-16 units. */
const MAX_PREFIX = 600;

/** A `data:` URL at the start of the text, whole and incomplete. */
const BARE_START = new RegExp(`^data:image\\/[\\w.+-]{1,50}${PARAMETERS};base64,`, "i");
const BARE_PREFIX = /^data:image\/[\w.+-]{0,50}(?:;[\w.+=-]{0,61}){0,4}$/i;
const isBarePrefix = (text: string) =>
  "data:image/".startsWith(text.toLowerCase()) || BARE_PREFIX.test(text);

/** Length of text without `!` whose lines are followed at once; in parts, it costs each network read. */
const MAX_UNREAD = 16_384;

export class MarkdownPictures {
  private readonly lines = new FencedLines();
  /** Text that is not yet in `lines`. */
  private unread = "";
  /** Text that may begin a picture. */
  private held = "";
  /** Pieces of the URL of the picture in progress. */
  private pieces: string[] | undefined;
  /** Follows the URL: `)` in Markdown, a blank after a URL alone. */
  private closing = /\)/;
  private isAtStart = true;

  push(text: string): SeparatedPictures {
    if (this.isAtStart && text !== "") {
      const start = this.held + text;
      if (isBarePrefix(start)) {
        this.held = start;
        return { text: "", pictures: [] };
      }
      this.isAtStart = false;
      if (BARE_START.test(start)) {
        this.pieces = [];
        this.closing = /\s/;
      }
    }
    if (this.pieces === undefined && this.held === "" && !text.includes("!")) {
      this.unread += text;
      if (this.unread.length > MAX_UNREAD) this.readLines();
      return { text, pictures: [] };
    }
    this.readLines();
    const pictures: string[] = [];
    let shown = "";
    let unread = this.held + text;
    this.held = "";
    while (unread !== "") {
      if (this.pieces !== undefined) {
        const end = unread.search(this.closing);
        this.pieces.push(end === -1 ? unread : unread.slice(0, end));
        if (end === -1) break;
        pictures.push(addressOf(this.pieces.join("")));
        this.pieces = undefined;
        this.closing = /\)/;
        unread = unread.slice(end + 1);
        continue;
      }
      const at = unread.indexOf("!");
      const before = at === -1 ? unread : unread.slice(0, at);
      this.lines.push(before);
      shown += before;
      if (at === -1) break;
      unread = unread.slice(at);
      const start = START.exec(unread);
      const mayBePrefix = start === null && unread.length <= MAX_PREFIX;
      const prefix = mayBePrefix ? START_PREFIX.exec(unread) : null;
      const isHeld = prefix !== null && isBarePrefix(prefix.groups?.["address"] ?? "");
      if (isHeld && !this.lines.isFenced) {
        this.held = unread;
        break;
      }
      let shownText = "!";
      if (start === null || this.lines.isFenced || isCode(this.lines.line))
        unread = unread.slice(1);
      else {
        const alt = start.groups?.["alt"] ?? "";
        shownText = alt === "" || this.lines.line.trim() === "" ? "" : `(${alt})`;
        this.pieces = [];
        unread = unread.slice(start[0].length);
      }
      this.lines.push(shownText);
      shown += shownText;
    }
    return { text: shown, pictures };
  }

  private readLines(): void {
    this.lines.push(this.unread);
    this.unread = "";
  }

  /** Returns the rest. A picture that was cut off is returned too, so that it is named. */
  end(): SeparatedPictures {
    const { held, pieces } = this;
    this.held = "";
    this.pieces = undefined;
    return { text: held, pictures: pieces === undefined ? [] : [addressOf(pieces.join(""))] };
  }
}

/** Returns the address in the parentheses of an image, without angle brackets and title. */
function addressOf(text: string): string {
  const title = text.search(/\s["'(]/);
  const address = (title === -1 ? text : text.slice(0, title)).trim();
  return address.endsWith(">") ? address.slice(0, -1) : address;
}

/** True if the text after this start of a line is code, or follows a backslash. */
function isCode(line: string): boolean {
  if (line.endsWith("\\")) return true;
  let open = 0;
  for (const [run] of line.matchAll(/`+/g)) {
    if (open === 0) open = run.length;
    else if (open === run.length) open = 0;
  }
  return open > 0;
}
