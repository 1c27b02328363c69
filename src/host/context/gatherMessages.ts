/**
 * What is said about things that were gathered: why one does not go, and what is not whole.
 */
import * as vscode from "vscode";
import type { ReferenceContent } from "../../chat/editorContext";
import type { Gathered } from "./gather";

/** The parts; what stands in the way is told. */
export function showGatherErrors(gathered: Gathered): ReferenceContent {
  if (!gathered.ok) {
    if (gathered.sentence !== "") void vscode.window.showInformationMessage(gathered.sentence);
    return { parts: [], pictures: [] };
  }
  if (gathered.remark !== undefined) void vscode.window.showInformationMessage(gathered.remark);
  return { parts: gathered.parts, pictures: [] };
}
