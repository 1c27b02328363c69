/**
 * What VS Code must find as soon as the extension has started: its commands, its view, what it offers
 * to others. The rooms behind are read and built when one of these is first used; a page that was asked
 * for is on its way to the screen before that.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import { CHAT_EDITOR, CHAT_VIEW, COMMANDS, FROM_FIRST_STEPS } from "../platform/contributions";
import { registerDocumentProviders } from "../editorCommands/registerProviders";
import { registerLanguageModels } from "../chatApi/registerModels";
import { registerParticipant } from "../chatApi/registerParticipant";
import { PanelPages } from "../panel/panelPage";
import type { Features } from "./features";
import { KnownSecrets, redactedLog } from "../settings/secrets";
import { showChatView } from "../platform/showChatView";

/** Time after the start before the rooms are built though nobody asked, in milliseconds. */
const BUILD_AFTER_MS = 500;

/** Longest wait for a page that is on its way to the screen, in milliseconds. */
const PAGE_PATIENCE_MS = 2_000;

/** VS Code takes the focus back to the walkthrough 250 ms after a button in it was pressed. */
const FOCUS_COMES_BACK_MS = 300;

/** One for each window. */
export class Activation implements Disposable {
  private readonly owned = new Disposables();
  private readonly secrets = new KnownSecrets();
  private readonly log: Log;
  private readonly pages: PanelPages;
  private tellPageThere = () => {};
  /** Resolves when the panel's first page is there. */
  private readonly pageThere = new Promise<void>((resolve) => (this.tellPageThere = resolve));
  /** Resolves when no page is on its way: building the rooms meanwhile would hold it up. */
  private pageUnderWay = Promise.resolve();
  private built: Features | undefined;
  private isClosed = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
  ) {
    this.log = redactedLog(output, this.secrets.redact);
    this.pages = new PanelPages(context.extensionUri, this.log);
    const { owned, rooms } = this;
    owned.add(
      vscode.window.registerWebviewViewProvider(CHAT_VIEW, {
        // A failure was told where the rooms are built.
        resolveWebviewView: (view) => void this.receive(view).catch(() => undefined),
      }),
    );
    owned.add(
      vscode.window.registerWebviewPanelSerializer(CHAT_EDITOR, {
        deserializeWebviewPanel: async (panel, state) =>
          (await rooms()).editors.restore(panel, state),
      }),
    );
    const { onDidChange } = context.secrets;
    const models = owned.add(
      registerLanguageModels(async () => (await rooms()).models, onDidChange),
    );
    owned.add(registerParticipant(async () => (await rooms()).participant, this.log));
    for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) {
      const run = (...given: unknown[]) => this.run(name, given);
      owned.add(vscode.commands.registerCommand(COMMANDS[name], run));
    }
    owned.add(registerDocumentProviders());
    // What nobody asks for by name: the walkthrough's ticks, the status bar, the list of models.
    const build = () => void rooms().then(models.announce, () => undefined);
    owned.add(systemClock.after(BUILD_AFTER_MS, build));
  }

  /** Stops running replies; resolves when what was said is on disk. */
  async close(): Promise<void> {
    await this.built?.close();
  }

  dispose(): void {
    this.isClosed = true;
    this.owned.dispose();
  }

  private readonly rooms = lazily(async () => {
    try {
      await this.pageUnderWay;
      const { createFeatures } = await import("./features");
      if (this.isClosed) throw new Error("the window closes");
      const { context, output, secrets, log, pages } = this;
      this.built = this.owned.add(createFeatures({ context, output, secrets, log, pages }));
      return this.built;
    } catch (error) {
      this.log.error(`the rooms could not be built (${describeError(error)})`);
      if (!this.isClosed) {
        void vscode.window.showErrorMessage(
          vscode.l10n.t("Core Chat could not start. Its log says why."),
        );
      }
      throw error;
    }
  });

  private async run(name: keyof typeof COMMANDS, given: unknown[]): Promise<unknown> {
    if (given[0] === FROM_FIRST_STEPS) {
      await this.after(FOCUS_COMES_BACK_MS);
      return this.run(name, given.slice(1));
    }
    if (name === "open" && this.built === undefined) this.pageUnderWay = this.showPanel();
    const { commands } = await this.rooms();
    return commands[name](...given);
  }

  /** Opens the panel; resolves when its page is there or will not be. Never rejects. */
  private async showPanel(): Promise<void> {
    this.pages.prepare();
    try {
      await showChatView(false);
      await this.untilPageThere(); // VS Code has opened the panel, but asks for its page later.
    } catch (error) {
      this.log.error(`view: could not be shown (${describeError(error)})`);
    }
  }

  private untilPageThere(): Promise<void> {
    return Promise.race([this.pageThere, this.after(PAGE_PATIENCE_MS)]);
  }

  /** Never resolves once the door is closed. */
  private after(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.owned.add(systemClock.after(delayMs, resolve)));
  }

  /** Gives the view its page, then has it joined. */
  private async receive(view: vscode.WebviewView): Promise<void> {
    const page = this.pages.show(view.webview);
    const gone = view.onDidDispose(() => page.dispose());
    void page.hasSpoken.then(this.tellPageThere);
    if (this.built === undefined) this.pageUnderWay = this.untilPageThere();
    const { view: chat } = await this.rooms();
    gone.dispose();
    if (!page.isDisposed) chat.join(view, page);
  }
}
