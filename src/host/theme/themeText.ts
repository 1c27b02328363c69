/**
 * Reads the text of a colour theme's file: the rules for tokens it holds, and the files it builds on.
 * Themes are VS Code's JSON with comments, or TextMate's property lists. Believes nothing: what is no
 * rule is left out. Knows no files; finding and joining them is tokenRules.ts.
 * Format: https://code.visualstudio.com/api/extension-guides/color-theme
 */
import { parse } from "jsonc-parser";
import type { ThemeRule } from "../../protocol/views";
import { readPropertyList } from "./propertyList";

/** What one file of a theme says about tokens. */
export interface ThemeText {
  /** A file whose rules come first, relative to this one. */
  readonly include: string | undefined;
  /** Rules in order, or a file that holds them, relative to this one. */
  readonly rules: readonly ThemeRule[] | string;
}

/** Longest selector of scopes that is taken, in UTF-16 units, and most of them in one rule. */
const MAX_SCOPE_LENGTH = 400;
const MAX_SCOPES = 400;

const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FONT_STYLES = new Set(["italic", "bold", "underline", "strikethrough"]);

/** Reads a file by what it says: anything that begins like XML is a property list. */
export function readThemeText(text: string): ThemeText {
  const isXml = /^\uFEFF?\s*</.test(text);
  const value: unknown = isXml ? readPropertyList(text) : parse(text, [], ALLOW_COMMAS);
  const { include, tokenColors, settings } = (value ?? {}) as Record<string, unknown>;
  return {
    include: typeof include === "string" && !isXml ? include : undefined,
    // Themes converted from TextMate keep their rules under "settings".
    rules: typeof tokenColors === "string" ? tokenColors : rulesFrom(tokenColors ?? settings),
  };
}

const ALLOW_COMMAS = { allowTrailingComma: true };

/** Whatever of a list is a rule for tokens with a scope. */
export function rulesFrom(list: unknown): ThemeRule[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    const { scope, settings } = (one ?? {}) as Record<string, unknown>;
    const rule = ruleFrom(scopesFrom(scope), settings);
    return rule === undefined ? [] : [rule];
  });
}

/** A rule from scopes and what a theme sets for them; undefined if it sets nothing of use. */
export function ruleFrom(scope: readonly string[], settings: unknown): ThemeRule | undefined {
  const { foreground, fontStyle } = (settings ?? {}) as Record<string, unknown>;
  const colour =
    typeof foreground === "string" && COLOUR.test(foreground.trim())
      ? { foreground: foreground.trim() }
      : {};
  const font = typeof fontStyle === "string" ? { fontStyle: fontStyleFrom(fontStyle) } : {};
  const read = { ...colour, ...font };
  if (scope.length === 0 || Object.keys(read).length === 0) return undefined;
  return { scope: [...scope], settings: read };
}

/** Known styles only; none at all is a style too: it takes those of wider rules away. */
function fontStyleFrom(text: string): string {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((style) => FONT_STYLES.has(style))
    .slice(0, FONT_STYLES.size)
    .join(" ");
}

function scopesFrom(scope: unknown): string[] {
  const list: unknown[] = typeof scope === "string" ? scope.split(",") : [];
  const scopes = Array.isArray(scope) ? (scope as unknown[]) : list;
  return scopes
    .filter((one) => typeof one === "string")
    .map((one) => one.trim())
    .filter((one) => one !== "" && one.length <= MAX_SCOPE_LENGTH)
    .slice(0, MAX_SCOPES);
}
