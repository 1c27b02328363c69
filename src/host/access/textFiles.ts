/** Sentences for files whose text is not sent. */
import * as vscode from "vscode";
import { reasonOf, type Concern, type RefusedKind } from "./readAccess";
import { setByOrganization } from "../policy/policy";
import { escapedPath, pathOf } from "../platform/sourceText";

/** Returns the reason why a file was left out without a question, and how to add its text. */
export function leftOutFileSentence(uri: vscode.Uri, concern: Concern): string {
  const path = pathOf(uri);
  const { secret, isInside, isShared, exclusion } = concern;
  const realPath = escapedPath(concern.realPath);
  if (secret !== undefined) {
    return vscode.l10n.t(
      "Only the name of {0} was sent because it may contain secrets: {1}. To send its text, attach it in the Core Chat panel.",
      path,
      reasonOf(secret),
    );
  }
  if (exclusion === "policy") {
    return vscode.l10n.t("Only the name of {0} was sent: {1}", path, setByOrganization());
  }
  if (exclusion !== undefined) {
    return vscode.l10n.t(
      "Only the name of {0} was sent because it is listed in {1}. To send its text, attach it in the Core Chat panel.",
      path,
      exclusion,
    );
  }
  if (!isInside) {
    return vscode.l10n.t(
      "Only the name of {0} was sent because it is outside the workspace: {1}. To send its text, attach it in the Core Chat panel.",
      path,
      realPath,
    );
  }
  if (isShared) {
    return vscode.l10n.t(
      "Only the name of {0} was sent because it is a hard link: the same file may also be outside the workspace. To send its text, attach it in the Core Chat panel.",
      path,
    );
  }
  return vscode.l10n.t(
    "Only the name of {0} was sent because it is a link: {1}. To send its text, attach it in the Core Chat panel.",
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
        "These files may contain secrets, are links or are outside the workspace, so only their names were included: {0} and {1} more.",
        named,
        paths.length - MAX_NAMED,
      )
    : vscode.l10n.t(
        "These files may contain secrets, are links or are outside the workspace, so only their names were included: {0}.",
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
      return vscode.l10n.t("{0} is an archive. Extract it and add a file from it.", path);
    case "program":
      return vscode.l10n.t("{0} is a program, not text. Add its source code instead.", path);
    case "document":
      return vscode.l10n.t("{0} is not plain text. Add its text, or a picture of it.", path);
    case "sound-or-video":
      return vscode.l10n.t("{0} is audio or video. Add text about it instead.", path);
    case "font":
    case "binary":
      return vscode.l10n.t("{0} is not text. Add a text file instead.", path);
    case "huge":
      return vscode.l10n.t("{0} is larger than 1 MB. Add a selection of it instead.", path);
    case "unreadable":
      return vscode.l10n.t("{0} could not be read. Check that it exists.", path);
    default:
      return kind satisfies never;
  }
}
