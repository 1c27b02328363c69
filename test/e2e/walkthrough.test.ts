/**
 * A new person gets from the installed extension to a first answer by the walkthrough alone, by
 * keyboard alone, in either language.
 */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { Desk } from "../support/e2e/window";
import type { Workbench } from "../support/workbench.mjs";

interface Language {
  readonly locale: string | undefined;
  readonly show: string;
  readonly setBaseUrl: string;
  readonly openChat: string;
  readonly steps: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    locale: undefined,
    show: "Show First Steps",
    setBaseUrl: "Set Base URL",
    openChat: "Open Chat",
    steps: ["Name your service", "Enter your key", "Ask a first question"],
  },
  {
    locale: "zh-cn",
    show: "查看入门步骤",
    setBaseUrl: "设置基础 URL",
    openChat: "打开聊天",
    steps: ["指定你的服务", "输入你的密钥", "提出第一个问题"],
  },
];

/**
 * Presses Enter on a step's button until what it is for is there. VS Code may be about to open the
 * next step by itself, and a key that is pressed while it does is lost.
 */
async function pressUntil(button: Locator, wanted: Locator, step: Locator): Promise<void> {
  for (const deadline = Date.now() + 30_000; ;) {
    try {
      if (!(await button.isVisible())) await step.press("Enter", { timeout: 5_000 });
      await button.press("Enter", { timeout: 5_000 });
      await wanted.waitFor({ timeout: 5_000 });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

for (const language of LANGUAGES) {
  describe(`the walkthrough (${language.locale ?? "en"})`, function () {
    this.timeout(120_000);
    let desk: Desk;
    let window: Workbench;

    before(async () => {
      desk = await Desk.open(language.locale === undefined ? {} : { locale: language.locale });
      window = await desk.openWindow();
    });
    after(() => desk.close());
    afterEach(async function () {
      if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
    });

    const page = () => window.page.locator(".gettingStartedContainer");
    const step = (title: string) => page().locator(".getting-started-step", { hasText: title });
    const ticked = (title: string) => step(title).locator(".codicon.complete").first().waitFor();

    it("opens from the empty panel", async () => {
      await window.runCommand(`Core Chat: ${language.openChat}`);
      await window.panel.getByRole("button", { name: language.show }).press("Enter");
      for (const title of language.steps) await step(title).first().waitFor();
    });

    it("leads to a service, to a key where one is needed, and to an answer", async () => {
      desk.service.script({ blocks: ["Hello."] });
      await page().getByRole("button", { name: language.setBaseUrl }).press("Enter");
      await window.answerInput(desk.service.url);
      const [service = "", key = "", question = ""] = language.steps;
      await ticked(service);
      await ticked(key); // A service on this machine needs none.
      const composer = window.panel.getByRole("textbox");
      const openChat = page().getByRole("button", { name: language.openChat }).first();
      const isFocused = composer.and(window.panel.locator(":focus"));
      await pressUntil(openChat, isFocused, step(question).first());
      await composer.pressSequentially("Hi");
      await composer.press("Enter");
      await window.panel.locator("article p", { hasText: "Hello." }).waitFor();
      await ticked(question);
      assert.equal(desk.service.requests.length, 1);
    });
  });
}
