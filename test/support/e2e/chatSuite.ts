/** Registers the hooks that end-to-end tests of a window share, and finds the parts of a chat in it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import type { ReferenceService, ScriptedReply } from "../../service/server";
import type { Workbench } from "../vscode/workbench.mjs";
import {
  E2eEnvironment,
  type EnvironmentOptions,
  type KeptWindow,
  type WindowOptions,
} from "./e2eEnvironment";
import { keyOf, type KeyedCommand } from "./sharedVscode";

export interface SuiteOptions extends EnvironmentOptions {
  /** Options of a window that is not shared. */
  readonly window?: WindowOptions;
  /** False for a window without a service; the panel of a new one is not open. True by default. */
  readonly isConnected?: boolean;
}

/** A window of a suite. A frame is the panel, or a conversation in an editor tab. */
export class ChatSuite {
  environment!: E2eEnvironment;
  window!: Workbench;

  get service(): ReferenceService {
    return this.environment.service;
  }

  composer(frame: FrameLocator = this.window.panel): Locator {
    return frame.getByRole("textbox", { name: "Message", exact: true });
  }

  replies(frame: FrameLocator = this.window.panel): Locator {
    return frame.getByRole("article", { name: "Assistant", exact: true });
  }

  questions(frame: FrameLocator = this.window.panel): Locator {
    return frame.getByRole("article", { name: "You", exact: true });
  }

  /** Locates attachments without the automatic ones. */
  chips(frame: FrameLocator = this.window.panel): Locator {
    const list = frame.getByRole("list", { name: "Attachments" });
    return list.locator(".attachment:not(.is-automatic)");
  }

  notices(text: string | RegExp): Locator {
    return this.window.panel.locator(".notice").filter({ hasText: text });
  }

  button(name: string): Locator {
    return this.window.panel.getByRole("button", { name, exact: true });
  }

  tab(name: string | RegExp): Locator {
    return this.window.page.getByRole("tab", { name });
  }

  /** Sends a question, and waits until the conversation shows it. */
  async ask(text: string, frame: FrameLocator = this.window.panel): Promise<void> {
    await this.composer(frame).fill(text);
    await this.composer(frame).press("Enter");
    await this.questions(frame).last().getByText(text).waitFor();
  }

  /** Sends a question, and returns the reply when it has ended. */
  async askToEnd(reply: ScriptedReply | string, text = "Code, please"): Promise<Locator> {
    this.service.script(typeof reply === "string" ? { blocks: [reply] } : reply);
    const count = await this.replies().count();
    await this.ask(text);
    await this.replies().nth(count).waitFor();
    await this.untilQuiet();
    await this.button("Send").waitFor(); // The focus moves no more, which would close a list.
    return this.replies().nth(count);
  }

  /** Resolves when no reply streams. */
  async untilQuiet(frame: FrameLocator = this.window.panel): Promise<void> {
    await frame.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  }

  async startConversation(): Promise<void> {
    await this.window.runCommand("Core Chat: New Conversation");
    await this.window.panel.getByRole("article").first().waitFor({ state: "detached" });
  }

  /** Body of the last request, as JSON. */
  lastBody(): string {
    return JSON.stringify(this.service.requests.at(-1)?.body);
  }

  /** Content of a file of the workspace. */
  textOf(path: string): string {
    return readFileSync(join(this.environment.workspace, path), "utf8");
  }

  /** Selects lines of the active editor with keys, from its first line. */
  async selectFirstLines(count: number): Promise<void> {
    const { keyboard } = this.window.page;
    await this.window.editor.click();
    await keyboard.press("Control+Home");
    for (let line = 0; line < count; line++) await keyboard.press("Shift+ArrowDown");
  }

  /** Starts a command of VS Code by its key; wait for its effect. */
  async start(command: KeyedCommand): Promise<void> {
    await this.window.page.keyboard.press(keyOf(command));
  }

  /** Presses keys one after the other. */
  async chord(...keys: string[]): Promise<void> {
    for (const key of keys) await this.window.page.keyboard.press(key);
  }
}

/**
 * Opens a window for the tests of the `describe` around, and closes it after them. Suites that follow each
 * other share a window, unless one has other options than settings: it gets the settings, a new
 * conversation and the sample's files for each.
 */
export function suiteWithWindow(options: SuiteOptions = {}): ChatSuite {
  const suite = new ChatSuite();
  const isShared = Object.keys(options).every(
    (name) => name === "settings" || name === "isConnected",
  );
  let hasFailed = false;
  before(async function () {
    this.timeout(300_000);
    const shared = isShared ? E2eEnvironment.takeKept() : undefined;
    if (shared === undefined) await openWindow(suite, options);
    else await renewWindow(suite, shared, options);
  });
  after(async () => {
    if (isShared && !hasFailed) suite.environment.keep(suite.window);
    else await suite.environment.close();
  });
  beforeEach(function () {
    this.timeout(300_000);
    suite.service.reset();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== "failed") return;
    hasFailed = true;
    await suite.window.screenshot(this.currentTest.title);
  });
  return suite;
}

/** With VS Code's own chat next to Core Chat. */
const AS_USERS_HAVE_IT = { "chat.disableAIFeatures": false };

async function openWindow(
  suite: ChatSuite,
  { isConnected = true, window: windowOptions, ...options }: SuiteOptions,
): Promise<void> {
  const settings = { ...AS_USERS_HAVE_IT, ...options.settings };
  suite.environment = await E2eEnvironment.open({ ...options, settings });
  if (isConnected)
    await suite.environment.changeSettings({ "coreChat.baseUrl": suite.service.url });
  suite.window = await suite.environment.openWindow(windowOptions);
  if (!isConnected) return;
  await suite.window.openChat();
  await suite.button("Set Address").waitFor({ state: "detached" });
}

/** Prepares the window of another suite. */
async function renewWindow(
  suite: ChatSuite,
  { environment, window }: KeptWindow,
  { isConnected = true, settings }: SuiteOptions,
): Promise<void> {
  suite.environment = environment;
  suite.window = window;
  suite.service.reset();
  await environment.renew({
    ...AS_USERS_HAVE_IT,
    ...(isConnected && { "coreChat.baseUrl": suite.service.url }),
    ...settings,
  });
  await suite.start("workbench.action.closeAllEditors");
  if (await window.page.locator(".part.panel").isVisible())
    await suite.start("workbench.action.closePanel");
  await window.openChat();
  await suite.startConversation();
}
