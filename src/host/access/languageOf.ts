/**
 * Finds the language of a file by its name, from the contributions of extensions and the setting
 * `files.associations`. VS Code's API knows the language of open documents only.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";

const contributionSchema = z.object({
  contributes: z.object({
    languages: z.array(
      z.object({
        id: z.string(),
        extensions: z._default(z.array(z.string()), []),
        filenames: z._default(z.array(z.string()), []),
      }),
    ),
  }),
});

/** Returns a language id; "plaintext" for a name that no extension knows. */
export function languageOf(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1).toLowerCase();
  let best = { id: "plaintext", length: 0 };
  const considerEnding = (id: string, ending: string) => {
    const isBetter = name.endsWith(ending.toLowerCase()) && ending.length > best.length;
    if (isBetter) best = { id, length: ending.length };
  };
  for (const { packageJSON } of vscode.extensions.all) {
    const parsed = contributionSchema.safeParse(packageJSON);
    if (!parsed.success) continue;
    for (const { id, extensions, filenames } of parsed.data.contributes.languages) {
      for (const ending of extensions) considerEnding(id, ending);
      if (filenames.some((filename) => filename.toLowerCase() === name))
        best = { id, length: Infinity };
    }
  }
  const files = vscode.workspace.getConfiguration("files", uri);
  const associations = z.record(z.string(), z.string()).safeParse(files.get("associations"));
  for (const [glob, id] of Object.entries(associations.success ? associations.data : {})) {
    if (glob.startsWith("*.") && name.endsWith(glob.slice(1).toLowerCase())) return id;
    if (glob.toLowerCase() === name) return id;
  }
  return best.id;
}
