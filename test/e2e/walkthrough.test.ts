/**
 * Tests that the walkthrough leads a new user from the installed extension to a first reply, by
 * keyboard alone and in both languages.
 */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

interface Language {
  readonly locale: string | undefined;
  readonly show: string;
  readonly connect: string;
  readonly address: string;
  readonly answers: string;
  readonly openChat: string;
  readonly steps: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    locale: undefined,
    show: "Show First Steps",
    connect: "Connect",
    address: "Address",
    answers: "The service answers · 2 models",
    openChat: "Open Chat",
    steps: ["Connect your service", "Ask your first question"],
  },
  {
    locale: "zh-cn",
    show: "查看入门步骤",
    connect: "连接",
    address: "地址",
    answers: "服务可用 · 2 个模型",
    openChat: "打开聊天",
    steps: ["连接你的服务", "第一次提问"],
  },
];

/** More Tab stops than any path through the page and VS Code's own interface has. */
const MOST_STOPS = 80;

/** Presses a key, Tab or Shift+Tab, until this locator has the focus. */
async function goTo(window: Workbench, target: Locator, key: "Tab" | "Shift+Tab"): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element.matches(":focus"))) return;
    await window.page.keyboard.press(key);
  }
  throw new Error(`${key} never led to ${String(target)}`);
}

/**
 * Focuses a step's button and presses Enter until the expected element appears. VS Code opens most
 * steps automatically and focuses them, which takes a moment.
 */
async function pressUntil(
  window: Workbench,
  button: Locator,
  wanted: Locator,
  step: Locator,
): Promise<void> {
  for (const deadline = Date.now() + 60_000; ;) {
    try {
      const isOpen = await button.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      if (!isOpen) {
        await goTo(window, step, "Tab");
        await window.page.keyboard.press("Enter");
      }
      await goTo(window, button, "Tab");
      await window.page.keyboard.press("Enter");
      await wanted.waitFor({ timeout: 5_000 });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

for (const language of LANGUAGES) {
  describe(`the first window and the walkthrough ${language.locale === undefined ? "in English" : ALL}`, function () {
    this.timeout(300_000);
    let environment: E2eEnvironment;
    let window: Workbench;

    before(async () => {
      // As users have it: with VS Code's own chat in the same side bar.
      environment = await E2eEnvironment.open({
        settings: { "chat.disableAIFeatures": false },
        ...(language.locale !== undefined && { locale: language.locale }),
      });
      window = await environment.openWindow();
    });
    after(() => environment.close());
    afterEach(async function () {
      if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
    });

    const page = () => window.page.locator(".gettingStartedContainer");
    const step = (title: string) => page().locator(".getting-started-step", { hasText: title });
    const ticked = (title: string) => step(title).locator(".codicon.complete").first().waitFor();

    it("shows the panel once, without the focus", async () => {
      await window.panel.getByRole("textbox", { name: language.address }).waitFor();
      assert.equal(await window.panel.locator(":focus").count(), 0);
      const tab = window.page.getByRole("tab", { name: /^Core Chat/ });
      await window.page.locator(".auxiliarybar").getByRole("tab").first().click();
      await tab.and(window.page.locator("[aria-selected=false]")).waitFor();
      if (language.locale !== undefined) return;
      await environment.crash(); // VS Code starts the extensions again.
      await environment.changeSettings({}); // Waits until they run: before, no command is found.
      await window.runCommand("Core Chat: Show Log");
      await window.page.locator(".part.panel .monaco-editor .view-lines").waitFor();
      await tab.and(window.page.locator("[aria-selected=false]")).waitFor();
    });

    it("opens from the empty panel", async () => {
      await window.openChatByKeys();
      const show = window.panel.getByRole("button", { name: language.show });
      await goTo(window, show, "Shift+Tab"); // The composer below has the caret.
      await window.page.keyboard.press("Enter");
      for (const title of language.steps) await step(title).first().waitFor();
    });

    it("leads to a service, to a key if needed, and to a reply", async () => {
      const { keyboard } = window.page;
      const connect = page().getByRole("button", { name: language.connect, exact: true });
      const address = window.panel.getByRole("textbox", { name: language.address });
      const [service = "", question = ""] = language.steps;
      const isAddress = address.and(window.panel.locator(":focus"));
      await pressUntil(window, connect, isAddress, step(service).first());
      await keyboard.type(environment.service.url);
      await keyboard.press("Enter");
      await ticked(service);
      await window.panel.locator(".notice", { hasText: language.answers }).waitFor();
      environment.service.script({ blocks: ["Hello."] });
      const composer = window.panel.getByRole("textbox");
      const openChat = page().getByRole("button", { name: language.openChat }).first();
      const isFocused = composer.and(window.panel.locator(":focus"));
      await pressUntil(window, openChat, isFocused, step(question).first());
      await keyboard.type("Hi");
      await keyboard.press("Enter");
      await window.panel.locator("article p", { hasText: "Hello." }).waitFor();
      await ticked(question);
      assert.equal(JSON.stringify(environment.service.requests.at(-1)?.body).includes("Hi"), true);
    });
  });
}
