/** An editor tab that shows the only copy of a conversation that is not saved, closed in a real VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { silentLog } from "../support/fakes/silentLog";
import type { ChatSession } from "../../src/chat/session";
import { ActiveChat } from "../../src/host/panel/activeChat";
import { ChatEditors } from "../../src/host/panel/chatEditors";
import type { PanelPages } from "../../src/host/panel/panelPage";
import { WebviewPage } from "../../src/host/panel/webviewPage";
import { CHAT_EDITOR } from "../../src/host/platform/contributions";
import { startService, type ReferenceService } from "../service/server";
import { PanelRig, type Page } from "../support/chat/panelRig";
import { Answers, MapMemento, poll } from "./editing";

const QUESTION = "Do you want to save this conversation?";

describe("the tab of a conversation that is not saved", () => {
  const answers = new Answers();
  let service: ReferenceService;
  let rig: PanelRig;
  let editors: ChatEditors;
  let panel: Page;
  let conversationId: string;
  let sessions: ChatSession[];

  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(async () => {
    service.reset();
    answers.install();
    rig = new PanelRig(service.url);
    sessions = [];
    panel = await rig.openPage();
    await panel.session.startNew(true);
    service.script({ blocks: ["Twelve."] });
    await panel.askToEnd("How many avocets?");
    ({ conversationId } = panel.shown);
    const pages = {
      icon: { light: vscode.Uri.file("/icon.svg"), dark: vscode.Uri.file("/icon.svg") },
      show: (webview: vscode.Webview) =>
        new WebviewPage(webview, [], () => Promise.resolve("<p></p>"), silentLog),
    };
    const location = { session: undefined } as ConstructorParameters<typeof ActiveChat>[0];
    const memory = { load: () => undefined, save: () => undefined };
    editors = new ChatEditors(
      pages as unknown as PanelPages,
      (shown, send) => {
        const session = rig.openSession(shown, send);
        sessions.push(session);
        return session;
      },
      new ActiveChat(location, rig.conversations, memory, () => undefined),
      silentLog,
      new MapMemento(),
      rig.conversations,
    );
  });
  afterEach(async () => {
    panel.session.dispose();
    for (const session of sessions) session.dispose();
    answers.choose("Don't Save");
    if (tabs() > 0) await close();
    answers.restore();
    rig.conversations.dispose();
  });

  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview)
      .filter(({ input }) => (input as vscode.TabInputWebview).viewType.endsWith(CHAT_EDITOR))
      .length;
  const asked = () => answers.shown.filter(({ text }) => text === QUESTION).length;
  const isUnsaved = () => rig.conversations.isUnsaved(conversationId);
  const until = (test: () => boolean, what: string) => poll(() => Promise.resolve(test()), what);

  /** Opens the conversation in a tab, as its page does once it is loaded. */
  async function open(): Promise<void> {
    editors.open(conversationId);
    await connected(1);
  }
  async function connected(count: number): Promise<void> {
    await until(() => sessions.length === count && tabs() === 1, "the tab");
    await sessions.at(-1)?.handle({ type: "view-ready" });
    await until(() => sessions.at(-1)?.live !== undefined, "the conversation");
  }
  async function close(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await until(() => tabs() === 0 || asked() > 0, "the tab to close");
  }

  it("asks nothing while the panel shows it too", async () => {
    await open();
    await close();
    assert.equal(asked(), 0);
    assert.ok(isUnsaved());
  });

  it("asks once; Don't Save removes it, and no byte is on disk", async () => {
    await open();
    panel.session.dispose();
    answers.choose("Don't Save");
    await close();
    await until(() => asked() === 1, "the question");
    const messages = async () =>
      (await rig.conversations.get(conversationId)).conversation.messages.size;
    await poll(async () => (await messages()) === 0, "the removal");
    assert.equal(asked(), 1);
    assert.deepEqual([...rig.files.files.keys()], []);
  });

  it("asks once; Save makes it an ordinary one", async () => {
    await open();
    panel.session.dispose();
    answers.choose("Save");
    await close();
    await until(() => !isUnsaved(), "the saving");
    await rig.conversations.close();
    assert.equal(asked(), 1);
    const stored = [...rig.files.files.values()].map((bytes) => new TextDecoder().decode(bytes));
    assert.ok(stored.some((text) => text.includes("How many avocets?")));
  });

  it("asks once; after Cancel its tab is there again, with its messages", async () => {
    await open();
    panel.session.dispose();
    await close();
    await connected(2);
    assert.equal(asked(), 1);
    assert.equal(sessions.at(-1)?.live?.conversation.messages.size, 2);
    assert.ok(isUnsaved());
  });
});
