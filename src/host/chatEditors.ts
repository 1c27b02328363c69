/**
 * Conversations in editor tabs, as many as wanted beside the panel, restored when the window is
 * reloaded: each tab remembers the id of its conversation in the page's own state.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { Disposables, type Disposable } from "../base/disposables";
import type { Log } from "../base/log";
import type { ToView } from "../bridge/messages";
import type { ChatSession } from "../chat/session";
import type { ShownMemory } from "../chat/viewStore";
import { CHAT_EDITOR } from "./contributions";
import type { PanelPages } from "./panelPage";
import { joinWebview } from "./webviewSession";

/** What the page keeps for us between reloads; anything else in it is the page's own. */
const stateSchema = z.object({ conversationId: z.string().check(z.maxLength(64)) });

/** Makes and restores the tabs. */
export class ChatEditors implements vscode.WebviewPanelSerializer, Disposable {
  private readonly owned = new Disposables();

  constructor(
    private readonly pages: PanelPages,
    private readonly openSession: (
      memory: ShownMemory,
      send: (message: ToView) => void,
    ) => ChatSession,
    private readonly log: Log,
  ) {
    this.owned.add(vscode.window.registerWebviewPanelSerializer(CHAT_EDITOR, this));
  }

  /** Opens a tab with this conversation; with a new one if none is given. */
  open(conversationId: string | undefined): void {
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(CHAT_EDITOR, "Core Chat", column, {
      enableScripts: true,
    });
    this.show(panel, conversationId);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const known = stateSchema.safeParse(state);
    this.show(panel, known.success ? known.data.conversationId : undefined);
    return Promise.resolve();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private show(panel: vscode.WebviewPanel, conversationId: string | undefined): void {
    const owned = new Disposables();
    let shownId = conversationId;
    const memory: ShownMemory = { load: () => shownId, save: (id) => (shownId = id) };
    const session = joinWebview(
      panel.webview,
      this.pages,
      (send) =>
        this.openSession(memory, (message) => {
          if (message.type === "snapshot" || message.type === "title-changed") {
            panel.title = message.title;
          }
          send(message);
        }),
      owned,
      this.log,
    );
    panel.iconPath = this.pages.icon;
    owned.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) session.disconnect();
      }),
    );
    panel.onDidDispose(() => owned.dispose());
  }
}
