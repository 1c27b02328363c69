/** Finds text of files that VS Code decoded with another encoding than the file's. */
import * as vscode from "vscode";
import { pathOf } from "../platform/sourceText";

/**
 * Returns true for text with replacement characters (U+FFFD) that the file does not have. A file of
 * UTF-8 or UTF-16 may have such characters of its own.
 */
export function isMisread(text: string, bytes: Uint8Array): boolean {
  if (!text.includes("\uFFFD")) return false;
  const [first, second] = bytes;
  const isLittleEndian = first === 0xff && second === 0xfe;
  const name = first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const decoder = new TextDecoder(isLittleEndian ? "utf-16le" : name, { fatal: true });
    return decoder.decode(bytes) !== text.replace(/^\uFEFF/, "");
  } catch {
    return true;
  }
}

/** Returns true for an open document whose file has another encoding than chosen in VS Code. */
export async function isMisreadDocument(document: vscode.TextDocument): Promise<boolean> {
  if (document.isUntitled || !document.getText().includes("\uFFFD")) return false;
  const { fs, decode } = vscode.workspace;
  try {
    const bytes = await fs.readFile(document.uri);
    return isMisread(await decode(bytes, { encoding: document.encoding }), bytes);
  } catch {
    return false;
  }
}

/** Shows the way out for such a document; returns false for any other document. */
export async function refuseMisread(document: vscode.TextDocument): Promise<boolean> {
  if (!(await isMisreadDocument(document))) return false;
  void vscode.window.showWarningMessage(misreadSentence(document.uri));
  return true;
}

export function misreadSentence(uri: vscode.Uri): string {
  return vscode.l10n.t(
    '{0} is not UTF-8, so its text cannot be used yet. Open it, run "Change File Encoding", choose "Reopen with Encoding" and try again.',
    pathOf(uri),
  );
}
