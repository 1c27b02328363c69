/**
 * Decides whether text of a reply may be written to a file. All replies that reach files pass here.
 * Checks the named path and the real path.
 */
import * as vscode from "vscode";
import { sensitivityOf, type Sensitivity } from "../../context/sensitivePath";
import { escapedPath, pathOf } from "../platform/sourceText";
import { locate } from "./location";
import { hasOtherNames } from "./readAccess";

/** Reason to ask before text of a reply stays in a file. */
export interface WriteConcern {
  /** The path to name in the question: the real path if the file is a link. */
  readonly path: string;
  readonly why: Sensitivity | "outside" | "shared";
}

/** Returns the reason to ask; undefined for an ordinary file. */
export async function writeConcernOf(target: vscode.Uri): Promise<WriteConcern | undefined> {
  if (target.scheme === "untitled") return undefined;
  const named = sensitivityOf(target.path);
  const { realPath, isInside, isLink } = await locate(target);
  const real = sensitivityOf(realPath);
  const path = isLink ? escapedPath(realPath) : pathOf(target);
  const why = named ?? real;
  if (why !== undefined) return { path, why };
  if (isLink && !isInside) return { path, why: "outside" };
  return (await hasOtherNames(target)) ? { path, why: "shared" } : undefined;
}

/** Asks before text of a reply is written to a sensitive file; true for any other file. */
export async function mayWrite(target: vscode.Uri): Promise<boolean> {
  const concern = await writeConcernOf(target);
  if (concern === undefined) return true;
  const keep = vscode.l10n.t("Keep Anyway");
  const chosen = await vscode.window.showWarningMessage(sentenceOf(concern), { modal: true }, keep);
  return chosen === keep;
}

function sentenceOf({ path, why }: WriteConcern): string {
  switch (why) {
    case "runs-by-itself":
      return vscode.l10n.t(
        "{0} can run code automatically. Review the text before keeping it.",
        path,
      );
    case "guards-access":
      return vscode.l10n.t(
        "{0} controls access to this or another machine. Review the text before keeping it.",
        path,
      );
    case "outside":
      return vscode.l10n.t(
        "{0} is outside the workspace; a link in the workspace points to it. Review the text before keeping it.",
        path,
      );
    case "shared":
      return vscode.l10n.t(
        "{0} has another name on the disk, which may be outside the workspace. Review the text before keeping it.",
        path,
      );
    default:
      return why satisfies never;
  }
}
