/**
 * Parts of a question: attachments, the automatic selection, the parts of an edited question, results
 * of "#", and the note about a file that changed.
 */
import assert from "node:assert/strict";
import type { ToView } from "../../../src/protocol/toView";
import type { UserView } from "../../../src/protocol/views";
import type { Reference, ReferenceContent } from "../../../src/chat/view/editorContext";
import type { NotePart, Part } from "../../../src/conversation/message";
import { lastText, suiteService } from "../../support/chat/chatSuite";
import { connectionTo, openChat, PanelRig, type Page } from "../../support/chat/panelRig";
import { madePng } from "../../support/pictures/madePng";

function excerpt(path: string): Extract<Part, { kind: "excerpt" }> {
  const uri = `file:///p/${path}`;
  const languageId = "typescript";
  return { kind: "excerpt", path, uri, languageId, startLine: 1, endLine: 2, text: `in ${path}` };
}
const NOTE: Part = { kind: "note", source: "problems", label: "Problems", text: "a is unused" };

function reference(label: string, content: Partial<ReferenceContent>): Reference {
  const gather = () => Promise.resolve({ parts: [], pictures: [], ...content });
  return { kind: "file", label, detail: "", gather };
}

describe("composing a question", () => {
  const service = suiteService();

  async function open(...parts: Part[]) {
    const { rig, page, conversationId } = await openChat(service.url);
    await page.attach(...parts);
    const removed = () =>
      page.post({
        type: "attachment-removed",
        conversationId,
        attachmentId: page.shown.attachments[0]!.id,
      });
    return { rig, page, conversationId, removed };
  }

  const questionOf = ({ shown }: Page, at = 0) => shown.messages[at] as UserView;

  describe("attachments", () => {
    it("are shown immediately, each only once", async () => {
      const { page } = await open(excerpt("a.ts"));
      await page.attach(excerpt("a.ts"), NOTE);
      assert.deepEqual(
        page.shown.attachments.map(({ kind, label, detail }) => [kind, label, detail]),
        [
          ["file", "a.ts", "1-2"],
          ["problems", "Problems", ""],
        ],
      );
    });

    it("are sent with the question and removed from the draft", async () => {
      const { page } = await open(excerpt("a.ts"), NOTE);
      await service.exchange(page, "Why?", "Because.");
      assert.match(lastText(service), /Why\?[^]*a\.ts \(lines 1-2\)[^]*in a\.ts[^]*a is unused/);
      assert.deepEqual(page.labels, []);
      await page.askToEnd("And now?");
      assert.equal(lastText(service).split("in a.ts").length, 2, "with its own question only");
    });

    it("can be sent without text", async () => {
      const { page } = await open(NOTE);
      await page.askToEnd("");
      assert.equal(questionOf(page).text, "");
      assert.match(lastText(service), /a is unused/);
    });

    it("stay when the question is rejected, also those of an edited question", async () => {
      const { rig, page } = await open(NOTE);
      const { prepare } = rig;
      const reject = async (replacesId?: string) => {
        rig.prepare = () => Promise.resolve({ kind: "no-service" });
        const answer = await page.ask("How?", replacesId === undefined ? {} : { replacesId });
        assert.equal(answer?.isAccepted, false);
        assert.deepEqual(page.labels, ["Problems"]);
        rig.prepare = prepare;
      };
      await reject();
      await page.askToEnd("Why?");
      const { id } = questionOf(page);
      await page.edit(id);
      await reject(id);
    });

    it("of a question that failed are sent when it is tried again", async () => {
      const { rig, page } = await open(excerpt("a.ts"));
      rig.settings = { connection: connectionTo("http://127.0.0.1:1") };
      await page.askToEnd("Why?");
      assert.deepEqual(page.labels, []);
      rig.settings = {};
      await page.act("try-again");
      await page.untilEnded();
      assert.match(lastText(service), /Why\?[^]*in a\.ts/);
    });

    it("of a queued question come back to the draft when it is edited", async () => {
      const { page } = await open();
      await service.halfway(page, "first", "one ", "two");
      await page.attach(NOTE);
      await page.ask("second");
      await page.until(() => page.shown.queued.length === 1);
      assert.deepEqual(page.labels, []);
      await page.post({ type: "queued-edited", queuedId: page.shown.queued[0]!.id });
      await page.until(() => page.labels.length === 1);
      await page.ask("other words");
      service.releaseGate();
      await page.until(() => page.shown.messages.length === 4);
      await page.untilEnded();
      assert.match(lastText(service), /other words[^]*a is unused/);
    });
  });

  describe("the rules of the project", () => {
    const RULES: NotePart = {
      kind: "note",
      source: "rules",
      label: "Project rules",
      detail: "AGENTS.md",
      text: '<rules file="AGENTS.md">\nUse tabs.\n</rules>',
    };

    it("are sent once, shown, and left out when removed", async () => {
      const { rig, page } = await open();
      const shownRules = () => page.last("panel-changed")?.panel.rules;
      rig.context.setRules({ part: RULES, isOn: true });
      assert.deepEqual([shownRules()?.label, shownRules()?.isOn], ["Project rules", true]);
      service.script({ blocks: ["One."] }, { blocks: ["Two."] }, { blocks: ["Three."] });
      await page.askToEnd("First?");
      assert.match(lastText(service), /Use tabs\.[^]*First\?/);
      assert.deepEqual(
        questionOf(page).chips.map(({ kind, label }) => [kind, label]),
        [["rules", "Project rules"]],
      );
      await page.askToEnd("Second?");
      assert.equal(lastText(service).match(/Use tabs\./g)?.length, 1);
      assert.match(lastText(service), /rules of the project from earlier messages still apply/);
      await page.post({ type: "rules-opened" });
      assert.deepEqual(rig.context.opened, [RULES]);
      await page.post({ type: "rules-switched", isOn: false });
      assert.equal(shownRules()?.isOn, false);
      await page.post({ type: "conversation-asked" });
      await page.askToEnd("Third?");
      assert.doesNotMatch(lastText(service), /Use tabs/);
    });

    it("are the current ones in an edited question, not its earlier ones", async () => {
      const { rig, page } = await open();
      rig.context.setRules({ part: RULES, isOn: true });
      await service.exchange(page, "First?", "One.");
      const { id: replacesId } = questionOf(page);
      rig.context.setRules({ part: { ...RULES, text: "Use spaces." }, isOn: true });
      await page.edit(replacesId);
      assert.deepEqual(page.labels, []);
      await page.askToEnd("Again?", { replacesId });
      assert.match(lastText(service), /Use spaces\./);
      assert.doesNotMatch(lastText(service), /Use tabs/);
    });
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
    const prompt = { type: "prompt-asked", name: "explain", isAboutCode: true } as const;
    rig.context.promptCodeParts = [excerpt("a.ts")];
    assert.equal((await page.post(prompt))?.isAccepted, true);
    assert.equal(rig.context.promptCodeAsked, 1);
    assert.deepEqual(page.labels, ["a.ts"]);
    assert.equal((await page.post(prompt))?.isAccepted, false);
    const other = await open();
    other.rig.context.setSelection({ id: "s1", part: excerpt("b.ts"), isOn: true });
    await other.page.post(prompt);
    assert.equal(other.rig.context.promptCodeAsked, 0);
  });

  it("attaches pasted code and dropped files, and rejects code that is in no open file", async () => {
    const { rig, page, conversationId } = await open();
    const offered = { type: "text-offered", conversationId, text: "a\nb" } as const;
    const pasted = await page.post({ ...offered, name: "Pasted text", origin: "clipboard" });
    assert.equal(pasted?.isAccepted, true);
    const code = await page.post({ ...offered, name: "Code", origin: "editor" });
    assert.equal(code?.isAccepted, false);
    assert.deepEqual(page.labels, ["Pasted text"]);
    rig.context.files = { parts: [excerpt("a.ts")], pictures: [] };
    await page.post({ type: "files-dropped", conversationId, uris: ["file:///a.ts"] });
    await page.until(() => page.labels.join() === "Pasted text,a.ts");
  });

  describe("the automatic selection", () => {
    it("is sent with exactly the question that showed it, while it is on", async () => {
      const { rig, page } = await open();
      rig.context.setSelection({ id: "s1", part: excerpt("a.ts"), isOn: false });
      await page.askToEnd("off", { automaticId: "s1" });
      rig.context.setSelection({ id: "s2", part: excerpt("a.ts"), isOn: true });
      await page.askToEnd("unknown", { automaticId: "s1" });
      await page.askToEnd("not shown");
      assert.ok(!lastText(service).includes("in a.ts"));
      service.script({ blocks: ["Because."] });
      await page.askToEnd("Why?", { automaticId: "s2" });
      assert.match(lastText(service), /Why\?[^]*in a\.ts/);
      const [chip] = questionOf(page, 6).chips;
      assert.equal(chip?.label, "a.ts");
      await page.askToEnd("And?");
      assert.equal(lastText(service).split("in a.ts").length, 2, "sent once");
    });

    it("whose text is left out is named, and none of it is sent", async () => {
      const { rig, page } = await open();
      const part = { ...excerpt("a.ts"), text: "" };
      const shown = () => page.last("panel-changed")?.panel.automatic;
      rig.context.setSelection({ id: "s1", part, isOn: false, leftOut: "secrets" });
      await page.until(() => shown()?.leftOut === "secrets");
      await page.askToEnd("Why?", { automaticId: "s1" });
      assert.ok(!lastText(service).includes("a.ts"), lastText(service));
      await page.attach(excerpt("a.ts"));
      rig.context.setSelection({ id: "s2", part, isOn: false, leftOut: "secrets" });
      await page.until(() => shown() === undefined);
    });

    it("is shown and counted once if an attachment contains it", async () => {
      const { rig, page, removed } = await open();
      const selected = { ...excerpt("a.ts"), text: "one line of code\nand another line" };
      rig.context.setSelection({ id: "s1", part: selected, isOn: true });
      const automatic = () => page.last("panel-changed")?.panel.automatic?.label;
      const files = () => page.last("meter-changed")?.meter.files;
      await page.until(() => automatic() === "a.ts");
      const filesBefore = files();
      assert.ok(filesBefore);
      await page.attach(selected);
      assert.equal(automatic(), undefined);
      assert.deepEqual(page.labels, ["a.ts"]);
      assert.equal(files(), filesBefore);
      await removed();
      assert.equal(automatic(), "a.ts");
    });

    it("has definitions, which are sent once as shown, opened and switched", async () => {
      const { rig, page } = await open();
      const { context } = rig;
      context.setSelection({ id: "s1", part: excerpt("a.ts"), isOn: true });
      const items = [{ ...excerpt("money.ts"), text: "interface Money {}" }];
      const part = { kind: "related", relation: "definitions", items } as const;
      const shown = () => page.last("panel-changed")?.panel.definitions;
      context.setDefinitions({ id: "d1", part, isOn: true });
      assert.equal(shown()?.id, "d1");
      service.script({ blocks: ["So."] }, { blocks: ["Now."] }, { blocks: ["No."] });
      const ask = (text: string, definitionsId: string) =>
        page.askToEnd(text, { automaticId: "s1", definitionsId });
      await ask("Why?", "d1");
      assert.match(lastText(service), /money\.ts \(lines 1-2\):\n```typescript\ninterface Money/);
      const { id: messageId, chips } = questionOf(page);
      assert.deepEqual(
        chips.map(({ kind }) => kind),
        ["file", "definitions"],
      );
      await page.post({ type: "chip-opened", messageId, index: 1 });
      await page.post({ type: "definitions-opened", definitionsId: "d1" });
      assert.deepEqual(context.opened, [part, part]);
      await ask("And now?", "d1");
      assert.equal(lastText(service).split("interface Money").length, 2);
      assert.match(lastText(service), /definitions of this code are unchanged since an earlier/);
      await ask("Others?", "another");
      assert.equal(questionOf(page, 4).chips.length, 1);
      await page.post({ type: "definitions-switched", isOn: false });
      assert.deepEqual(context.switched, [false]);
      context.setDefinitions({ id: "d1", isOn: false });
      assert.equal(shown()?.isOn, false);
      context.setSelection(undefined);
      assert.equal(shown(), undefined);
    });
  });

  it("attaches a file in place of its lines, and no lines next to their file", async () => {
    const { page } = await open({ ...excerpt("a.ts"), symbol: "Cart" }, NOTE);
    const { kind, path, uri, languageId, text } = excerpt("a.ts");
    await page.attach({ kind, path, uri, languageId, text: `${text}\n\nthe rest` });
    assert.deepEqual(page.labels, ["Problems", "a.ts"]);
    await page.attach(excerpt("a.ts"));
    assert.deepEqual(page.labels, ["Problems", "a.ts"]);
  });

  it("shows the lines, the number of omitted lines and the included problems on a chip", async () => {
    const { page } = await open(
      { ...excerpt("a.ts"), endLine: 1, problems: "- line 1: error: no" },
      { ...excerpt("b.ts"), linesLeftOut: 3572, problems: "- line 1: a\n- and 60 more" },
    );
    assert.deepEqual(
      page.shown.attachments.map(({ detail }) => detail),
      ["1, 1 wrong", "1-2, 3572 left out, 61 wrong"],
    );
  });

  it("shows an earlier question's own parts while it is edited, and then the previous ones", async () => {
    const { page, removed } = await open(excerpt("a.ts"), NOTE);
    await page.askToEnd("Why?");
    await page.attach(excerpt("later.ts"));
    const { id: replacesId } = questionOf(page);
    await page.edit(replacesId);
    assert.deepEqual(page.labels, ["a.ts", "Problems"]);
    await removed();
    await page.attach(excerpt("new.ts"));
    assert.deepEqual(page.labels, ["Problems", "new.ts"]);
    await page.askToEnd("How?", { replacesId });
    assert.match(lastText(service), /How\?[^]*a is unused[^]*in new\.ts/);
    assert.doesNotMatch(lastText(service), /in a\.ts|in later\.ts/);
    assert.deepEqual(page.labels, ["later.ts"]);
  });

  it("restores the previous parts when editing ends, and keeps both after a restart", async () => {
    const { rig, page } = await open(NOTE);
    await page.askToEnd("Why?");
    await page.attach(excerpt("later.ts"));
    await page.edit(questionOf(page).id);
    await rig.history.close();
    const next = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(next.labels, ["Problems"]);
    await next.edit();
    assert.deepEqual(next.labels, ["later.ts"]);
  });

  describe("the results of #", () => {
    const search = (page: Page, query: number, text: string) =>
      page.post({ type: "references-asked", query, text });
    const pick = (page: Page, query: number, index: number) =>
      page.post({ type: "reference-picked", query, index });
    const answers = (page: Page): Extract<ToView, { type: "references-found" }>[] =>
      page.received.filter((message) => message.type === "references-found");

    it("are those of the newest search, and the selected one is attached", async () => {
      const { rig, page } = await open();
      let openGate = () => {};
      const gate = new Promise<void>((resolve) => (openGate = resolve));
      rig.context.find = async function* (text) {
        if (text === "slow") await gate;
        yield [reference(text, { parts: [excerpt(`${text}.ts`)] })];
      };
      const slow = search(page, 1, "slow");
      await search(page, 2, "fast");
      openGate();
      await slow;
      assert.deepEqual(
        answers(page).map(({ query, items, isComplete }) => [query, items[0]?.label, isComplete]),
        [
          [2, "fast", false],
          [2, "fast", true],
        ],
      );
      assert.deepEqual(await pick(page, 1, 0), { isAccepted: false });
      assert.deepEqual(await pick(page, 2, 7), { isAccepted: false });
      assert.deepEqual(page.labels, []);
      assert.deepEqual(await pick(page, 2, 0), { isAccepted: true });
      assert.deepEqual(page.labels, ["fast.ts"]);
    });

    it("can be a picture, and a file without one is reported", async () => {
      const { rig, page } = await open();
      const picture = (name: string, bytes: Uint8Array) =>
        reference(name, { pictures: [{ name, bytes }] });
      rig.context.find = async function* () {
        const wrong = picture("no.png", Uint8Array.of(1, 2, 3));
        yield await Promise.resolve([picture("shot.png", madePng(40, 30)), wrong]);
      };
      await search(page, 1, "png");
      const picked = pick(page, 1, 0);
      await page.until(() => page.received.at(-1)?.type === "picture-job");
      const job = page.last("picture-job")!;
      assert.equal(job.fit, "check");
      const piece = { index: 0, count: 1, bytes: new Uint8Array() };
      await page.post({ type: "picture-drawn", jobId: job.jobId, ...piece });
      assert.deepEqual(await picked, { isAccepted: true });
      assert.deepEqual(await pick(page, 1, 1), { isAccepted: false });
      assert.deepEqual(
        page.shown.attachments.map(({ kind, label, picture }) => [kind, label, picture?.widthPx]),
        [["picture", "shot.png", 40]],
      );
      assert.match(page.last("notice-shown")?.notice.text ?? "", /no\.png/);
    });

    it("stay when another source fails", async () => {
      const { rig, page } = await open();
      rig.context.find = async function* () {
        yield [reference("one", { parts: [NOTE] })];
        await Promise.reject(new Error("broken"));
      };
      await search(page, 1, "");
      assert.deepEqual(
        answers(page).map(({ items, isComplete }) => [items.length, isComplete]),
        [
          [1, false],
          [1, true],
        ],
      );
    });
  });

  it("opens the target of a chip in the draft and in a sent question", async () => {
    const { rig, page, conversationId } = await open(excerpt("a.ts"), NOTE);
    const attachmentId = page.shown.attachments[1]!.id;
    await page.post({ type: "attachment-opened", conversationId, attachmentId });
    await page.askToEnd("Why?");
    const messageId = questionOf(page).id;
    await page.post({ type: "chip-opened", messageId, index: 0 });
    await page.post({ type: "chip-opened", messageId, index: 5 });
    assert.deepEqual(rig.context.opened, [NOTE, excerpt("a.ts")]);
  });

  it("marks the chips of a file that changed, and keeps the sent text, also after a restart", async () => {
    const { rig, page } = await open(excerpt("a.ts"), excerpt("b.ts"));
    await page.askToEnd("Why?");
    const marks = () => questionOf(page).chips.map((chip) => chip.isChanged === true);
    assert.deepEqual(marks(), [false, false]);
    rig.context.markChanged("file:///p/b.ts");
    assert.deepEqual(marks(), [false, true]);
    await page.post({ type: "snapshot-asked" });
    assert.deepEqual(marks(), [false, true]);
    await rig.history.close();
    const nextRig = new PanelRig(service.url, rig);
    const next = await nextRig.openPage();
    await next.post({ type: "chip-opened", messageId: questionOf(next).id, index: 1 });
    assert.deepEqual(nextRig.context.opened, [excerpt("b.ts")]);
    await next.regenerate();
    await next.until(() => service.requests.length === 2);
    assert.match(lastText(service), /Why\?[^]*in b\.ts/);
    await next.untilEnded();
  });
});
