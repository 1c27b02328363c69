/**
 * Styles of tokens. A style is a path of TextMate scopes, identified by a number. A theme change
 * only changes the rule of each number, so code is not tokenized again.
 */
import { Theme } from "@shikijs/core/textmate";
import type { StyleRule, HighlightTheme } from "./protocol";
import { defined } from "../../base/defined";

/** Maximum number of styles; grammars use a few hundred. Further scope paths are unstyled. */
const MAX_STYLES = 8_192;

/** Font style flags. Source: vscode-textmate, FontStyle. */
const NOT_SET = -1;
const ITALIC = 1;
const BOLD = 2;
const UNDERLINE = 4;
const STRIKETHROUGH = 8;

/** Scope path as a linked list, the form that vscode-textmate's theme matches. */
interface ScopePath {
  readonly parent: ScopePath | null;
  readonly scopeName: string;
}

export class ScopeStyles {
  private readonly paths = new Map<number, readonly string[]>();
  private readonly numbers = new Map<string, number>();
  private theme: Theme;
  private newNumbers: number[] = [];

  constructor(theme: HighlightTheme) {
    this.theme = themeFrom(theme);
  }

  /**
   * Returns the number of a scope path; 0 for plain text. The number is a hash, so that the DOM
   * does not depend on which block was tokenized first.
   */
  numberOf(scopes: readonly string[]): number {
    if (scopes.length < 2) return 0;
    const key = scopes.join(" ");
    const numberOfKey = this.numbers.get(key);
    if (numberOfKey !== undefined) return numberOfKey;
    if (this.numbers.size >= MAX_STYLES) return 0;
    const number = hash(key);
    this.paths.set(number, scopes);
    this.numbers.set(key, number);
    this.newNumbers.push(number);
    return number;
  }

  /** Returns the rules of the styles added since the last call. */
  newRules(): StyleRule[] {
    const rules = this.newNumbers.map((number) => this.rule(number));
    this.newNumbers = [];
    return rules;
  }

  setTheme(theme: HighlightTheme): StyleRule[] {
    this.theme = themeFrom(theme);
    this.newNumbers = [];
    return [...this.paths.keys()].map((number) => this.rule(number));
  }

  private rule(number: number): StyleRule {
    let path: ScopePath | null = null;
    let color = 0;
    let font = 0;
    for (const scopeName of this.paths.get(number) ?? []) {
      path = { parent: path, scopeName };
      // Theme.match uses only these two fields.
      const style = this.theme.match(path as unknown as Parameters<Theme["match"]>[0]);
      if (style === null) continue;
      if (style.foregroundId !== 0) color = style.foregroundId;
      const fontStyle: number = style.fontStyle;
      if (fontStyle !== NOT_SET) font = fontStyle;
    }
    return [number, declarations(this.theme.getColorMap()[color], font)];
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
        ...defined({ foreground, fontStyle }),
      },
    }));
  return Theme.createFromRawTheme({ settings });
}

function declarations(color: string | undefined, font: number): string {
  let css = "";
  // The value becomes part of a style sheet, so only hex colors are allowed.
  if (color !== undefined && /^#[0-9a-f]{3,8}$/i.test(color)) css += `color:${color};`;
  if ((font & ITALIC) !== 0) css += "font-style:italic;";
  if ((font & BOLD) !== 0) css += "font-weight:bold;";
  const lines = [
    (font & UNDERLINE) === 0 ? "" : "underline",
    (font & STRIKETHROUGH) === 0 ? "" : "line-through",
  ].filter((line) => line !== "");
  if (lines.length > 0) css += `text-decoration:${lines.join(" ")};`;
  return css;
}
