/**
 * The panel's icons: of VS Code's icon font those that the panel's source names, as one style sheet with
 * the font inside. A font in a file of its own would be one more thing to load, and VS Code shows a page
 * only when everything is there.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

const ICONS = "node_modules/@vscode/codicons/dist";

/** Begins the part of VS Code's style sheet that has a rule for each icon. */
const FIRST_ICON = ".codicon-add:before";

/** The style sheet. Throws when the source names an icon that the font does not have. */
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
  // Any word in quotes may be an icon's name: a few too many weigh less than one that is missing.
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

/** All of the panel's source, text by text. */
function sourceTexts() {
  return readdirSync("src/webview", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join("src/webview", name), "utf8"));
}
