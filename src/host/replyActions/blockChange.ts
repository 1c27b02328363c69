/** Makes the change of a single block of a reply, in a file that is open in an editor. */
import * as vscode from "vscode";
import { newPlaceholder } from "../../replyCode/placeholders";
import { refuseMisread } from "../access/encoding";
import { withoutHidden } from "../access/confirmInsert";
import { writeConcernOf } from "../access/writeAccess";
import { isEditable } from "../inline/editable";
import { PROPOSAL_SCHEME } from "../platform/contributions";
import { pathOf, sourceOf } from "../platform/sourceText";
import { filesNamed } from "./fileLinks";
import { chooseTarget } from "./pickTarget";
import type { PlannedFile } from "./plannedFile";

/** Schemes of documents that are no targets: output, other diffs, and proposals. */
const NO_TARGETS = new Set(["output", "git", "vscode-scm", "comment", PROPOSAL_SCHEME]);

/**
 * Returns the change of a block; explains why there is none.
 * @param path file that the reply names, in which the block has no clear position
 */
export async function changeOfBlock(
  code: string,
  path: string | undefined,
): Promise<PlannedFile | undefined> {
  const [named, ...others] = path === undefined ? [] : await filesNamed(path);
  if (named !== undefined && others.length === 0) {
    await vscode.window.showTextDocument(named, { preview: false });
  }
  const editors = targetEditors();
  if (editors.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "No file is open in an editor. Open the file that the code is for and apply again.",
      ),
    );
    return undefined;
  }
  const target = await chooseTarget(code, editors);
  if (target === undefined || target.document.isClosed) return undefined;
  const { document, lines: range } = target;
  const { uri } = document;
  const name = pathOf(uri);
  if (!(await isEditable(document))) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t("{0} is read-only. Apply the code to another file.", name),
    );
    return undefined;
  }
  if (await refuseMisread(document)) return undefined;
  const before = sourceOf(document).lines;
  const leftOut = newPlaceholder(range.lines, before);
  if (leftOut !== undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "{0} was not changed because the code omits parts at an unclear position: {1}. Ask for the complete code, or edit the file yourself.",
        name,
        leftOut.trim(),
      ),
    );
    return undefined;
  }
  const { startLine, endLine } = range;
  const changed = before.toSpliced(startLine, endLine - startLine, ...range.lines).join("\n");
  const text = await withoutHidden(changed, before.join("\n"));
  if (text === undefined || document.isClosed) return undefined;
  const lines = text.split("\n");
  if (text === before.join("\n")) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("{0} already contains this code, so nothing was changed.", name),
    );
    const selection = new vscode.Range(startLine, 0, startLine, 0);
    await vscode.window.showTextDocument(document, { selection });
    return undefined;
  }
  const concern = await writeConcernOf(uri, { text });
  return { kind: "edit", uri, source: uri, before, lines, concern, lacking: 0 };
}

function targetEditors(): vscode.TextEditor[] {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  const seen = new Set<string>();
  return all.filter(({ document: { uri } }) => {
    if (NO_TARGETS.has(uri.scheme) || seen.has(uri.toString())) return false;
    seen.add(uri.toString());
    return true;
  });
}
