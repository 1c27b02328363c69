import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { suiteService } from "../../support/chat/chatSuite";
import { openChat } from "../../support/chat/panelRig";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("conversations in memory", () => {
  const service = suiteService();

  async function untilFree(reference: WeakRef<object>, rounds = 50): Promise<boolean> {
    for (let round = 0; round < rounds && reference.deref() !== undefined; round++) {
      await setImmediate(); // A reference that was read stays until its task ends.
      collectGarbage();
    }
    return reference.deref() === undefined;
  }

  it("are free once no view shows them, and are the same when they are opened again", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["4"] }, { blocks: ["6"] });
    await page.askToEnd("2 + 2?");
    const firstId = page.conversationId;
    const before = page.shown.messages;
    const first = new WeakRef(await rig.conversations.get(firstId));
    await page.post({ type: "conversation-asked" });
    await page.askToEnd("3 + 3?");
    assert.ok(await untilFree(first), "still in memory");
    await page.open(firstId);
    await page.until(() => page.conversationId === firstId);
    assert.deepEqual(page.shown.messages, before);
  });

  it("stay while they could not be written", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["4"] });
    const append = rig.files.append.bind(rig.files);
    rig.files.append = () => Promise.reject(new Error("the disk is full"));
    await page.askToEnd("2 + 2?");
    const first = new WeakRef(await rig.conversations.get(page.conversationId));
    await page.post({ type: "conversation-asked" });
    assert.equal(await untilFree(first, 5), false);
    rig.files.append = append;
    await rig.conversations.close();
  });
});
