/**
 * What is said about things that were gathered: why one does not go, and what is not whole.
 */
import * as vscode from "vscode";
import type { Part } from "../../conversation/message";
import type { Gathered } from "./gather";

/** The parts; what stands in the way is told. */
export function told(gathered: Gathered): readonly Part[] {
  if (!gathered.ok) {
    if (gathered.sentence !== "") void vscode.window.showInformationMessage(gathered.sentence);
    return [];
  }
  if (gathered.remark !== undefined) void vscode.window.showInformationMessage(gathered.remark);
  return gathered.parts;
}
