/** Tests the outline, the keys between questions and code blocks, headings and folding. */
import assert from "node:assert/strict";
import type { NavigationCommand } from "../../src/protocol/actions";
import { violationsAround } from "../support/browser/axe";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const CODE = "```ts src/cart.ts\nlet a = 1;\n```\n";

/** Questions whose every third reply has two code blocks, in a list and after a heading. */
function conversation(count: number) {
  return Array.from({ length: count }, (_, index) => [
    question(`q${index}`, `Question ${index}: 为什么`),
    reply(
      `r${index}`,
      index % 3 === 0
        ? `# Part ${index}\n\n1. A step:\n\n   ${CODE.replaceAll("\n", "\n   ")}\n## Then\n\n${CODE}\n`
        : "A paragraph without code, long enough to wrap in a narrow panel.\n\n".repeat(8),
    ),
  ]).flat();
}

async function run(host: FakeHost, command: NavigationCommand): Promise<void> {
  await host.send({ type: "navigation-asked", command });
}

/** Returns the message or code block with the focus. */
function focused(host: FakeHost): Promise<string> {
  return host.page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const message = element.closest("article")?.dataset["messageId"] ?? element.tagName;
    const block = element.closest<HTMLElement>(".code-block")?.dataset["block"];
    return block === undefined ? message : `${message} ${block}`;
  });
}

/** Waits until this has the focus and is at the top of the transcript, or at its end. */
async function untilAt(host: FakeHost, expected: string): Promise<void> {
  await poll(async () => (await focused(host)) === expected, `the focus on ${expected}`);
  await poll(
    () =>
      host.page.evaluate(() => {
        const log = document.querySelector("[role=log]")!;
        const { top } = document.activeElement!.getBoundingClientRect();
        const distance = top - log.getBoundingClientRect().top;
        const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 2;
        return isAtEnd ? distance < log.clientHeight : distance > -2 && distance < 110;
      }),
    `${expected} at the top`,
  );
}

describe("keys between questions and code blocks", () => {
  const open = usePanel();

  it("go through the questions of a long conversation and back", async () => {
    const host = await open({ shown: { messages: conversation(200) } });
    await host.page.locator("[data-message-id=r199] .reply-body:not(.is-plain)").waitFor();
    for (let index = 199; index >= 180; index--) {
      await run(host, "previous-question");
      await untilAt(host, `q${index}`);
    }
    await run(host, "next-question");
    await untilAt(host, "q181");
  });

  it("go to each code block, also of replies without elements", async () => {
    const host = await open({ shown: { messages: conversation(60) } });
    await host.page.locator("[data-message-id=r59] .reply-body:not(.is-plain)").waitFor();
    const blocks = [57, 54, 51, 48, 45, 42, 39].flatMap((index) => [`r${index} 1`, `r${index} 0`]);
    for (const block of blocks) {
      await run(host, "previous-code-block");
      await untilAt(host, block);
    }
    for (const block of blocks.toReversed().slice(1)) {
      await run(host, "next-code-block");
      await untilAt(host, block);
    }
    // There is none below: the focus stays.
    await run(host, "next-code-block");
    await untilAt(host, blocks[0]!);
  });
});

describe("the outline", () => {
  const open = usePanel();
  const list = (host: FakeHost) => host.page.getByRole("listbox", { name: "Outline" });
  const rows = (host: FakeHost) => list(host).getByRole("option").allInnerTexts();

  const messages = [
    question("q1", "How do I add prices?", { version: { index: 2, count: 2 } }),
    reply("r1", `# Adding prices\n\n${CODE}\n## 总和\n\nText`, {
      notice: { tone: "warning", text: "Stopped." },
    }),
    question("q2", "And the tax?"),
    reply("r2", "A paragraph.\n\n".repeat(60)),
  ];

  it("lists questions, headings and code with their marks, and filters them", async () => {
    const host = await open({ widthPx: 250, shown: { messages } });
    await run(host, "outline");
    const input = host.page.getByRole("combobox", { name: "Search the outline" });
    await list(host).getByRole("option").first().waitFor();
    const texts = (await rows(host)).map((text) => text.replaceAll(/\s+/g, " ").trim());
    assert.deepEqual(texts, [
      "Question 1. How do I add prices? Incomplete · 2 versions",
      "Heading Adding prices",
      "Code ts · src/cart.ts",
      "Heading 总和",
      "Question 2. And the tax?",
    ]);
    const depths = await list(host)
      .getByRole("option")
      .evaluateAll((options) => options.map(({ style }) => style.getPropertyValue("--depth")));
    assert.deepEqual(depths.map(Number), [0, 1, 2, 2, 0]);
    assert.deepEqual(await violationsAround(host.page.locator("body")), []);
    for (const [query, found] of [
      ["总", ["Heading 总和"]],
      ["crt", ["Code ts · src/cart.ts"]],
      ["zzz", []],
    ] as const) {
      await input.fill(query);
      const filtered = async () =>
        (await rows(host)).map((text) => text.replaceAll(/\s+/g, " ").trim());
      await poll(async () => (await filtered()).join() === found.join(), `the rows of ${query}`);
    }
  });

  it("previews with the arrows, returns with Escape and goes with Enter", async () => {
    const host = await open({ shown: { messages } });
    const top = () => host.page.getByRole("log").evaluate((log) => Math.round(log.scrollTop));
    for (const id of ["r1", "r2"]) {
      await host.page.locator(`[data-message-id=${id}] .reply-body.is-final`).waitFor();
    }
    await host.page.getByRole("log").evaluate((log) => {
      log.dispatchEvent(new WheelEvent("wheel"));
      log.scrollTop -= 300;
    });
    await poll(async () => (await host.page.locator(".scroll-to-end").count()) === 1, "no end");
    const before = await top();
    assert.ok(before > 300);
    await run(host, "outline");
    const input = host.page.getByRole("combobox", { name: "Search the outline" });
    await input.waitFor();
    await host.page
      .getByRole("option", { selected: true })
      .filter({ hasText: "the tax" })
      .waitFor();
    for (let count = 0; count < 4; count++) await input.press("ArrowUp");
    await poll(async () => (await top()) < before, "the preview");
    await input.press("Escape");
    await input.waitFor({ state: "detached" });
    assert.equal(await top(), before);
    await run(host, "outline");
    await input.fill("add prices");
    await input.press("Enter");
    await input.waitFor({ state: "detached" });
    await untilAt(host, "q1");
  });
});

describe("headings and folding of replies", () => {
  const open = usePanel();

  it("have headings below the level of their message", async () => {
    const text = [1, 2, 3, 4, 5, 6].map((level) => `${"#".repeat(level)} H${level}`).join("\n\n");
    const { page } = await open({ shown: { messages: [question("q1", "?"), reply("r1", text)] } });
    for (const level of [1, 2, 3, 4]) {
      await page.getByRole("heading", { level: level + 2, name: `H${level}` }).waitFor();
    }
    for (const level of [5, 6]) {
      await page.locator(`h6[aria-level="${level + 2}"]`, { hasText: `H${level}` }).waitFor();
    }
  });

  it("skip no level, whatever levels the reply leaves out", async () => {
    const levels = [2, 3, 2, 5, 1, 4, 6];
    const text = levels.map((level, at) => `${"#".repeat(level)} H${at}`).join("\n\n");
    const { page } = await open({ shown: { messages: [question("q1", "?"), reply("r1", text)] } });
    for (const [at, level] of [3, 4, 3, 4, 3, 4, 5].entries()) {
      await page.getByRole("heading", { level, name: `H${at}` }).waitFor();
    }
  });
});
