/**
 * Takes pictures out of a growing Markdown text: an image with a `data:` URL at the start of a line,
 * outside code, and a `data:` URL at the start of the text, as LiteLLM sent pictures before 1.77
 * (https://docs.litellm.ai/docs/extras/gemini_img_migration). Other images stay text. The result does
 * not depend on how the text is split.
 */
import { FencedLines } from "./fencedLines";

/** Text without the pictures, and the `data:` URLs of the pictures that are complete. */
export interface SeparatedPictures {
  readonly text: string;
  readonly pictures: readonly string[];
}

const START = /^!\[[^\]\n]{0,200}\]\(\s{0,3}(?=data:image\/[\w.+-]{1,50};base64,)/;

/** A `data:` URL at the start of the text, and what may become one. */
const BARE_START = /^data:image\/[\w.+-]{1,50};base64,/;
const BARE_PREFIX = /^data:image\/[\w.+-]{0,50}(?:;b?a?s?e?6?4?)?$/;
const isBarePrefix = (text: string) => "data:image/".startsWith(text) || BARE_PREFIX.test(text);

/** Length of the longest text that `START` reads, in UTF-16 units. */
const MAX_START = 300;

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
    let rest = this.held + text;
    this.held = "";
    while (rest !== "") {
      if (this.pieces !== undefined) {
        const end = rest.search(this.closing);
        this.pieces.push(end === -1 ? rest : rest.slice(0, end));
        if (end === -1) break;
        pictures.push(this.pieces.join("").trim());
        this.pieces = undefined;
        this.closing = /\)/;
        rest = rest.slice(end + 1);
        continue;
      }
      const at = rest.indexOf("!");
      const before = at === -1 ? rest : rest.slice(0, at);
      this.lines.push(before);
      shown += before;
      if (at === -1) break;
      rest = rest.slice(at);
      const isPossible = !this.lines.isFenced && this.lines.line.trim() === "";
      const start = isPossible ? START.exec(rest) : null;
      if (start !== null) {
        this.pieces = [];
        rest = rest.slice(start[0].length);
      } else if (isPossible && rest.length < MAX_START && /^!(?:\[[^\n]*)?$/.test(rest)) {
        this.held = rest;
        break;
      } else {
        this.lines.push("!");
        shown += "!";
        rest = rest.slice(1);
      }
    }
    return { text: shown, pictures };
  }

  private readLines(): void {
    this.lines.push(this.unread);
    this.unread = "";
  }

  /** Returns the rest; a picture in Markdown that was cut off is left out. */
  end(): SeparatedPictures {
    const { held, pieces } = this;
    this.held = "";
    this.pieces = undefined;
    const isWhole = pieces !== undefined && this.closing.test(" ");
    return { text: held, pictures: isWhole ? [pieces.join("")] : [] };
  }
}
