/**
 * Builds the style sheet of the panel's icons: those of VS Code's icon font that the panel's source
 * names, with the font embedded. A separate font file would delay the panel, because VS Code shows a
 * page only when all its files are loaded.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

const ICONS = "node_modules/@vscode/codicons/dist";

/** First rule of an icon in VS Code's style sheet. */
const FIRST_ICON = ".codicon-add:before";

/** Returns the style sheet. Throws an error if the source names an icon that the font does not have. */
export async function iconStyles() {
  const all = readFileSync(join(ICONS, "codicon.css"), "utf8");
  /** @type {Map<string, string>} code points in hexadecimal digits by name */
  const glyphs = new Map();
  for (const [, name, code] of all.matchAll(
    /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}/gm,
  )) {
    if (name !== undefined && code !== undefined) glyphs.set(name, code);
  }
  const source = sourceTexts().join("\n");
  for (const [, name] of source.matchAll(/\bicon="([^"]+)"|\bicon: "([^"]+)"/g)) {
    if (name !== undefined && !glyphs.has(name)) throw new Error(`there is no icon "${name}"`);
  }
  // Any quoted word may be an icon's name. A few unused icons cost less than a missing one.
  const quoted = [...source.matchAll(/["'`]([a-z][a-z0-9 -]*)["'`]/g)];
  const words = new Set(quoted.flatMap(([, text = ""]) => text.split(" ")));
  const used = [...glyphs].filter(([name]) => words.has(name));
  const text = used.map(([, code]) => String.fromCodePoint(Number.parseInt(code, 16))).join("");
  const font = await subsetFont(readFileSync(join(ICONS, "codicon.ttf")), text, {
    targetFormat: "woff2",
  });
  const rules = used.map(([name, code]) => `.codicon-${name}:before{content:"\\${code}"}`);
  return [
    `@font-face{font-family:"codicon";font-display:block;src:url("data:font/woff2;base64,${font.toString("base64")}") format("woff2")}`,
    all.slice(all.indexOf(".codicon["), all.indexOf(FIRST_ICON)),
    ...rules,
    "",
  ].join("\n");
}

/** Returns the text of each source file of the panel. */
function sourceTexts() {
  return readdirSync("src/webview", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join("src/webview", name), "utf8"));
}
