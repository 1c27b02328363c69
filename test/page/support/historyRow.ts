import type { HistoryRow } from "../../../src/protocol/views";

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
