/**
 * Pending edits of a workspace in VS Code's storage, so that a window that reloads offers them again.
 * Stores lines and endings; the questions and replies are not stored.
 */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { endingSchema } from "../../conversation/ending";
import type { InlineEntry } from "./inlineEntry";

/** Key in the workspace's storage; absent without pending edits. */
export const SAVED_EDITS_KEY = "coreChat.pendingEdits";

/** Upper limit of stored edits; edits of files that are never opened again would stay forever. */
const MAX_SAVED = 50;

const savedEditSchema = z.object({
  uri: z.string(),
  /** 0-based first line of the proposal. */
  startLine: z.int().check(z.nonnegative()),
  originalLines: z.array(z.string()).check(z.minLength(1)),
  proposedLines: z.array(z.string()).check(z.minLength(1)),
  ending: endingSchema,
  damagedParts: z.int().check(z.nonnegative()),
});
export type SavedEdit = z.infer<typeof savedEditSchema>;

/** Returns the stored edits; entries that cannot be read are left out. */
export function readSavedEdits(memory: vscode.Memento): SavedEdit[] {
  const saved = memory.get<unknown>(SAVED_EDITS_KEY);
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((one: unknown) => {
    const parsed = savedEditSchema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}

export async function writeSavedEdits(
  memory: vscode.Memento,
  edits: readonly SavedEdit[],
): Promise<void> {
  await memory.update(SAVED_EDITS_KEY, edits.length === 0 ? undefined : edits.slice(-MAX_SAVED));
}

/** Returns an edit for storage; undefined if nothing of the edit is in the document. */
export function savedEditOf({
  document,
  session,
  edit,
  startLine,
}: InlineEntry): SavedEdit | undefined {
  const { originalLines, proposedLines, phase } = session;
  if (phase.kind === "closed" || document.isClosed || session.isUnchanged) return undefined;
  return {
    uri: document.uri.toString(),
    startLine,
    originalLines: [...originalLines],
    proposedLines: [...proposedLines],
    // A reply that is still arriving stops with the window.
    ending: edit.report?.ending ?? { kind: "stopped" },
    damagedParts: edit.report?.damagedParts ?? 0,
  };
}

/**
 * Returns the 0-based line of an edit's proposal in a document: the stored line, or the only position
 * with these lines; undefined if the document has other text.
 */
export function findProposal(
  lines: readonly string[],
  { startLine, proposedLines }: SavedEdit,
): number | undefined {
  const isAt = (at: number) => proposedLines.every((line, index) => lines[at + index] === line);
  if (isAt(startLine)) return startLine;
  const positions = lines.flatMap((_, at) => (isAt(at) ? [at] : []));
  return positions.length === 1 ? positions[0] : undefined;
}
