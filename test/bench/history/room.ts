/**
 * The product code that the benchmark needs, bundled when it runs.
 */
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../../src/base/log";
import type { Step } from "../../../src/conversation/conversation";
import { History } from "../../../src/history/history";
import { encodeRecord } from "../../../src/history/record";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";

export { encodeRecord };

/** A window on the store at `root`. */
export function openHistory(root: string): History {
  return new History(nodeFileSystem(root), systemClock, silentLog);
}

/** The steps before the first text of a reply arrives. */
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

/** The step of one checkpoint; `offset` in UTF-16 units. */
export function grown(offset: number, text: string): Step {
  return { kind: "reply-grown", messageId: "reply", offset, text, atMs: 1 };
}
