/**
 * Token colors without a readable VS Code theme. The theme has placeholder colors;
 * `withFallbackColors` replaces each by a VS Code variable with a default for pages outside VS
 * Code.
 */
import type { HighlightTheme } from "./protocol";

/** Token kinds: scopes, VS Code variable, default color in light and in dark pages. */
const KINDS = [
  ["comment, punctuation.definition.comment", "", "#5f6b5f", "#8a9a8a"],
  [
    "string, punctuation.definition.string, constant.character, string.regexp",
    "--vscode-debugTokenExpression-string",
    "#a31515",
    "#ce9178",
  ],
  [
    "constant.numeric, keyword.other.unit",
    "--vscode-debugTokenExpression-number",
    "#096d48",
    "#b5cea8",
  ],
  [
    "constant.language, variable.language, support.constant",
    "--vscode-debugTokenExpression-boolean",
    "#0000c0",
    "#569cd6",
  ],
  [
    "keyword, storage, storage.type, storage.modifier, punctuation.definition.keyword",
    "--vscode-symbolIcon-keywordForeground",
    "#0000c0",
    "#569cd6",
  ],
  [
    "entity.name.function, support.function, meta.function-call.generic",
    "--vscode-symbolIcon-functionForeground",
    "#795e26",
    "#dcdcaa",
  ],
  [
    "entity.name.type, entity.name.class, support.type, support.class, entity.other.inherited-class, entity.name.namespace",
    "--vscode-symbolIcon-classForeground",
    "#1f6f8b",
    "#4ec9b0",
  ],
  [
    "variable, entity.other.attribute-name, support.variable, meta.object-literal.key, support.type.property-name",
    "--vscode-debugTokenExpression-name",
    "#001080",
    "#9cdcfe",
  ],
  [
    "entity.name.tag, markup.heading, entity.name.section",
    "--vscode-symbolIcon-classForeground",
    "#800000",
    "#569cd6",
  ],
  ["markup.inserted", "--vscode-gitDecoration-addedResourceForeground", "#1a7f37", "#57ab5a"],
  ["markup.deleted, invalid", "--vscode-errorForeground", "#b01010", "#f47067"],
] as const;

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
