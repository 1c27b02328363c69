/**
 * Decides whether text of a reply may be written to a file. All replies that reach files pass here.
 * Checks the named path, the real path, and what programs make of the text.
 */
import * as vscode from "vscode";
import { isRunningGitConfig } from "../../secrets/gitFiles";
import { sensitivityOf, sensitivityOfFile, type Sensitivity } from "../../secrets/sensitivePath";
import { exists } from "../platform/files";
import { escapedPath, pathOf } from "../platform/sourceText";
import { locate } from "./location";
import { hasOtherNames } from "./readAccess";

/** Reason to ask before text of a reply stays in a file. */
export interface WriteConcern {
  /** The path to name in the question: the real path if the file is a link. */
  readonly path: string;
  readonly why: Sensitivity["why"] | "outside" | "shared";
  /** Program that reads the file, if one is known. */
  readonly reader: string | undefined;
}

export interface WrittenText {
  /** The new text, or the whole text of the file with it. */
  readonly text: string;
  /** Other files of the same reply, which may be written as well. */
  readonly together?: readonly vscode.Uri[];
}

/** Returns the reason to ask; undefined for an ordinary file. */
export async function writeConcernOf(
  target: vscode.Uri,
  { text, together = [] }: WrittenText,
): Promise<WriteConcern | undefined> {
  const isNamed = target.scheme !== "untitled";
  const { realPath, isInside, isLink } = isNamed
    ? await locate(target)
    : { realPath: target.path, isInside: true, isLink: false };
  const path = isLink ? escapedPath(realPath) : pathOf(target);
  const file = {
    path: target.path,
    inWorkspace: pathInWorkspace(target),
    text,
    current: openText(target),
    together: together.map((uri) => uri.path),
    exists: (one: string) =>
      isNamed ? exists(target.with({ path: one })) : Promise.resolve(false),
  };
  const sensitivity =
    (await sensitivityOfFile(file)) ??
    (isLink
      ? await sensitivityOfFile({ ...file, path: realUriPath(target, realPath) })
      : undefined);
  if (sensitivity !== undefined) return { path, ...sensitivity };
  if (isLink && !isInside) return { path, why: "outside", reader: undefined };
  const isShared = isNamed && (await hasOtherNames(target));
  return isShared ? { path, why: "shared", reader: undefined } : undefined;
}

/**
 * Asks before text of a reply is written to a sensitive file; true for any other file.
 * @param known the concern that the user has already accepted
 */
export async function mayWrite(
  target: vscode.Uri,
  written: WrittenText,
  known?: WriteConcern,
): Promise<boolean> {
  const concern = await writeConcernOf(target, written);
  if (concern === undefined || isSameConcern(concern, known)) return true;
  return askToWrite(concern, vscode.l10n.t("Keep Anyway"));
}

/** Returns false if a text makes no file sensitive; without a look at the disk. */
export function canTextMatter(target: vscode.Uri, text: string): boolean {
  const sensitivity = sensitivityOf(target.path, pathInWorkspace(target), text);
  return sensitivity !== undefined || isRunningGitConfig(text);
}

export function isSameConcern(one: WriteConcern, other: WriteConcern | undefined): boolean {
  return one.path === other?.path && one.why === other.why;
}

/** Asks with the path and the reason. */
export async function askToWrite(concern: WriteConcern, button: string): Promise<boolean> {
  const question = vscode.l10n.t(
    "{0}: {1}. Review the text before you keep or save it.",
    concern.path,
    reasonOf(concern),
  );
  return (await vscode.window.showWarningMessage(question, { modal: true }, button)) === button;
}

/** Returns the reason as a part of a sentence, for a question or a list. */
export function reasonOf({ why, reader }: WriteConcern): string {
  const reasons: Readonly<Record<typeof why, string>> = {
    git: vscode.l10n.t("part of a Git directory, from which Git runs commands"),
    "runs-by-itself":
      reader === undefined
        ? vscode.l10n.t("can run code automatically")
        : vscode.l10n.t("can run code automatically, in {0}", reader),
    "instructs-assistants":
      reader === undefined
        ? vscode.l10n.t("instructions that assistants follow")
        : vscode.l10n.t("instructions that {0} follows", reader),
    "guards-access": vscode.l10n.t("controls access to this or another machine"),
    outside: vscode.l10n.t("outside the workspace; a link in the workspace points to it"),
    shared: vscode.l10n.t("is a hard link: the same file may also be outside the workspace"),
  };
  return reasons[why];
}

/** Returns the path below the workspace folder; the name alone for a file elsewhere. */
function pathInWorkspace(target: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(target);
  return target.path.slice(folder ? folder.uri.path.length : target.path.lastIndexOf("/") + 1);
}

/** Returns the real path in the form of a URI's path; of other file systems than the disk the path itself. */
function realUriPath({ scheme, path }: vscode.Uri, realPath: string): string {
  return scheme === "file" ? vscode.Uri.file(realPath).path : path;
}

function openText(target: vscode.Uri): string {
  const uri = target.toString();
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri)?.getText() ?? "";
}
