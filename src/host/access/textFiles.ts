/** Sentences for files whose text is not sent. */
import * as vscode from "vscode";
import { reasonOf, type Concern, type RefusedKind } from "./readAccess";
import { escapedPath, pathOf } from "../platform/sourceText";

/** Returns the reason why a file was left out without a question, and how to add its text. */
export function leftOutFileSentence(uri: vscode.Uri, concern: Concern): string {
  const path = pathOf(uri);
  const { secret, isInside } = concern;
  const realPath = escapedPath(concern.realPath);
  if (secret !== undefined) {
    return vscode.l10n.t(
      "Only the name of {0} was sent, as it may hold secrets: {1}. Attach it in Core Chat's own panel to send its text.",
      path,
      reasonOf(secret),
    );
  }
  if (!isInside) {
    return vscode.l10n.t(
      "Only the name of {0} was sent, as it is outside the workspace: {1}. Attach it in Core Chat's own panel to send its text.",
      path,
      realPath,
    );
  }
  return vscode.l10n.t(
    "Only the name of {0} was sent, as it is a link: {1}. Attach it in Core Chat's own panel to send its text.",
    path,
    realPath,
  );
}

/** Upper limit of files named in a sentence. */
const MAX_NAMED = 5;

/** Lists the files of which only the name is sent. */
export function namesOnlySentence(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map(escapedPath).join(", ");
  return paths.length > MAX_NAMED
    ? vscode.l10n.t(
        "Only names were included of files that may hold secrets, are links or are outside the workspace: {0} and {1} more.",
        named,
        paths.length - MAX_NAMED,
      )
    : vscode.l10n.t(
        "Only names were included of files that may hold secrets, are links or are outside the workspace: {0}.",
        named,
      );
}

/** Returns the reason why a file cannot be text of a question. */
export function refusedFileSentence(uri: vscode.Uri, kind: RefusedKind): string {
  const path = pathOf(uri);
  switch (kind) {
    case "picture":
      return vscode.l10n.t("{0} is a picture. Attach it as a picture instead.", path);
    case "archive":
      return vscode.l10n.t("{0} is an archive. Unpack it and add a file of it.", path);
    case "program":
      return vscode.l10n.t("{0} is a program, not text. Add its source instead.", path);
    case "document":
      return vscode.l10n.t("{0} is not a plain text. Add its text or a picture of it.", path);
    case "sound-or-video":
      return vscode.l10n.t("{0} is sound or video. Add text about it instead.", path);
    case "font":
    case "binary":
      return vscode.l10n.t("{0} is not text. Add a text file instead.", path);
    case "huge":
      return vscode.l10n.t("{0} is larger than 1 MB. Select a part of it and add that.", path);
    case "unreadable":
      return vscode.l10n.t("{0} could not be read. Check that it is there.", path);
    default:
      return kind satisfies never;
  }
}
