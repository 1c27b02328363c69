/**
 * Parts of a question besides its attachments: the automatic selection, the parts of an edited
 * question, results of "#", and the note about a file that changed.
 */
import assert from "node:assert/strict";
import type { ToView } from "../../../src/protocol/toView";
import type { UserView } from "../../../src/protocol/views";
import type { Reference, ReferenceContent } from "../../../src/chat/view/editorContext";
import type { NotePart, Part } from "../../../src/conversation/message";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig, type Page } from "../../support/chat/panelRig";
import { madePng } from "../../support/pictures/madePng";

function excerpt(path: string): Extract<Part, { kind: "excerpt" }> {
  const uri = `file:///p/${path}`;
  const languageId = "typescript";
  return { kind: "excerpt", path, uri, languageId, startLine: 1, endLine: 2, text: `in ${path}` };
}
const NOTE: Part = { kind: "note", source: "problems", label: "Problems", text: "a is unused" };

function reference(part: Part, label: string): Reference {
  return {
    kind: "file",
    label,
    detail: "",
    gather: () => Promise.resolve({ parts: [part], pictures: [] }),
  };
}

describe("composing a question", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(() => service.reset());

  async function open() {
    const rig = new PanelRig(service.url);
    const page = await rig.openPage();
    return { rig, page, id: page.shown.conversationId };
  }

  function askedText(): string {
    const { messages } = service.requests.at(-1)?.body as { messages: { content: string }[] };
    return messages.map(({ content }) => content).join("\n");
  }

  async function ended(page: Page, text: string): Promise<void> {
    await page.until(
      () => page.lastReply?.isStreaming === false && page.shown.messages.at(-2)?.text === text,
    );
  }

  function labels(page: Page): string[] {
    return page.shown.attachments.map(({ label }) => label);
  }

  function found(page: Page): Extract<ToView, { type: "references-found" }>[] {
    return page.received.filter((message) => message.type === "references-found");
  }

  const RULES: NotePart = {
    kind: "note",
    source: "rules",
    label: "Project rules",
    detail: "AGENTS.md",
    text: '<rules file="AGENTS.md">\nUse tabs.\n</rules>',
  };

  it("sends the rules of the project once, shows them and leaves them out when removed", async () => {
    const { rig, page } = await open();
    rig.context.setRules({ part: RULES, isOn: true });
    assert.equal(page.last("panel-changed")?.panel.rules?.label, "Project rules");
    assert.equal(page.last("panel-changed")?.panel.rules?.isOn, true);
    service.script({ blocks: ["One."] }, { blocks: ["Two."] }, { blocks: ["Three."] });
    await page.post({ type: "question-asked", text: "First?" });
    await ended(page, "First?");
    assert.match(askedText(), /Use tabs\.[^]*First\?/);
    const [question] = page.shown.messages;
    assert.ok(question?.role === "user");
    assert.deepEqual(
      question.chips.map(({ kind, label }) => [kind, label]),
      [["rules", "Project rules"]],
    );
    await page.post({ type: "question-asked", text: "Second?" });
    await ended(page, "Second?");
    assert.equal(askedText().match(/Use tabs\./g)?.length, 1);
    assert.match(askedText(), /rules of the project from earlier messages still apply/);
    await page.post({ type: "rules-opened" });
    assert.deepEqual(rig.context.opened, [RULES]);
    await page.post({ type: "rules-switched", isOn: false });
    assert.equal(page.last("panel-changed")?.panel.rules?.isOn, false);
    await page.post({ type: "conversation-asked" });
    await page.post({ type: "question-asked", text: "Third?" });
    await ended(page, "Third?");
    assert.doesNotMatch(askedText(), /Use tabs/);
  });

  it("sends the current rules with an edited question instead of its earlier ones", async () => {
    const { rig, page, id } = await open();
    rig.context.setRules({ part: RULES, isOn: true });
    service.script({ blocks: ["One."] }, { blocks: ["Two."] });
    await page.post({ type: "question-asked", text: "First?" });
    await ended(page, "First?");
    const [question] = page.shown.messages;
    assert.ok(question);
    rig.context.setRules({ part: { ...RULES, text: "Use spaces." }, isOn: true });
    await page.post({ type: "editing-changed", conversationId: id, messageId: question.id });
    assert.deepEqual(labels(page), []);
    await page.post({ type: "question-asked", text: "Again?", replacesId: question.id });
    await ended(page, "Again?");
    assert.match(askedText(), /Use spaces\./);
    assert.doesNotMatch(askedText(), /Use tabs/);
  });

  it("lists prompt files after the prompts of the settings, and reads them on request", async () => {
    const { rig, page } = await open();
    rig.context.promptTexts = { review: "Review this." };
    rig.context.setRules(undefined);
    assert.deepEqual(page.last("panel-changed")?.panel.prompts, [
      { name: "review", text: "", path: "review.md" },
    ]);
    const answer = await page.post({ type: "prompt-asked", name: "review" });
    assert.equal(answer?.text, "Review this.");
    assert.equal(await page.post({ type: "prompt-asked", name: "other" }), undefined);
  });

  it("attaches the code at the cursor with a prompt about code, unless other code is sent", async () => {
    const { rig, page } = await open();
    const ask = () => page.post({ type: "prompt-asked", name: "explain", isAboutCode: true });
    rig.context.promptCodeParts = [excerpt("a.ts")];
    assert.equal((await ask())?.isAccepted, true);
    assert.equal(rig.context.promptCodeAsked, 1);
    assert.deepEqual(labels(page), ["a.ts"]);
    assert.equal((await ask())?.isAccepted, false);
    const other = await open();
    other.rig.context.setSelection({ id: "s1", part: excerpt("b.ts"), isOn: true });
    await other.page.post({ type: "prompt-asked", name: "explain", isAboutCode: true });
    assert.equal(other.rig.context.promptCodeAsked, 0);
  });

  it("sends the automatic selection with exactly the question that showed it", async () => {
    const { rig, page } = await open();
    rig.context.setSelection({ id: "s1", part: excerpt("a.ts"), isOn: true });
    service.script({ blocks: ["Because."] });
    await page.post({ type: "question-asked", text: "Why?", automaticId: "s1" });
    await ended(page, "Why?");
    assert.match(askedText(), /Why\?[^]*in a\.ts/);
    const [question] = page.shown.messages;
    assert.deepEqual(question?.role === "user" && question.chips.map(({ label }) => label), [
      "a.ts",
    ]);
    await page.post({ type: "question-asked", text: "And?" });
    await ended(page, "And?");
    assert.equal(askedText().split("in a.ts").length, 2, "sent once, with its own question");
  });

  it("attaches pasted code, and rejects code that is in no open file", async () => {
    const { page, id } = await open();
    const offered = { type: "text-offered" as const, conversationId: id, text: "a\nb" };
    const pasted = await page.post({
      ...offered,
      name: "Pasted text",
      origin: "clipboard",
    });
    assert.equal(pasted?.isAccepted, true);
    await page.until(() => labels(page).join() === "Pasted text");
    const code = await page.post({ ...offered, name: "Code", origin: "editor" });
    assert.equal(code?.isAccepted, false);
    assert.deepEqual(labels(page), ["Pasted text"]);
  });

  it("attaches the files that the user dropped", async () => {
    const { rig, page, id } = await open();
    rig.context.files = { parts: [excerpt("a.ts")], pictures: [] };
    await page.post({ type: "files-dropped", conversationId: id, uris: ["file:///a.ts"] });
    await page.until(() => labels(page).join() === "a.ts");
  });

  it("does not send automatic context that is switched off, unknown or not shown", async () => {
    const { rig, page } = await open();
    rig.context.setSelection({ id: "s1", part: excerpt("a.ts"), isOn: false });
    await page.post({ type: "question-asked", text: "off", automaticId: "s1" });
    await ended(page, "off");
    rig.context.setSelection({ id: "s2", part: excerpt("a.ts"), isOn: true });
    await page.post({ type: "question-asked", text: "unknown", automaticId: "s1" });
    await ended(page, "unknown");
    await page.post({ type: "question-asked", text: "not shown" });
    await ended(page, "not shown");
    assert.ok(service.requests.every(({ body }) => !JSON.stringify(body).includes("in a.ts")));
  });

  it("names a file whose text is left out, and sends none of it", async () => {
    const { rig, page, id } = await open();
    const part = { ...excerpt("a.ts"), text: "" };
    const shown = () => page.last("panel-changed")?.panel.automatic;
    rig.context.setSelection({ id: "s1", part, isOn: false, leftOut: "secrets" });
    await page.until(() => shown()?.leftOut === "secrets");
    await page.post({ type: "question-asked", text: "Why?", automaticId: "s1" });
    await ended(page, "Why?");
    assert.ok(!askedText().includes("a.ts"), askedText());
    await rig.conversations.draft(id).attach([excerpt("a.ts")]);
    rig.context.setSelection({ id: "s2", part, isOn: false, leftOut: "secrets" });
    await page.until(() => shown() === undefined);
  });

  it("shows and counts the selection once if an attachment contains it", async () => {
    const { rig, page, id } = await open();
    const selected = { ...excerpt("a.ts"), text: "one line of code\nand another line" };
    rig.context.setSelection({ id: "s1", part: selected, isOn: true });
    const automatic = () => page.last("panel-changed")?.panel.automatic?.label;
    const files = () => page.last("meter-changed")?.meter.files;
    await page.until(() => automatic() === "a.ts");
    const filesBefore = files();
    assert.ok(filesBefore);
    await rig.conversations.draft(id).attach([selected]);
    assert.equal(automatic(), undefined);
    assert.deepEqual(labels(page), ["a.ts"]);
    assert.equal(files(), filesBefore);
    const attachmentId = page.shown.attachments[0]!.id;
    await page.post({ type: "attachment-removed", conversationId: id, attachmentId });
    assert.equal(automatic(), "a.ts");
  });

  it("attaches a file in place of its lines, and no lines next to their file", async () => {
    const { rig, page, id } = await open();
    const { kind, path, uri, languageId, text } = excerpt("a.ts");
    const file = { kind, path, uri, languageId, text: `${text}\n\nthe rest` };
    await rig.conversations.draft(id).attach([{ ...excerpt("a.ts"), symbol: "Cart" }, NOTE]);
    await rig.conversations.draft(id).attach([file]);
    assert.deepEqual(labels(page), ["Problems", "a.ts"]);
    await rig.conversations.draft(id).attach([excerpt("a.ts")]);
    assert.deepEqual(labels(page), ["Problems", "a.ts"]);
  });

  it("shows the lines, the number of omitted lines and the included problems on a chip", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([
      { ...excerpt("a.ts"), endLine: 1, problems: "- line 1: error: no" },
      { ...excerpt("b.ts"), linesLeftOut: 3572, problems: "- line 1: a\n- and 60 more" },
    ]);
    assert.deepEqual(
      page.shown.attachments.map(({ detail }) => detail),
      ["1, 1 wrong", "1-2, 3572 left out, 61 wrong"],
    );
  });

  it("shows an earlier question's own parts while it is edited, and then the previous ones", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([excerpt("a.ts"), NOTE]);
    await page.askToEnd("Why?");
    await rig.conversations.draft(id).attach([excerpt("later.ts")]);
    const [question] = page.shown.messages;
    const messageId = question!.id;
    await page.post({ type: "editing-changed", conversationId: id, messageId });
    assert.deepEqual(labels(page), ["a.ts", "Problems"]);
    const attachmentId = page.shown.attachments[0]!.id;
    await page.post({ type: "attachment-removed", conversationId: id, attachmentId });
    await rig.conversations.draft(id).attach([excerpt("new.ts")]);
    assert.deepEqual(labels(page), ["Problems", "new.ts"]);
    await page.ask("How?", messageId);
    await ended(page, "How?");
    assert.match(askedText(), /How\?[^]*a is unused[^]*in new\.ts/);
    assert.doesNotMatch(askedText(), /in a\.ts|in later\.ts/);
    assert.deepEqual(labels(page), ["later.ts"]);
  });

  it("restores the previous parts when editing ends, and keeps both after a restart", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([NOTE]);
    await page.askToEnd("Why?");
    await rig.conversations.draft(id).attach([excerpt("later.ts")]);
    const messageId = page.shown.messages[0]!.id;
    await page.post({ type: "editing-changed", conversationId: id, messageId });
    await rig.history.close();
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(labels(next), ["Problems"]);
    await next.post({ type: "editing-changed", conversationId: id });
    assert.deepEqual(labels(next), ["later.ts"]);
  });

  it("keeps an edited question's parts when it is rejected", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([NOTE]);
    await page.askToEnd("Why?");
    const messageId = page.shown.messages[0]!.id;
    await page.post({ type: "editing-changed", conversationId: id, messageId });
    rig.prepare = () => Promise.resolve({ kind: "no-service" });
    const answer = await page.ask("How?", messageId);
    assert.equal(answer?.isAccepted, false);
    assert.deepEqual(labels(page), ["Problems"]);
  });

  it("answers only the newest search, and attaches the selected result", async () => {
    const { rig, page } = await open();
    let openGate = () => {};
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    rig.context.find = async function* (text) {
      if (text === "slow") await gate;
      yield [reference(excerpt(`${text}.ts`), text)];
    };
    const slow = page.post({ type: "references-asked", query: 1, text: "slow" });
    await page.post({ type: "references-asked", query: 2, text: "fast" });
    openGate();
    await slow;
    assert.deepEqual(
      found(page).map(({ query, items, isComplete }) => [query, items[0]?.label, isComplete]),
      [
        [2, "fast", false],
        [2, "fast", true],
      ],
    );
    const pick = (query: number, index: number) =>
      page.post({ type: "reference-picked", query, index });
    assert.deepEqual(await pick(1, 0), { isAccepted: false });
    assert.deepEqual(await pick(2, 7), { isAccepted: false });
    assert.deepEqual(labels(page), []);
    assert.deepEqual(await pick(2, 0), { isAccepted: true });
    assert.deepEqual(labels(page), ["fast.ts"]);
  });

  it("answers a pick when the content is attached, and refuses a pick without content", async () => {
    const { rig, page } = await open();
    let finish: (content: ReferenceContent) => void = () => undefined;
    rig.context.find = async function* () {
      const gather = () => new Promise<ReferenceContent>((resolve) => (finish = resolve));
      yield [{ kind: "file", label: "slow.ts", detail: "", gather }];
      await Promise.resolve();
    };
    await page.post({ type: "references-asked", query: 1, text: "slow" });
    const pick = () => page.post({ type: "reference-picked", query: 1, index: 0 });
    const declined = pick();
    finish({ parts: [], pictures: [] });
    assert.deepEqual(await declined, { isAccepted: false });
    let isAnswered = false;
    const picked = pick().finally(() => (isAnswered = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isAnswered, false);
    finish({ parts: [excerpt("slow.ts")], pictures: [] });
    assert.deepEqual(await picked, { isAccepted: true });
    assert.deepEqual(labels(page), ["slow.ts"]);
  });

  it("attaches a selected picture, and reports which file contains none", async () => {
    const { rig, page } = await open();
    const picture = (name: string, bytes: Uint8Array): Reference => ({
      kind: "picture",
      label: name,
      detail: "",
      gather: () => Promise.resolve({ parts: [], pictures: [{ name, bytes }] }),
    });
    rig.context.find = async function* () {
      yield [picture("shot.png", madePng(40, 30)), picture("no.png", Uint8Array.of(1, 2, 3))];
      await Promise.resolve();
    };
    await page.post({ type: "references-asked", query: 1, text: "png" });
    const picked = page.post({ type: "reference-picked", query: 1, index: 0 });
    await page.until(() => page.received.at(-1)?.type === "picture-job");
    const job = page.received.at(-1);
    assert.ok(job?.type === "picture-job" && job.fit === "check");
    const piece = { index: 0, count: 1, bytes: new Uint8Array() };
    await page.post({ type: "picture-drawn", jobId: job.jobId, ...piece });
    assert.deepEqual(await picked, { isAccepted: true });
    const refused = await page.post({ type: "reference-picked", query: 1, index: 1 });
    assert.deepEqual(refused, { isAccepted: false });
    assert.deepEqual(
      page.shown.attachments.map(({ kind, label, picture: shown }) => [
        kind,
        label,
        shown?.widthPx,
      ]),
      [["picture", "shot.png", 40]],
    );
    const notices = page.received.filter(({ type }) => type === "notice-shown");
    assert.match(JSON.stringify(notices), /no\.png/);
  });

  it("keeps the results of other sources when one fails", async () => {
    const { rig, page } = await open();
    rig.context.find = async function* () {
      yield [reference(NOTE, "one")];
      await Promise.reject(new Error("broken"));
    };
    await page.post({ type: "references-asked", query: 1, text: "" });
    assert.deepEqual(
      found(page).map(({ items, isComplete }) => [items.length, isComplete]),
      [
        [1, false],
        [1, true],
      ],
    );
  });

  it("opens the target of a chip in the draft and in a sent question", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([excerpt("a.ts"), NOTE]);
    const attachmentId = page.shown.attachments[1]!.id;
    await page.post({ type: "attachment-opened", conversationId: id, attachmentId });
    await page.askToEnd("Why?");
    const messageId = page.shown.messages[0]!.id;
    await page.post({ type: "chip-opened", messageId, index: 0 });
    await page.post({ type: "chip-opened", messageId, index: 5 });
    assert.deepEqual(rig.context.opened, [NOTE, excerpt("a.ts")]);
  });

  it("marks the chips of a file that changed, immediately and when it is shown again", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([excerpt("a.ts"), excerpt("b.ts")]);
    await page.askToEnd("Why?");
    const marks = (shown: Page) => {
      const [question] = shown.shown.messages;
      return question?.role === "user" ? question.chips.map((chip) => chip.isChanged === true) : [];
    };
    assert.deepEqual(marks(page), [false, false]);
    rig.context.markChanged("file:///p/b.ts");
    assert.deepEqual(marks(page), [false, true]);
    await page.post({ type: "snapshot-asked" });
    assert.deepEqual(marks(page), [false, true]);
  });

  it("keeps the sent text with the question after a restart, even if the file changes", async () => {
    const { rig, page, id } = await open();
    await rig.conversations.draft(id).attach([excerpt("a.ts")]);
    await page.askToEnd("Why?");
    rig.context.markChanged("file:///p/a.ts");
    await rig.history.close();
    const nextRig = new PanelRig(service.url, rig);
    const next = await nextRig.openPage();
    const messageId = next.shown.messages[0]!.id;
    await next.post({ type: "chip-opened", messageId, index: 0 });
    assert.deepEqual(nextRig.context.opened, [excerpt("a.ts")]);
    await next.post({ type: "regenerate-asked", messageId: next.lastReply!.id });
    await next.until(() => service.requests.length === 2);
    assert.match(askedText(), /Why\?[^]*in a\.ts/);
    await next.until(() => next.lastReply?.isStreaming === false);
  });

  it("sends the definitions of the selection that the page shows, once", async () => {
    const { rig, page } = await open();
    rig.context.setSelection({ id: "s1", part: excerpt("a.ts"), isOn: true });
    const definition = { ...excerpt("money.ts"), text: "interface Money {}" };
    const part = {
      kind: "related" as const,
      relation: "definitions" as const,
      items: [definition],
    };
    rig.context.setDefinitions({ id: "d1", part, isOn: true });
    assert.equal(page.last("panel-changed")?.panel.definitions?.id, "d1");
    const ask = (text: string, definitionsId: string) =>
      page.post({ type: "question-asked", text, automaticId: "s1", definitionsId });
    service.script({ text: "So." }, { text: "Now." }, { text: "No." });
    await ask("Why?", "d1");
    await ended(page, "Why?");
    assert.match(askedText(), /money\.ts \(lines 1-2\):\n```typescript\ninterface Money/);
    const [selection, definitions] = (page.shown.messages[0] as UserView).chips;
    assert.deepEqual([selection?.kind, definitions?.kind], ["file", "definitions"]);
    await page.post({ type: "chip-opened", messageId: page.shown.messages[0]?.id ?? "", index: 1 });
    assert.deepEqual(rig.context.opened, [part]);

    await ask("And now?", "d1");
    await ended(page, "And now?");
    assert.equal(askedText().split("interface Money").length, 2);
    assert.match(
      askedText(),
      /The definitions of this code are unchanged since an earlier message/,
    );

    await ask("Others?", "another");
    await ended(page, "Others?");
    assert.equal(page.shown.messages.at(-2)?.role, "user");
    assert.equal((page.shown.messages.at(-2) as UserView).chips.length, 1);
  });

  it("switches and opens the definitions", async () => {
    const { rig, page } = await open();
    rig.context.setSelection({ id: "s1", part: excerpt("a.ts"), isOn: true });
    const part = {
      kind: "related" as const,
      relation: "definitions" as const,
      items: [excerpt("money.ts")],
    };
    rig.context.setDefinitions({ id: "d1", part, isOn: true });
    await page.post({ type: "definitions-opened", definitionsId: "d1" });
    assert.deepEqual(rig.context.opened, [part]);
    await page.post({ type: "definitions-switched", isOn: false });
    assert.deepEqual(rig.context.switched, [false]);
    rig.context.setDefinitions({ id: "d1", isOn: false });
    assert.equal(page.last("panel-changed")?.panel.definitions?.isOn, false);
    rig.context.setSelection(undefined);
    assert.equal(page.last("panel-changed")?.panel.definitions, undefined);
  });
});
