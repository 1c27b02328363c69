/**
 * Token colors without a readable VS Code theme. The theme has placeholder colors;
 * `withFallbackColors` replaces each by a VS Code variable with a default for pages outside VS
 * Code.
 */
import colors from "./fallbackColors.json";
import type { HighlightTheme } from "./protocol";

/** Scopes, VS Code variable, default color in light and in dark pages. */
type Kind = readonly [scopes: string, variable: string, light: string, dark: string];

const KINDS = colors as unknown as readonly Kind[];

/** Returns the placeholder color of a kind. The values are nearly black, which no theme uses. */
function placeholderColor(index: number): string {
  return `#0000${(index + 1).toString(16).padStart(2, "0")}fe`.toUpperCase();
}

export const FALLBACK_THEME: HighlightTheme = {
  tokenColors: [
    ...KINDS.map(([scope], index) => ({
      scope: scope.split(", "),
      settings: { foreground: placeholderColor(index) },
    })),
    { scope: ["markup.bold"], settings: { fontStyle: "bold" } },
    { scope: ["markup.italic"], settings: { fontStyle: "italic" } },
  ],
};

/** Replaces placeholder colors by VS Code variables. */
export function withFallbackColors(declarations: string): string {
  return declarations.replace(/#0000([0-9A-F]{2})FE\b/g, (color, number: string) => {
    const kind = KINDS[Number.parseInt(number, 16) - 1];
    if (kind === undefined) return color;
    const [, variable, light, dark] = kind;
    const themed = `light-dark(${light}, ${dark})`;
    return variable === "" ? themed : `var(${variable}, ${themed})`;
  });
}
