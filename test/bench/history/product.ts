/** Exports product code for the benchmark, which bundles this file when it runs. */
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../support/fakes/silentLog";
import type { Step } from "../../../src/conversation/conversation";
import { History } from "../../../src/history/history";
import { indexOfBytes } from "../../../src/host/node/indexOfBytes";
import { HistoryIndex } from "../../../src/search/historyIndex";
import { encodeRecord } from "../../../src/history/record";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";

export { encodeRecord };

/** Opens the history at `root` and its index, as a window does. */
export function openHistory(root: string) {
  const history = new History(nodeFileSystem(root), systemClock, silentLog);
  return { history, index: new HistoryIndex(history, systemClock, silentLog, indexOfBytes) };
}

/** Returns the steps up to the first text of a reply. */
export function turnBegun(conversationId: string): Step[] {
  return [
    { kind: "created", id: conversationId, atMs: 1 },
    {
      kind: "message-added",
      message: {
        role: "assistant",
        id: "reply",
        parentId: null,
        text: "",
        modelKind: "llm",
        modelCode: "core_llm",
        startedAtMs: 1,
      },
    },
  ];
}

/** Returns the step of a checkpoint; `offset` in UTF-16 units. */
export function grown(offset: number, text: string): Step {
  return { kind: "reply-grown", messageId: "reply", offset, text, atMs: 1 };
}
