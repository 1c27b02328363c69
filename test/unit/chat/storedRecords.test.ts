/** Conversations with records of earlier builds, whose capabilities are gone: read, shown and continued. */
import assert from "node:assert/strict";
import { stepSchema } from "../../../src/conversation/conversation";
import { suiteService } from "../../support/chat/chatSuite";
import { openChat } from "../../support/chat/panelRig";

const SOURCES = ["role", "debugger", "folder", "changes", "notebook"];
const model = { modelKind: "llm", modelCode: "core_llm", startedAtMs: 2 };

/** Returns the steps of a conversation with a role and with notes of sources that no longer exist. */
function earlierSteps() {
  const notes = SOURCES.map((source) => ({
    kind: "note",
    source,
    label: `Label of ${source}`,
    text: `Text of ${source}.`,
  }));
  const parts = [...notes, { kind: "text", text: "What is wrong?" }];
  return [
    { kind: "created", id: "c1", atMs: 1 },
    { kind: "parameters-chosen", parameters: { role: ".github/agents/a.agent.md", topP: 0.5 } },
    {
      kind: "message-added",
      message: { role: "user", id: "q", parentId: null, parts, sentAtMs: 1 },
    },
    {
      kind: "message-added",
      message: { role: "assistant", id: "r", parentId: "q", text: "The sum.", ...model },
    },
    { kind: "reply-ended", messageId: "r", atMs: 3, ending: { kind: "complete" } },
  ].map((step) => stepSchema.parse(step));
}

describe("a conversation of an earlier build", () => {
  const service = suiteService();

  it("shows roles and notes of sources that are gone, and can be continued without its role", async () => {
    const { rig, page } = await openChat(service.url);
    await rig.conversations.adopt("c1", earlierSteps());
    await page.open("c1");
    await page.until(() => page.shown.messages.length === 2);
    const [question] = page.shown.messages;
    assert.ok(question?.role === "user");
    assert.deepEqual(
      question.chips.map(({ kind, label }) => [kind, label]),
      SOURCES.map((source) => [source, `Label of ${source}`]),
    );
    await service.exchange(page, "Sure?", "Yes.");
    const sent = JSON.stringify(service.requests.at(-1)?.body);
    for (const source of SOURCES) assert.ok(sent.includes(`Text of ${source}.`), source);
    const { conversation } = await rig.conversations.get("c1");
    const [next] = [...conversation.messages.values()].filter(({ parentId }) => parentId === "r");
    assert.deepEqual(conversation.parameters, { topP: 0.5 });
    assert.ok(next?.role === "user");
    assert.deepEqual(next.parts, [{ kind: "text", text: "Sure?" }]);
  });
});
