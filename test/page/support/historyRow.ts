import type { MessageOf } from "../../../src/protocol/handlers";
import type { ToView } from "../../../src/protocol/toView";
import type { HistoryRow } from "../../../src/protocol/views";
import type { FakeHost } from "./fakeHost";

/** Returns a row of the history, of a conversation without anything special. */
export function historyRow(id: string, title: string, more: Partial<HistoryRow> = {}): HistoryRow {
  return {
    id,
    title,
    titleRanges: [],
    when: "14:02",
    detail: "core_llm · my-project",
    snippets: [],
    isPinned: false,
    isRunning: false,
    isShown: false,
    isDamaged: false,
    ...more,
  };
}

type HistoryShown = MessageOf<ToView, "history-shown">;
export type ListContent = { readonly [Key in keyof HistoryShown]?: HistoryShown[Key] | undefined };

/** Fills the list of conversations: with all that there are in this workspace, unless `more` differs. */
export async function showRows(
  host: FakeHost,
  rows: HistoryRow[],
  more: ListContent = {},
): Promise<void> {
  const whole = { text: "", isInBin: false, isComplete: true, workspace: "shop" };
  const shown = { type: "history-shown", ...whole, rows, foundCount: rows.length, ...more };
  await host.send(shown as HistoryShown);
}
