/**
 * Finds the person's colour theme among the extensions and reads its rules for tokens. The page tells
 * which theme it is: it knows, whatever settings, the system's light and dark or a preview led to it.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { TokenTheme } from "../../protocol/views";
import { customised, readRules } from "./tokenRules";

/** Largest file of a theme that is read, in bytes; the largest known ones have 150 kB. */
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
 * The rules of a theme with the person's own changes.
 * @param themeId what settings call it: its id, or its label if it has none
 * @returns undefined if no extension that is visible here has such a theme
 */
export async function readColourTheme(themeId: string): Promise<TokenTheme | undefined> {
  const file = fileOf(themeId);
  if (file === undefined) return undefined;
  const rules = await readRules(file.path, (path) => readText(file.with({ path })));
  const editor = vscode.workspace.getConfiguration("editor");
  return customised(rules, editor.get("tokenColorCustomizations"), themeId);
}

function fileOf(themeId: string): vscode.Uri | undefined {
  for (const { extensionUri, packageJSON } of vscode.extensions.all) {
    const read = themesSchema.safeParse(packageJSON);
    if (!read.success) continue;
    const { themes } = read.data.contributes;
    const theme = themes.find(({ id, label }) => (id ?? label) === themeId);
    if (theme !== undefined) return vscode.Uri.joinPath(extensionUri, theme.path);
  }
  return undefined;
}

async function readText(file: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MAX_FILE_BYTES) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    // A theme that names a file it does not ship: VS Code shows it without those rules, too.
    return undefined;
  }
}
