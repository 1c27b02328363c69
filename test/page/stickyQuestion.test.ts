/** Tests the band with the question of the reply that is being read. */
import assert from "node:assert/strict";
import { violationsAround } from "../support/browser/axe";
import { ALL } from "../support/depth";
import { madePng } from "../support/pictures/madePng";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { PANEL_SETTINGS } from "../support/fakes/panelSettings";

/** Replies of many heights, some lower than the band. */
function conversation(count: number) {
  return Array.from({ length: count }, (_, index) => [
    question(`q${index}`, `Question ${index}: ${"why does this happen ".repeat(index % 7)}?`),
    reply(`r${index}`, "A **paragraph** that wraps in a narrow panel.\n\n".repeat((index % 5) * 3)),
  ]).flat();
}

/** What is wrong with the band at the current scroll position; undefined if nothing. */
interface Reading {
  readonly top: number;
  readonly shown: readonly string[];
  readonly expected: readonly string[];
}

/** Runs in the page: scrolls through the conversation and returns the wrong positions. */
async function wrongPositions(positions: number): Promise<Reading[]> {
  const log = document.querySelector<HTMLElement>("[role=log]")!;
  const numberOf = (article: Element) =>
    article.querySelector<HTMLElement>(".question-band-number")?.dataset["words"] ?? "";
  const read = (): Reading => {
    const edge = log.getBoundingClientRect().top;
    const replies = [...log.querySelectorAll("article.reply")];
    const near = replies.filter((article) => {
      const { top, bottom } = article.getBoundingClientRect();
      return top < edge + 2000 && bottom > edge - 2000;
    });
    const shown = near.filter((article) => {
      const band = article.querySelector(".question-band-content");
      return band?.checkVisibility() === true && band.getBoundingClientRect().bottom > edge;
    });
    const height = parseFloat(getComputedStyle(log).scrollPaddingTop);
    const expected = near.filter((article) => {
      const { top, bottom } = article.getBoundingClientRect();
      // Rounding of a pixel, and a reply lower than the band has none.
      if (Math.abs(top - edge) < 1.5 || Math.abs(bottom - edge) < 1.5) {
        return shown.includes(article);
      }
      return top < edge && bottom > edge && bottom - top > height;
    });
    return {
      top: log.scrollTop,
      shown: shown.map(numberOf),
      expected: expected.map(numberOf),
    };
  };
  const wrong: Reading[] = [];
  log.dispatchEvent(new WheelEvent("wheel"));
  for (let index = 0; index <= positions; index++) {
    log.scrollTop = Math.round(((log.scrollHeight - log.clientHeight) * index) / positions);
    let reading: Reading | undefined;
    // Replies that come near are rendered meanwhile, on a slow machine over several frames.
    for (let frame = 0; frame < 30; frame++) {
      await new Promise(requestAnimationFrame);
      reading = read();
      const { shown, expected } = reading;
      if (frame > 0 && shown.length < 2 && shown.join() === expected.join()) reading = undefined;
      if (reading === undefined) break;
    }
    if (reading) wrong.push(reading);
  }
  return wrong;
}

/** Texts that the style sheet draws for the visible band. */
async function bandWords(host: FakeHost): Promise<string[]> {
  return host.page.evaluate(() => {
    const edge = document.querySelector("[role=log]")!.getBoundingClientRect().top;
    const isBelowTop = (band: Element) => band.getBoundingClientRect().bottom > edge + 1;
    return [...document.querySelectorAll<HTMLElement>(".question-band-content")]
      .filter((band) => band.checkVisibility() && isBelowTop(band))
      .flatMap((band) => [...band.querySelectorAll<HTMLElement>("[data-words]")])
      .map(({ dataset }) => dataset["words"] ?? "");
  });
}

async function scrollInto(host: FakeHost, id: string, px: number): Promise<void> {
  await host.page.locator(`[data-message-id=${id}]`).evaluate((article, offset) => {
    const log = article.closest("[role=log]")!;
    log.dispatchEvent(new WheelEvent("wheel"));
    log.scrollTop += article.getBoundingClientRect().top - log.getBoundingClientRect().top + offset;
  }, px);
}

describe("the question of the reply that is being read", () => {
  const open = usePanel();

  /** Layouts with the number of scroll positions that are checked. */
  const LOOKS = [
    ["in a panel of 250 px", { widthPx: 250, heightPx: 700 }, 40],
    [`at 200 % zoom ${ALL}`, { widthPx: 185, heightPx: 350 }, 500],
    [`in a wide panel ${ALL}`, { widthPx: 900, heightPx: 700 }, 500],
  ] as const;

  for (const [name, look, positions] of LOOKS) {
    it(`is right at ${positions} scroll positions ${name}`, async () => {
      const host = await open({ ...look, shown: { messages: conversation(24) } });
      await host.page.locator("[data-message-id=r23] .reply-body:not(.is-plain)").waitFor();
      assert.deepEqual(await host.page.evaluate(wrongPositions, positions), []);
    });

    it(`stays while its reply streams and the panel follows the end ${name}`, async () => {
      const host = await open(look);
      const filled = "some words\n\n".repeat(40); // Higher than the panel.
      const last = { ...reply("r1", filled), isStreaming: true };
      const messages = [
        question("q0", "?"),
        reply("r0", "No."),
        question("q1", "A question"),
        last,
      ];
      await host.show({ messages, panel: { isRunning: true } });
      const wrong: unknown[] = [];
      const followed = new Set<number>();
      const deltas = positions / 4 + 40;
      for (let at = 0; at < deltas; at++) {
        await host.stream("r1", filled.length + at * 10, [
          at % 4 === 3 ? "one word\n\n" : "some words",
        ]);
        const { top, isAbove, isShown } = await host.page.evaluate(async () => {
          // The browser shows a sticky state in the frame after it.
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
          const log = document.querySelector("[role=log]")!;
          const article = document.querySelector("[data-message-id=r1]")!;
          const { top, bottom } = article.getBoundingClientRect();
          const edge = log.getBoundingClientRect().top;
          const isAtEdge = Math.abs(top - edge) < 2;
          const band = article.querySelector(".question-band-content")!;
          return {
            top: log.scrollTop,
            isAbove: isAtEdge ? undefined : top < edge && bottom > edge,
            isShown: band.checkVisibility() && band.getBoundingClientRect().bottom > edge + 1,
          };
        });
        followed.add(top);
        if (isAbove !== undefined && isAbove !== isShown) wrong.push({ at, top, isShown });
      }
      assert.deepEqual(wrong, []);
      assert.ok(followed.size > 10, `${followed.size} positions`);
      assert.deepEqual(await bandWords(host), ["A question", "2/2"]);
    });
  }

  it("has at most two lines, its number and the thumbnail of its picture", async () => {
    const hash = "a".repeat(64);
    const picture = { hash, widthPx: 40, heightPx: 30 };
    const chips = [{ kind: "picture" as const, label: "screen.png", detail: "40×30", picture }];
    const messages = [
      question("q1", "many words ".repeat(60), { chips }),
      reply("r1", "A paragraph.\n\n".repeat(40)),
      question("q2", "?"),
    ];
    const host = await open({ widthPx: 250 });
    host.pictures.set(hash, new Uint8Array(madePng(40, 30)));
    await host.show({ messages });
    await scrollInto(host, "r1", 100);
    const band = host.page.locator(".question-band-content");
    await band.locator("img[src]").waitFor();
    assert.equal((await bandWords(host))[1], "1/2");
    const lines = await band.locator(".question-band-words").evaluate((words) => {
      return words.clientHeight / parseFloat(getComputedStyle(words).lineHeight);
    });
    assert.ok(lines > 1 && lines < 2.1, String(lines));
    assert.deepEqual(await violationsAround(host.page.locator("body")), []);
    // Drawn by the style sheet: no second text for screen readers, copies and the search.
    assert.equal(await band.evaluate((element) => element.textContent), "");
  });

  it("goes to the question at a click, which is then the first line", async () => {
    const host = await open({ shown: { messages: conversation(30) } });
    await host.page.locator("[data-message-id=r29] .reply-body:not(.is-plain)").waitFor();
    await scrollInto(host, "r28", 60);
    await poll(async () => (await bandWords(host)).length > 0, "the band");
    // Without the scrolling of Playwright's own click.
    const band = await host.page.locator("[data-message-id=r28] .question-band").boundingBox();
    assert.ok(band !== null);
    await host.page.mouse.click(band.x + 20, band.y + band.height / 2);
    const topOf = () =>
      host.page.locator("[data-message-id=q28]").evaluate((article) => {
        const log = article.closest("[role=log]")!;
        return article.getBoundingClientRect().top - log.getBoundingClientRect().top;
      });
    await poll(async () => Math.abs(await topOf()) < 2, "the question at the top");
    await poll(async () => (await bandWords(host)).length === 0, "no band over the question");
  });

  it("is not shown if the setting is off, or under a title that says the only question", async () => {
    const settings = { ...PANEL_SETTINGS, stickyQuestion: false };
    const host = await open({ shown: { messages: conversation(8), panel: { settings } } });
    await scrollInto(host, "r4", 60);
    assert.equal(await host.page.locator(".question-band").count(), 0);
    const messages = [question("q1", "Why?"), reply("r1", "A paragraph.\n\n".repeat(40))];
    await host.show({ conversationId: "c2", messages, panel: { settings: PANEL_SETTINGS } });
    await scrollInto(host, "r1", 100);
    assert.equal(await host.page.locator(".question-band").count(), 0);
    await host.show({ conversationId: "c2", messages: [...messages, question("q2", "And?")] });
    await host.page.locator(".question-band").waitFor({ state: "attached" });
  });
});
