/**
 * Parses a color theme's file: its token rules and included files. Drops invalid rules. A theme in
 * TextMate's XML has no rules here; code then has the colors of the page's default theme. File
 * access is in tokenRules.ts.
 * Format: https://code.visualstudio.com/api/extension-guides/color-theme
 */
import { parse } from "jsonc-parser";
import type { ThemeRule } from "../../protocol/views";

export interface ThemeText {
  /** File with the rules that come first, relative to this file. */
  readonly include: string | undefined;
  /** Rules in order, or the relative path of a file with rules. */
  readonly rules: readonly ThemeRule[] | string;
}

/** Longest scope selector, in UTF-16 units, and most selectors of a rule. */
const MAX_SCOPE_LENGTH = 400;
const MAX_SCOPES = 400;

const COLOR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FONT_STYLES = new Set(["italic", "bold", "underline", "strikethrough"]);

/** Parses a theme file, which is JSON with comments. */
export function readThemeText(text: string): ThemeText {
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  const { include, tokenColors, settings } = (value ?? {}) as Record<string, unknown>;
  return {
    include: typeof include === "string" ? include : undefined,
    // Themes converted from TextMate have their rules under "settings".
    rules: typeof tokenColors === "string" ? tokenColors : rulesFrom(tokenColors ?? settings),
  };
}

/** Returns the valid token rules with a scope from a list. */
export function rulesFrom(list: unknown): ThemeRule[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    const { scope, settings } = (one ?? {}) as Record<string, unknown>;
    const rule = ruleFrom(scopesFrom(scope), settings);
    return rule === undefined ? [] : [rule];
  });
}

/** Creates a rule from scopes and their settings; undefined if it sets nothing we use. */
export function ruleFrom(scope: readonly string[], settings: unknown): ThemeRule | undefined {
  const { foreground, fontStyle } = (settings ?? {}) as Record<string, unknown>;
  const color =
    typeof foreground === "string" && COLOR.test(foreground.trim())
      ? { foreground: foreground.trim() }
      : {};
  const font = typeof fontStyle === "string" ? { fontStyle: fontStyleFrom(fontStyle) } : {};
  const tokenSettings = { ...color, ...font };
  if (scope.length === 0 || Object.keys(tokenSettings).length === 0) return undefined;
  return { scope: [...scope], settings: tokenSettings };
}

/** Keeps known styles. An empty style is valid: it resets the styles of broader rules. */
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
