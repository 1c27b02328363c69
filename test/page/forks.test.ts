/** Forks in the panel: the lines that lead to the other conversation. */
import assert from "node:assert/strict";
import { violationsAround } from "../support/browser/axe";
import { question, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

describe("a fork", () => {
  const open = usePanel();
  const messages = [question("q1", "Sort it"), reply("r1", "Sorted."), question("q2", "And?")];

  it("names where it is from at its start, and is named below its message", async () => {
    const host = await open({ shown: { conversationId: "c2", messages } });
    await host.send({
      type: "forks-shown",
      from: { conversationId: "c1", title: "Sort <b>it</b>" },
      forks: [{ conversationId: "c3", messageId: "r1", title: "Other way" }],
    });
    const from = host.page.getByRole("button", { name: "Forked from: Sort <b>it</b>" });
    await from.waitFor();
    const order = await host.page.evaluate(() => {
      const line = document.querySelector(".transcript-content > .fork-line")!;
      const first = document.querySelector("article")!;
      return line.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING;
    });
    assert.notEqual(order, 0, "before the first message");
    assert.deepEqual(await violationsAround(from), []);
    await host.page
      .locator("[data-message-id=r1]")
      .getByRole("button", { name: "Forked: Other way" })
      .click();
    assert.equal((await host.waitFor("conversation-opened")).conversationId, "c3");
  });

  it("of a deleted conversation says so without a link", async () => {
    const host = await open({ shown: { conversationId: "c2", messages } });
    await host.send({ type: "forks-shown", from: {}, forks: [] });
    await host.page.getByText("Forked from a conversation that was deleted").waitFor();
    assert.equal(await host.page.locator(".fork-line button").count(), 0);
  });
});
