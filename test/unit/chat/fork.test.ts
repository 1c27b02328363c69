/** Forks: a new conversation from a message, with links both ways. */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";
import { offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { filesWith } from "../../support/fakes/byteSearch";
import { madePng } from "../../support/pictures/madePng";

describe("fork", () => {
  const service = suiteService();

  async function openAsked(...answers: string[]) {
    const { rig, page } = await openChat(service.url);
    service.script(...answers.map((answer) => ({ blocks: [answer] })));
    for (const [index] of answers.entries()) await page.askToEnd(`Question ${index + 1}`);
    return { rig, page, originId: page.conversationId };
  }

  async function fork(page: Page, messageId: string): Promise<string> {
    const { conversationId } = page;
    await page.session.fork(messageId);
    await page.until(() => page.conversationId !== conversationId);
    return page.conversationId;
  }

  const linksOf = (page: Page) => {
    const { from, forks } = page.last("forks-shown") ?? {};
    return { from, forks };
  };

  it("at an answer has the messages up to it, an empty box, and links both ways", async () => {
    const { rig, page, originId } = await openAsked("one", "two");
    await page.post({ type: "draft-changed", conversationId: originId, text: "half-typed" });
    const at = page.shown.messages[1]!.id;
    const forkId = await fork(page, at);
    assert.deepEqual(page.texts, ["Question 1", "one"]);
    assert.equal(page.shown.draft, "");
    assert.equal(page.shown.title, "Question 1 (fork)");
    assert.equal(page.last("toast-shown")?.text, "forked");
    await page.until(() => page.last("forks-shown") !== undefined);
    assert.deepEqual(linksOf(page), {
      from: { conversationId: originId, title: "Question 1" },
      forks: [],
    });
    await page.open(originId);
    assert.deepEqual(page.texts, ["Question 1", "one", "Question 2", "two"]);
    assert.equal(page.shown.draft, "half-typed");
    await page.until(() => linksOf(page).forks?.length === 1);
    assert.deepEqual(linksOf(page), {
      from: undefined,
      forks: [{ conversationId: forkId, messageId: at, title: "Question 1 (fork)" }],
    });
    // From the disk.
    const next = await new PanelRig(service.url, rig).openPage();
    await next.until(() => linksOf(next).forks?.length === 1);
  });

  it("at a question ends before it, with the question and its attachments in the box", async () => {
    const { rig, page } = await openVisionChat(service.url);
    const picture = madePng(40, 40);
    service.script({ blocks: ["one"] }, { blocks: ["two"] });
    await page.askToEnd("Question 1");
    await offerPicture(page, "page.png", picture);
    await page.askToEnd("What is it?");
    const originId = page.conversationId;
    await fork(page, page.shown.messages[2]!.id);
    assert.deepEqual(page.texts, ["Question 1", "one"]);
    assert.equal(page.shown.draft, "What is it?");
    assert.deepEqual(page.labels, ["page.png"]);
    // The picture stays for the draft when the origin is deleted, and is sent.
    await rig.conversations.removeForever([originId]);
    assert.equal(filesWith(rig.files.files, picture).length, 1);
    service.script({ blocks: ["A page."] });
    await page.askToEnd(page.shown.draft);
    assert.match(service.requests.at(-1)!.bodyText, /data:image\/png/);
  });

  it("keeps a picture that both name until both are deleted for ever", async () => {
    const { rig, page, conversationId: originId } = await openVisionChat(service.url);
    const picture = madePng(40, 40);
    await offerPicture(page, "page.png", picture);
    const { id } = await service.exchange(page, "What is it?", "seen");
    const forkId = await fork(page, id);
    assert.equal(filesWith(rig.files.files, picture).length, 1, "stored once");
    await rig.conversations.removeForever([forkId]);
    assert.equal(filesWith(rig.files.files, picture).length, 1, "after the fork is gone");
    await page.open(originId);
    const secondId = await fork(page, id);
    const live = await rig.conversations.get(originId);
    await rig.conversations.forgetMessage(live, live.path()[0]!.id);
    assert.equal(filesWith(rig.files.files, picture).length, 1, "after it was forgotten");
    await rig.conversations.removeForever([originId]);
    assert.equal(filesWith(rig.files.files, picture).length, 1, "after the origin is gone");
    await rig.conversations.removeForever([secondId]);
    assert.equal(filesWith(rig.files.files, picture).length, 0);
  });

  it("loses its links when the other conversation is deleted, and gets them back", async () => {
    const { rig, page, originId } = await openAsked("one");
    const forkId = await fork(page, page.shown.messages[1]!.id);
    await page.until(() => linksOf(page).from?.conversationId === originId);
    await rig.conversations.delete(originId);
    await page.until(() => JSON.stringify(linksOf(page).from) === "{}");
    await rig.conversations.restore(originId);
    await page.until(() => linksOf(page).from?.conversationId === originId);
    await page.open(originId);
    await page.until(() => linksOf(page).forks?.length === 1);
    await rig.conversations.removeForever([forkId]);
    await page.until(() => linksOf(page).forks?.length === 0);
  });

  it("leaves no text of a forgotten question behind as its title", async () => {
    const { rig, page } = await openAsked("one");
    const forkId = await fork(page, page.shown.messages[1]!.id);
    const live = await rig.conversations.get(forkId);
    await rig.conversations.forgetMessage(live, live.path()[0]!.id);
    const left = filesWith(rig.files.files, "Question 1");
    assert.ok(!left.some((path) => path.includes(forkId)), left.join());
  });

  it("sends what the same question would have sent in the origin, with its choices", async () => {
    const { rig, page, originId } = await openAsked("one", "two", "three");
    const [, first, , second] = page.shown.messages.map(({ id }) => id);
    const live = await rig.conversations.get(originId);
    await live.leaveOut(first!, true);
    await live.leaveOut(page.shown.messages[5]!.id, true);
    service.script({ blocks: ["in the origin"] });
    // As another version of the third question.
    await page.ask("Then?", { replacesId: live.path()[4]!.id });
    await page.until(() => page.lastReply?.text === "in the origin");
    const expected = service.requests.at(-1)!.bodyText;
    assert.ok(expected.includes("left out"));
    await fork(page, second!);
    await service.exchange(page, "Then?", "in the fork");
    assert.equal(service.requests.at(-1)!.bodyText, expected);
  });

  it("is made once by two presses", async () => {
    const { rig, page, originId } = await openAsked("one");
    const messageId = page.shown.messages[1]!.id;
    await Promise.all([page.session.fork(messageId), page.session.fork(messageId)]);
    assert.equal((await rig.conversations.get(originId)).conversation.forks?.length, 1);
  });

  it("is not made of a reply that is still received", async () => {
    const { rig, page, originId } = await openAsked("one");
    service.script({ blocks: ["Hel ", { gate: true }, "lo"] });
    await page.ask("Question 2");
    await page.post({ type: "text-asked" });
    await page.until(() => page.lastReply?.text === "Hel ");
    const messageId = page.lastReply!.id;
    await page.session.fork(messageId);
    assert.equal(page.last("toast-shown")?.text, "still in progress");
    assert.equal(page.conversationId, originId);
    await page.post({ type: "stop-asked" });
    await fork(page, messageId);
    assert.equal(page.lastReply?.text, "Hel ");
    await rig.conversations.close();
  });
});
