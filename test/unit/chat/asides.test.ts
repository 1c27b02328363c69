/** Questions asked aside: what is sent, kept and shown, and that the conversation stays as it is. */
import assert from "node:assert/strict";
import { exportJson } from "../../../src/conversation/exportJson";
import { SLICE } from "../../support/conversation/slices";
import { importExported } from "../../../src/conversation/importExported";
import { lastMessages, suiteService } from "../../support/chat/chatSuite";
import { openChat, PanelRig, quickClock, type Page } from "../../support/chat/panelRig";
import { filesWith } from "../../support/fakes/byteSearch";
import { offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

describe("asides", () => {
  const service = suiteService();
  let asideCount = 0;

  async function openAsked(...answers: string[]) {
    const { rig, page } = await openChat(service.url, undefined, { turnClock: quickClock });
    await askAll(page, ...answers);
    return { rig, page, conversationId: page.conversationId };
  }

  async function askAll(page: Page, ...answers: string[]): Promise<void> {
    service.script(...answers.map((answer) => ({ blocks: [answer] })));
    for (const [index] of answers.entries()) await page.askToEnd(`Question ${index + 1}`);
  }

  const ids = (page: Page) => page.shown.messages.map(({ id }) => id);
  const shownAsides = (page: Page) =>
    page.shown.asides.map(({ messageId, text, reply }) => [messageId, text, reply?.text]);
  const lastBody = () => service.requests.at(-1)!.bodyText;

  function askAside(page: Page, messageId: string, text: string, quoted = "First words") {
    const asideId = `aside-${++asideCount}`;
    const { conversationId } = page;
    const area = { messageId, start: 0, end: quoted.length, isThinking: false };
    const quote = { quoted: area, text: `> ${quoted}`, words: quoted };
    const aside = { conversationId, asideId, messageId, text, quote };
    const asked = page.post({ type: "aside-asked", ...aside });
    return { asideId, asked };
  }

  async function askAsideToEnd(page: Page, messageId: string, text: string): Promise<string> {
    const { asideId, asked } = askAside(page, messageId, text);
    assert.deepEqual(await asked, { isAccepted: true });
    await page.until(
      () => page.shown.asides.find(({ id }) => id === asideId)?.reply?.isStreaming === false,
    );
    return asideId;
  }

  it("send the path up to and with the message, the quote and the question", async () => {
    const { page } = await openAsked("First words.", "two", "three");
    const beforehand = [...page.texts];
    service.script({ blocks: ["Because."] });
    await askAsideToEnd(page, ids(page)[3]!, "Why?");
    assert.deepEqual(lastMessages(service), [
      { role: "user", content: "Question 1" },
      { role: "assistant", content: "First words." },
      { role: "user", content: "Question 2" },
      { role: "assistant", content: "two" },
      { role: "user", content: "> First words\n\nWhy?" },
    ]);
    assert.deepEqual(shownAsides(page), [[ids(page)[3], "Why?", "Because."]]);
    assert.deepEqual(page.texts, beforehand);
  });

  it("leave the next question byte for byte as it would be without them", async () => {
    const plain = await openAsked("one", "two");
    await service.exchange(plain.page, "And then?", "three");
    const expected = lastBody();
    const { page } = await openAsked("one", "two");
    service.script({ blocks: ["a"] }, { blocks: ["b"] }, { blocks: ["c"] });
    await askAsideToEnd(page, ids(page)[1]!, "Why one?");
    await askAsideToEnd(page, ids(page)[3]!, "Why two?");
    await page.ask("/aside And why at all?");
    await page.until(() => page.shown.asides.every(({ reply }) => reply?.isStreaming === false));
    assert.equal(page.shown.asides.length, 3);
    await service.exchange(page, "And then?", "three");
    assert.equal(lastBody(), expected);
    // Also in the next window.
    service.script({ blocks: ["four"] }, { blocks: ["four"] });
    await plain.page.askToEnd("Last?");
    const further = lastBody();
    await page.askToEnd("Last?");
    assert.equal(lastBody(), further);
  });

  it("run two at once, next to a reply of the conversation, and stop one by one", async () => {
    const { page } = await openAsked("one");
    const gate = { gate: true } as const;
    service.script(
      { blocks: ["main ", gate, "end"] },
      { blocks: ["first ", gate, "end"] },
      { blocks: ["second ", gate, "end"] },
    );
    const [, about] = ids(page);
    await page.ask("Question 2");
    await service.waitForRequest(2);
    const first = askAside(page, about!, "First?");
    await service.waitForRequest(3);
    await askAside(page, about!, "Second?").asked;
    await service.waitForRequest(4);
    const shownTexts = () => page.shown.asides.map(({ reply }) => reply?.text);
    const untilText = async (test: () => boolean) => {
      while (!test()) {
        await page.post({ type: "text-asked" });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await untilText(() => shownTexts().join("|") === "first |second ");
    await page.post({ type: "aside-stopped", asideId: first.asideId });
    assert.equal(page.shown.asides[0]?.reply?.notice?.text, "stopped");
    assert.equal(page.shown.asides[1]?.reply?.isStreaming, true);
    assert.equal(page.shown.isRunning, true);
    // The service may not know yet that the first one is gone.
    for (let reply = 0; reply < 3; reply++) service.releaseGate();
    await untilText(() => shownTexts().join("|") === "first |second end");
    await untilText(() => page.lastReply?.text === "main end");
  });

  it("survive a reload of the page and the death of the window, as replies do", async () => {
    const { rig, page, conversationId } = await openAsked("one");
    service.script({ blocks: ["done"] }, { blocks: ["half ", { gate: true }, "never"] });
    await askAsideToEnd(page, ids(page)[1]!, "Finished?");
    await askAside(page, ids(page)[1]!, "Unfinished?").asked;
    await page.post({ type: "text-asked" });
    const reloaded = await rig.openPage();
    await reloaded.until(() => reloaded.shown.asides[1]?.reply?.text === "half ");
    assert.equal(reloaded.shown.asides[1]?.reply?.isStreaming, true);
    while (filesWith(rig.files.files, '"half "').length === 0) await new Promise(setImmediate);
    const { rig: next, page: after } = await openChat(
      service.url,
      Object.assign(Object.create(rig) as PanelRig, { files: rig.files.copy() }),
    );
    assert.equal(after.conversationId, conversationId);
    assert.deepEqual(after.texts, ["Question 1", "one"]);
    assert.deepEqual(
      after.shown.asides.map(({ text, reply }) => [text, reply?.text]),
      [
        ["Finished?", "done"],
        ["Unfinished?", "half "],
      ],
    );
    await rig.conversations.close();
    next.conversations.dispose();
  });

  it("become ordinary messages, once, and are sent from then on", async () => {
    const { rig, page } = await openAsked("one", "two");
    service.script({ blocks: ["Because."] });
    const asideId = await askAsideToEnd(page, ids(page)[1]!, "Why?");
    const join = { type: "aside-joined", asideId } as const;
    await Promise.all([page.post(join), page.post(join)]);
    assert.deepEqual(page.texts, ["Question 1", "one", "Question 2", "two", "Why?", "Because."]);
    assert.deepEqual(page.shown.asides, []);
    await service.exchange(page, "Next?", "four");
    const sent = lastMessages(service).map(({ content }) => content);
    assert.deepEqual(sent.slice(-3), ["> First words\n\nWhy?", "Because.", "Next?"]);
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(next.texts, page.texts);
    assert.deepEqual(next.shown.asides, []);
  });

  it("try again as asides after a failure, not as messages of the conversation", async () => {
    const { page } = await openAsked("one");
    service.script({ status: 401, body: "no" }, { blocks: ["Because."] });
    await askAsideToEnd(page, ids(page)[1]!, "Why?");
    const failed = page.shown.asides[0]!.reply!;
    assert.equal(failed.notice?.text, "unauthorized");
    await page.act("try-again", failed.id);
    await page.until(() => page.shown.asides[0]?.reply?.text === "Because.");
    assert.deepEqual(page.texts, ["Question 1", "one"]);
    assert.equal(page.shown.draft, "");
  });

  it("are removed with every byte, after a question if there is an answer", async () => {
    const { rig, page } = await openAsked("one");
    service.script({ blocks: ["the answer is hunter2"] });
    const asideId = await askAsideToEnd(page, ids(page)[1]!, "What is swordfish?");
    rig.isRemovalConfirmed = false;
    await page.post({ type: "aside-removed", asideId });
    assert.equal(page.shown.asides.length, 1);
    rig.isRemovalConfirmed = true;
    await page.post({ type: "aside-removed", asideId });
    await page.post({ type: "aside-removed", asideId });
    assert.deepEqual(page.shown.asides, []);
    for (const word of ["hunter2", "swordfish"])
      assert.deepEqual(filesWith(rig.files.files, word), []);
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(next.shown.asides, []);
    assert.deepEqual(next.texts, ["Question 1", "one"]);
  });

  it("are removed while their answer runs, and with the message that they are about", async () => {
    const { rig, page, conversationId } = await openAsked("First words", "two");
    service.script({ blocks: ["half ", { gate: true }, "never"] }, { blocks: ["whole"] });
    const running = askAside(page, ids(page)[3]!, "Running?");
    await running.asked;
    await service.waitForRequest(3);
    await page.post({ type: "aside-removed", asideId: running.asideId });
    await service.waitForClose(3);
    assert.deepEqual(page.shown.asides, []);
    await askAsideToEnd(page, ids(page)[1]!, "About it?");
    const live = await rig.conversations.get(conversationId);
    await rig.conversations.forgetMessage(live, ids(page)[1]!);
    await page.until(() => page.shown.asides.length === 0);
    assert.deepEqual(filesWith(rig.files.files, "First words"), []);
    assert.deepEqual(filesWith(rig.files.files, "About it?"), []);
    assert.equal(page.texts[1], "message forgotten");
  });

  it("are deleted with the conversation, with their pictures", async () => {
    const { rig, page, conversationId } = await openVisionChat(service.url);
    await askAll(page, "one");
    const picture = madePng(30, 30);
    await offerPicture(page, "aside.png", picture);
    service.script({ blocks: ["A picture."] });
    await page.ask("/aside What is it?");
    await page.until(() => page.shown.asides[0]?.reply?.isStreaming === false);
    assert.match(lastBody(), /data:image\/png/);
    assert.deepEqual(page.shown.attachments, []);
    await rig.history.cleanUp(new AbortController().signal);
    assert.equal(filesWith(rig.files.files, picture).length, 1);
    await rig.conversations.removeForever([conversationId]);
    assert.deepEqual(filesWith(rig.files.files, picture), []);
  });

  it("without a question or a conversation are refused, and the text stays", async () => {
    const { page } = await openChat(service.url);
    const refusal = async (text: string) => (await page.ask(text))?.notice?.text;
    assert.equal(await refusal("/aside Why?"), "no messages");
    await askAll(page, "one");
    assert.equal(await refusal("/aside"), "no question");
    assert.equal(await refusal("/aside   "), "no question");
    assert.deepEqual(page.shown.asides, []);
    await service.exchange(page, "/asides are ordinary text", "two");
    assert.equal(page.texts.at(-2), "/asides are ordinary text");
  });

  it("are found by the search, are exported, and are asides again after an import", async () => {
    const { rig, page, conversationId } = await openAsked("one", "two");
    service.script({ blocks: ["Because of kingfishers."] });
    await askAsideToEnd(page, ids(page)[1]!, "Why?");
    const search = { text: "kingfishers", isInBin: false, isThisWorkspace: false };
    await page.post({ type: "history-asked", ...search });
    await page.until(() => page.shown.history?.rows.length === 1);
    const { conversation } = await rig.conversations.get(conversationId);
    const json = await exportJson(conversation, () => Promise.resolve(undefined));
    const result = await importExported(json, {
      slice: SLICE,
      newId: () => "imported",
      hashOf: () => Promise.resolve(""),
      cleanPicture: () => undefined,
    });
    assert.ok(result.kind === "imported");
    await rig.conversations.adopt("imported", result.steps);
    await page.open("imported");
    assert.deepEqual(page.texts, ["Question 1", "one", "Question 2", "two"]);
    assert.deepEqual(shownAsides(page), [[ids(page)[1], "Why?", "Because of kingfishers."]]);
  });
});
