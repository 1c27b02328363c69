/** Tests the host's side of recalled questions: attachments, sending, and the draft set aside. */
import assert from "node:assert/strict";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";

const NOTE = { kind: "note", source: "problems", label: "Problems", text: "unused" } as const;
const OTHER_NOTE = { ...NOTE, label: "Terminal", text: "exit 1" };
const DRAFT = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");

describe("a recalled question", () => {
  const service = suiteService();

  async function open() {
    const { rig, page, conversationId } = await openChat(service.url);
    await page.attach(NOTE);
    await page.askToEnd("first");
    await page.askToEnd("second");
    const questions = page.shown.messages.filter(({ role }) => role === "user");
    await page.type(DRAFT);
    await page.attach(OTHER_NOTE);
    return { rig, page, conversationId, questions };
  }

  const recall = (page: Page, { id, text }: { id: string; text: string }, parkedText: string) =>
    page.edit(id, { parkedText, text, isRecalled: true });

  it("comes with its attachments; the draft comes back with its own", async () => {
    const { page, questions } = await open();
    await recall(page, questions[0]!, DRAFT);
    assert.deepEqual(page.labels, ["Problems"]);
    await recall(page, questions[1]!, DRAFT);
    assert.deepEqual(page.labels, []);
    await page.edit(undefined, { text: DRAFT });
    assert.deepEqual(page.labels, ["Terminal"]);
  });

  it("is asked as a new question, then the draft is back", async () => {
    const { rig, page, conversationId, questions } = await open();
    await recall(page, questions[0]!, DRAFT);
    await page.type("first, again");
    await page.askToEnd("first, again");
    const asked = page.shown.messages.filter(({ role }) => role === "user");
    assert.deepEqual(
      asked.map(({ text }) => text),
      ["first", "second", "first, again"],
    );
    const [, , last] = asked;
    assert.deepEqual(last?.role === "user" && last.chips.map(({ label }) => label), ["Problems"]);
    assert.equal(rig.history.drafts.current(conversationId).text, DRAFT);
    assert.deepEqual(page.labels, ["Terminal"]);
  });

  const title = "loses no draft of 400 words in any order of keys, reloads and kills";
  itWithRounds(title, { quick: 4, all: 15 }, async (rounds) => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < rounds; round += 1) {
      const opened = await open();
      const { conversationId, questions } = opened;
      let { rig, page } = opened;
      let parked: string | undefined;
      for (let step = 0; step < 10; step += 1) {
        const now = () => rig.history.drafts.current(conversationId);
        switch (random(5)) {
          case 0: {
            // Up: the page passes the draft only when a walk begins.
            const question = questions[random(2)]!;
            const isWalking =
              parked !== undefined && questions.some((one) => one.text === now().text);
            parked = isWalking ? parked! : now().text;
            await recall(page, question, parked);
            break;
          }
          case 1:
            if (parked === undefined || !questions.some((one) => one.text === now().text)) break;
            await page.edit(undefined, { text: parked });
            parked = undefined;
            break;
          case 2:
            await page.type(`${now().text} typed`);
            break;
          case 3:
            if (parked === undefined) break;
            await page.edit(undefined, { text: parked, keepsOther: true });
            parked = undefined;
            break;
          default:
            // The next window has only what is on disk.
            await rig.history.drafts.flush();
            rig = new PanelRig(service.url, rig);
            page = await rig.openPage();
            parked = page.shown.editing?.parkedText;
        }
        const { text, editing, other = "" } = now();
        const all = [text, editing?.parkedText ?? "", other];
        assert.ok(
          all.some((one) => one.includes(DRAFT)),
          `seed ${seed}, round ${round}, step ${step}`,
        );
      }
    }
  });
});
