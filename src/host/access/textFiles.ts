/** Sentences for files whose text is not sent. */
import * as vscode from "vscode";
import { misreadSentence } from "./encoding";
import type { RefusedKind } from "./readAccess";
import { escapedPath, pathOf } from "../platform/sourceText";

/** Upper limit of files named in a sentence. */
const MAX_NAMED = 5;

/** Lists the files of which only the name is sent. */
export function namesOnlySentence(paths: readonly string[]): string {
  const shownPaths = paths.slice(0, MAX_NAMED).map(escapedPath).join(", ");
  return paths.length > MAX_NAMED
    ? vscode.l10n.t(
        "These files may contain secrets, are links or are outside the workspace, so only their names were included: {0} and {1} more.",
        shownPaths,
        paths.length - MAX_NAMED,
      )
    : vscode.l10n.t(
        "These files may contain secrets, are links or are outside the workspace, so only their names were included: {0}.",
        shownPaths,
      );
}

/** Returns the reason why a file cannot be text of a question. */
export function refusedFileSentence(uri: vscode.Uri, kind: RefusedKind): string {
  const path = pathOf(uri);
  const sentences: Readonly<Record<RefusedKind, string>> = {
    picture: vscode.l10n.t("{0} is a picture. Attach it as a picture instead.", path),
    archive: vscode.l10n.t("{0} is an archive. Extract it and add a file from it.", path),
    program: vscode.l10n.t("{0} is a program, not text. Add its source code instead.", path),
    document: vscode.l10n.t("{0} is not plain text. Add its text, or a picture of it.", path),
    "sound-or-video": vscode.l10n.t("{0} is audio or video. Add text about it instead.", path),
    font: vscode.l10n.t("{0} is not text. Add a text file instead.", path),
    binary: vscode.l10n.t("{0} is not text. Add a text file instead.", path),
    huge: vscode.l10n.t("{0} is larger than 1 MB. Add a selection of it instead.", path),
    misread: misreadSentence(uri),
    unreadable: vscode.l10n.t("{0} could not be read. Check that it exists.", path),
  };
  return sentences[kind];
}
