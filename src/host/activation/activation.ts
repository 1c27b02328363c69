/**
 * Registers the commands, the view and the providers when the extension starts. The features behind
 * them are loaded on first use. If the panel is opened first, its page is shown before they load.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import {
  CHAT_EDITOR,
  CHAT_VIEW,
  COMMANDS,
  FROM_FIRST_STEPS,
  type CommandName,
} from "../platform/contributions";
import { registerLightBulb } from "../editorCommands/lightBulb";
import { registerImageLinks } from "../pictures/onImageLinks";
import { registerLanguageModels } from "../chatApi/registerModels";
import { PanelPages } from "../panel/panelPage";
import type { Features } from "./features";
import { KnownSecrets, redactedLog } from "../settings/secrets";
import { showChatView } from "../platform/showChatView";
import { showError } from "../platform/messages";

/** Delay before the features are loaded without a request, in milliseconds. */
const LOAD_AFTER_MS = 500;

/** Set once the panel was shown after the installation. */
const SHOWN_KEY = "coreChat.wasShown";

/** Timeout for the panel's page before the features are loaded, in milliseconds. */
const PAGE_TIMEOUT_MS = 2_000;

/** Delay in milliseconds: VS Code focuses the walkthrough again 250 ms after a button press. */
const WALKTHROUGH_FOCUS_MS = 300;

export class Activation implements Disposable {
  private readonly owned = new Disposables();
  private readonly secrets = new KnownSecrets();
  private readonly log: Log;
  private readonly pages: PanelPages;
  private resolvePageReady = () => {};
  /** Resolves when the panel's first page has sent a message. */
  private readonly pageReady = new Promise<void>((resolve) => (this.resolvePageReady = resolve));
  /** Resolves when no page is loading: loading the features at the same time would delay it. */
  private pageLoading = Promise.resolve();
  private loaded: Features | undefined;
  private isClosed = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
  ) {
    this.log = redactedLog(output, this.secrets.redact);
    this.pages = new PanelPages(context.extensionUri, this.log);
    const { owned, features } = this;
    owned.add(
      vscode.window.registerWebviewViewProvider(CHAT_VIEW, {
        // `features` reports a failure.
        resolveWebviewView: (view) => void this.resolveView(view).catch(() => undefined),
      }),
    );
    owned.add(
      vscode.window.registerWebviewPanelSerializer(CHAT_EDITOR, {
        deserializeWebviewPanel: async (panel, state) =>
          (await features()).editors.restore(panel, state),
      }),
    );
    const { onDidChange } = context.secrets;
    const models = owned.add(
      registerLanguageModels(async () => (await features()).chatApi, onDidChange),
    );
    for (const name of Object.keys(COMMANDS) as CommandName[]) {
      const run = (...args: unknown[]) => this.run(name, args);
      owned.add(vscode.commands.registerCommand(COMMANDS[name], run));
    }
    owned.add(registerLightBulb());
    owned.add(registerImageLinks());
    if (context.globalState.get(SHOWN_KEY) !== true) void this.showAfterInstallation();
    // The walkthrough and the list of models need the features without a request.
    const load = () => {
      this.pages.prepare();
      void features().then(models.announce, () => undefined);
    };
    owned.add(systemClock.after(LOAD_AFTER_MS, load));
  }

  /** Stops running replies; resolves when all messages are on disk. */
  async close(): Promise<void> {
    await this.loaded?.close();
  }

  dispose(): void {
    this.isClosed = true;
    this.owned.dispose();
  }

  private readonly features = lazily(async () => {
    try {
      await this.pageLoading;
      const { registerFeatures } = await import("./features");
      if (this.isClosed) throw new Error("the window closes");
      const { context, output, secrets, log, pages } = this;
      this.loaded = this.owned.add(registerFeatures({ context, output, secrets, log, pages }));
      return this.loaded;
    } catch (error) {
      this.log.error(`the features could not be loaded (${describeError(error)})`);
      if (!this.isClosed) {
        showError(vscode.l10n.t("Core Chat could not start. See the log for details."));
      }
      throw error;
    }
  });

  /** Shows the panel once: VS Code hides a new view behind its own chat. */
  private async showAfterInstallation(): Promise<void> {
    await this.context.globalState.update(SHOWN_KEY, true);
    await showChatView(true).catch((error: unknown) => {
      this.log.error(`view: could not be shown (${describeError(error)})`);
    });
  }

  private async run(name: CommandName, args: unknown[]): Promise<unknown> {
    if (args[0] === FROM_FIRST_STEPS) {
      await this.delay(WALKTHROUGH_FOCUS_MS);
      return this.run(name, args.slice(1));
    }
    if (name === "open" && this.loaded === undefined) {
      this.pageLoading = this.showPanel();
      return (await this.features()).view.focusComposer();
    }
    const { commands } = await this.features();
    return commands[name](...args);
  }

  /** Opens the panel; resolves when its page is ready, failed or timed out. Never rejects. */
  private async showPanel(): Promise<void> {
    this.pages.prepare();
    try {
      await showChatView(false);
      await this.waitForPage(); // VS Code resolves the view after the command has ended.
    } catch (error) {
      this.log.error(`view: could not be shown (${describeError(error)})`);
    }
  }

  private waitForPage(): Promise<void> {
    return Promise.race([this.pageReady, this.delay(PAGE_TIMEOUT_MS)]);
  }

  /** Waits; never resolves after `dispose`. */
  private delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.owned.add(systemClock.after(delayMs, resolve)));
  }

  /** Shows the page in the view, then connects it to a session. */
  private async resolveView(view: vscode.WebviewView): Promise<void> {
    const page = this.pages.show(view.webview);
    const closing = view.onDidDispose(() => page.dispose());
    void page.hasSentMessage.then(this.resolvePageReady);
    if (this.loaded === undefined) this.pageLoading = this.waitForPage();
    const { view: chat } = await this.features();
    closing.dispose();
    if (!page.isDisposed) chat.connect(view, page);
  }
}
