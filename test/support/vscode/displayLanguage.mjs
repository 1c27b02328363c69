/**
 * Sets another display language of a served VS Code, for tests of Core Chat's translations.
 *
 * The web server build (tested with 1.139.1) uses `--locale`, else `locale` in argv.json, else the
 * cookie `vscode.nls.locale`, else Accept-Language, and looks the language up in
 * `languagepacks.json` of its user data folder. Without a language pack there, VS Code falls back
 * to English. With a pack, `vscode.env.language` becomes that language, and so do `vscode.l10n`
 * (bundle.l10n.LANGUAGE.json) and package.nls.LANGUAGE.json of every extension. Microsoft's
 * language packs are on no npm registry, so this module writes an empty pack: VS Code's own texts
 * stay English, and only extensions use the language.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Registers an empty language pack. Call this before the server starts and after extensions are
 * installed, because an installation makes the server rewrite the list. Then start the server with
 * `--locale`.
 *
 * @param {string} userDataFolder absolute path of the server's `data` folder
 * @param {string} language VS Code's name, such as zh-cn
 */
export function registerDisplayLanguage(userDataFolder, language) {
  const folder = join(userDataFolder, "empty-language-pack");
  mkdirSync(folder, { recursive: true });
  const texts = join(folder, "main.i18n.json");
  writeFileSync(texts, JSON.stringify({ version: "1.0.0", contents: {} }));
  const pack = {
    hash: `empty-${language}`,
    label: language,
    // The server reads the first owner's id, and lists no extension at all without an owner.
    extensions: [
      { extensionIdentifier: { id: "core-chat.empty-language-pack" }, version: "1.0.0" },
    ],
    translations: { vscode: texts },
  };
  writeFileSync(join(userDataFolder, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}
