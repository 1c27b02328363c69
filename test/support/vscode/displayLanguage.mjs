/**
 * Gives a served VS Code another display language, for tests of our own translations.
 *
 * How the web server build decides (tried with 1.139.1): it takes `--locale`, else `locale` in
 * argv.json, else the cookie `vscode.nls.locale`, else Accept-Language, and looks the language up
 * in `languagepacks.json` of its user data folder. Without a language pack there it falls back to
 * English whatever was asked. With one, `vscode.env.language` becomes that language, and so do
 * `vscode.l10n` (bundle.l10n.LANGUAGE.json) and package.nls.LANGUAGE.json of every extension.
 * Microsoft's language packs are on no npm registry, so this writes an empty pack: VS Code's own
 * texts stay English, only extensions speak the language.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Registers an empty language pack. To be called before the server starts and after anything was
 * installed into it (installing makes the server rewrite the list); then start it with `--locale`.
 *
 * @param {string} userDataFolder absolute path of the server's `data` folder
 * @param {string} language as VS Code names it, like zh-cn
 */
export function registerDisplayLanguage(userDataFolder, language) {
  const folder = join(userDataFolder, "empty-language-pack");
  mkdirSync(folder, { recursive: true });
  const texts = join(folder, "main.i18n.json");
  writeFileSync(texts, JSON.stringify({ version: "1.0.0", contents: {} }));
  const pack = {
    hash: `empty-${language}`,
    label: language,
    // The server looks at the first owner's id, and lists no extension at all if there is none.
    extensions: [
      { extensionIdentifier: { id: "core-chat.empty-language-pack" }, version: "1.0.0" },
    ],
    translations: { vscode: texts },
  };
  writeFileSync(join(userDataFolder, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}
