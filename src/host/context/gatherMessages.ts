/** Shows messages about gathered context: reasons for refusals, and remarks. */
import * as vscode from "vscode";
import type { ReferenceContent } from "../../chat/editorContext";
import type { Gathered } from "./gather";

/** Returns the parts; shows the reason if there are none. */
export function showGatherErrors(gathered: Gathered): ReferenceContent {
  if (!gathered.ok) {
    if (gathered.sentence !== "") void vscode.window.showInformationMessage(gathered.sentence);
    return { parts: [], pictures: [] };
  }
  if (gathered.remark !== undefined) void vscode.window.showInformationMessage(gathered.remark);
  return { parts: gathered.parts, pictures: [] };
}
