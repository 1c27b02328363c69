/** Roles: per conversation, shown under the question as what was sent, and sent once. */
import assert from "node:assert/strict";
import type { Role } from "../../../src/chat/view/editorContext";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig, type Page } from "../../support/chat/panelRig";

function role(id: string, text: string): Role {
  const part = { kind: "note", source: "role", label: `Role: ${id}`, text } as const;
  return { id, name: id, description: "", ignored: ["tools"], part };
}

describe("the role of a conversation", () => {
  let service: ReferenceService;
  let rig: PanelRig;
  let page: Page;
  before(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    service.reset();
    rig = new PanelRig(service.url);
    rig.context.roleList = [role("reviewer", "Review like a lighthouse."), role("poet", "Rhyme.")];
    page = await rig.openPage();
  });
  after(() => service.close());

  const choose = (id?: string) =>
    page.post({
      type: "parameters-chosen",
      conversationId: page.shown.conversationId,
      parameters: id === undefined ? {} : { role: id },
    });
  async function ask(text: string): Promise<string> {
    service.script({ blocks: ["Answer."] });
    await page.askToEnd(text);
    return JSON.stringify(service.requests.at(-1)?.body);
  }
  const chips = (text: string) => {
    const question = page.shown.messages.find((message) => message.text === text);
    return question?.role === "user" ? question.chips.map(({ label }) => label) : [];
  };
  const count = (body: string, text: string) => body.split(text).length - 1;

  it("is sent with the question and shown under it", async () => {
    await choose("reviewer");
    const body = await ask("What about this?");
    assert.equal(count(body, "Review like a lighthouse."), 1);
    assert.ok(body.indexOf("lighthouse") < body.indexOf("What about this?"));
    assert.deepEqual(chips("What about this?"), ["Role: reviewer"]);
  });

  it("is sent once, and later requests begin with the bytes of the one before", async () => {
    await choose("reviewer");
    const messagesOf = (body: string) =>
      JSON.stringify((JSON.parse(body) as { messages: unknown[] }).messages).slice(0, -1);
    const first = messagesOf(await ask("One"));
    const second = await ask("Two");
    assert.equal(count(second, "Review like a lighthouse."), 1);
    assert.ok(messagesOf(second).startsWith(first));
    const third = await ask("Three");
    assert.ok(messagesOf(third).startsWith(messagesOf(second)));
    assert.deepEqual(chips("Two"), ["Role: reviewer"]);
  });

  it("ends with a line of its own when another one or none is chosen", async () => {
    await choose("reviewer");
    await ask("One");
    await choose("poet");
    assert.match(await ask("Two"), /lighthouse.*Rhyme\./);
    await choose();
    const body = await ask("Three");
    assert.equal(count(body, "The role of earlier messages no longer applies."), 1);
    assert.deepEqual(chips("Three"), ["no role"]);
    assert.equal(count(await ask("Four"), "no longer applies"), 1);
    assert.deepEqual(chips("Four"), []);
  });

  it("belongs to its conversation only, and survives a restart", async () => {
    await choose("poet");
    await ask("One");
    const { conversationId } = page.shown;
    await page.post({ type: "conversation-asked" });
    assert.doesNotMatch(await ask("Elsewhere"), /Rhyme/);
    await rig.conversations.close();
    const roles = rig.context.roleList;
    rig = new PanelRig(service.url, rig);
    rig.context.roleList = roles;
    page = await rig.openPage();
    await page.post({ type: "conversation-opened", conversationId });
    await page.ask("Two", page.shown.messages[0]?.id);
    await page.until(() => page.lastReply?.isStreaming === false);
    assert.deepEqual(chips("Two"), ["Role: poet"]);
  });

  it("is named as not found when its file is gone, and nothing is sent for it", async () => {
    await choose("poet");
    rig.context.roleList = [];
    await page.post({ type: "snapshot-asked" });
    const chip = page.last("snapshot")?.panel.role;
    assert.deepEqual([chip?.label, chip?.detail, chip?.isOn], ["poet", "missing", false]);
    assert.doesNotMatch(await ask("One"), /Rhyme|role of earlier/);
  });
});
