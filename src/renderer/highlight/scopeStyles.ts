/**
 * The styles of tokens. A style is a path of TextMate scopes, not a colour: the page's spans carry its
 * number, and a theme only changes what the number looks like, so a new theme needs no new reading.
 */
import { Theme } from "@shikijs/core/textmate";
import type { StyleRule, HighlightTheme } from "./protocol";

/** Scope paths that get a number of their own; grammars make a few hundred. Later ones look like text. */
const MAX_STYLES = 8_192;

/** Flags of a theme's font style. Source: vscode-textmate, FontStyle. */
const NOT_SET = -1;
const ITALIC = 1;
const BOLD = 2;
const UNDERLINE = 4;
const STRIKETHROUGH = 8;

/** A path of scopes in the form vscode-textmate's theme matches. */
interface ScopePath {
  readonly parent: ScopePath | null;
  readonly scopeName: string;
}

export class ScopeStyles {
  readonly #paths = new Map<number, readonly string[]>();
  readonly #numbers = new Map<string, number>();
  #theme: Theme;
  #news: number[] = [];

  constructor(theme: HighlightTheme) {
    this.#theme = themeFrom(theme);
  }

  /**
   * The number of a scope path; 0 is text without a style. It is a hash, so that code looks the same in
   * the page's tree whichever block was read first.
   */
  numberOf(scopes: readonly string[]): number {
    if (scopes.length < 2) return 0;
    const key = scopes.join(" ");
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#numbers.size >= MAX_STYLES) return 0;
    const number = hash(key);
    this.#paths.set(number, scopes);
    this.#numbers.set(key, number);
    this.#news.push(number);
    return number;
  }

  /** Rules of the styles numbered since the last call. */
  takeNews(): StyleRule[] {
    const rules = this.#news.map((number) => this.#rule(number));
    this.#news = [];
    return rules;
  }

  /** Changes the theme; returns the rules of all styles. */
  setTheme(theme: HighlightTheme): StyleRule[] {
    this.#theme = themeFrom(theme);
    this.#news = [];
    return [...this.#paths.keys()].map((number) => this.#rule(number));
  }

  #rule(number: number): StyleRule {
    let path: ScopePath | null = null;
    let colour = 0;
    let font = 0;
    for (const scopeName of this.#paths.get(number) ?? []) {
      path = { parent: path, scopeName };
      // The theme only walks up the path by these two fields.
      const style = this.#theme.match(path as unknown as Parameters<Theme["match"]>[0]);
      if (style === null) continue;
      if (style.foregroundId !== 0) colour = style.foregroundId;
      const given: number = style.fontStyle;
      if (given !== NOT_SET) font = given;
    }
    return [number, declarations(this.#theme.getColorMap()[colour], font)];
  }
}

/** FNV-1a, 32 bits, never 0. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0 || 1;
}

function themeFrom(theme: HighlightTheme): Theme {
  const settings = theme.tokenColors
    // Rules without a scope are the theme's defaults; the page has its own.
    .filter((rule) => rule.scope !== undefined)
    .map(({ scope, settings: { foreground, fontStyle } }) => ({
      scope: typeof scope === "string" ? scope : [...(scope ?? [])],
      settings: {
        ...(foreground !== undefined && { foreground }),
        ...(fontStyle !== undefined && { fontStyle }),
      },
    }));
  return Theme.createFromRawTheme({ settings });
}

function declarations(colour: string | undefined, font: number): string {
  let css = "";
  // Colours go into a style sheet: only what is a colour may.
  if (colour !== undefined && /^#[0-9a-f]{3,8}$/i.test(colour)) css += `color:${colour};`;
  if ((font & ITALIC) !== 0) css += "font-style:italic;";
  if ((font & BOLD) !== 0) css += "font-weight:bold;";
  const lines = [
    (font & UNDERLINE) === 0 ? "" : "underline",
    (font & STRIKETHROUGH) === 0 ? "" : "line-through",
  ].filter((line) => line !== "");
  if (lines.length > 0) css += `text-decoration:${lines.join(" ")};`;
  return css;
}
