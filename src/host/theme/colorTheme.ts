/**
 * Finds the user's color theme among the extensions and reads its token rules. The page reports the
 * id of its theme, which covers settings, system appearance and previews.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { TokenTheme } from "../../protocol/views";
import { customizeTheme, readRules } from "./tokenRules";

/** Largest theme file that is read, in bytes; the largest known themes have 150 kB. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

const themesSchema = z.object({
  contributes: z.object({
    themes: z.array(
      z.object({
        id: z.optional(z.string()),
        label: z.optional(z.string()),
        path: z.string(),
      }),
    ),
  }),
});

/**
 * Returns the rules of a theme with the user's customizations.
 * @param themeId name in the settings: the theme's id, or its label if it has none
 * @returns undefined if no visible extension provides the theme, or if no rule of it can be read
 */
export async function readColorTheme(themeId: string): Promise<TokenTheme | undefined> {
  const file = fileOf(themeId);
  if (file === undefined) return undefined;
  const rules = await readRules(file.path, (path) => readText(file.with({ path })));
  if (rules.length === 0) return undefined;
  const editor = vscode.workspace.getConfiguration("editor");
  return customizeTheme(rules, editor.get("tokenColorCustomizations"), themeId);
}

function fileOf(themeId: string): vscode.Uri | undefined {
  for (const { extensionUri, packageJSON } of vscode.extensions.all) {
    const parsed = themesSchema.safeParse(packageJSON);
    if (!parsed.success) continue;
    const { themes } = parsed.data.contributes;
    const theme = themes.find(({ id, label }) => (id ?? label) === themeId);
    if (theme !== undefined) return vscode.Uri.joinPath(extensionUri, theme.path);
  }
  return undefined;
}

async function readText(file: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MAX_FILE_BYTES) return undefined;
    // eslint-disable-next-line no-restricted-syntax -- colors for the page
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    // The theme names a missing file. VS Code shows the theme without those rules, too.
    return undefined;
  }
}
