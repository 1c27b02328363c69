/**
 * Token colours for when the person's theme cannot be read. The colours are stand-ins: `fallbackColour`
 * gives the style sheet the editor's variable for each, with a value of its own for a bare page.
 */
import type { HighlightTheme } from "./protocol";

/** Kinds of token, the scopes of each, the editor's variable, and a colour for light and dark pages. */
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

/** The colour that stands for a kind: no theme has it, being as good as black. */
function standIn(index: number): string {
  return `#0000${(index + 1).toString(16).padStart(2, "0")}fe`.toUpperCase();
}

export const FALLBACK_THEME: HighlightTheme = {
  tokenColors: [
    ...KINDS.map(([scope], index) => ({
      scope: scope.split(", "),
      settings: { foreground: standIn(index) },
    })),
    { scope: ["markup.bold"], settings: { fontStyle: "bold" } },
    { scope: ["markup.italic"], settings: { fontStyle: "italic" } },
  ],
};

/** Declarations with stand-ins replaced by the editor's variables. */
export function withFallbackColours(declarations: string): string {
  return declarations.replace(/#0000([0-9A-F]{2})FE\b/g, (colour, number: string) => {
    const kind = KINDS[Number.parseInt(number, 16) - 1];
    if (kind === undefined) return colour;
    const [, variable, light, dark] = kind;
    const own = `light-dark(${light}, ${dark})`;
    return variable === "" ? own : `var(${variable}, ${own})`;
  });
}
