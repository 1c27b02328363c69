/**
 * Conversations in editor tabs, as many as wanted beside the panel, restored when the window is
 * reloaded: each tab remembers the id of its conversation in the page's own state.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { Disposables } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { ToView } from "../../protocol/messages";
import type { ChatSession } from "../../chat/session";
import type { ShownMemory } from "../../chat/shownConversation";
import type { ChatLocation, ActiveChat } from "./activeChat";
import { CHAT_EDITOR } from "../platform/contributions";
import type { PanelPages } from "./panelPage";
import { joinWebview } from "./webviewSession";

/** What the page keeps for us between reloads; anything else in it is the page's own. */
const stateSchema = z.object({ conversationId: z.string().check(z.maxLength(64)) });

const TABS_MEMORY = "coreChat.tabConversations";

/** Makes and restores the tabs. */
export class ChatEditors {
  /** Ids the tabs of the window before showed and no restored tab shows yet. */
  private before: string[];
  /** What each open tab shows. */
  private readonly shown = new Map<vscode.WebviewPanel, string>();

  constructor(
    private readonly pages: PanelPages,
    private readonly openSession: (
      memory: ShownMemory,
      send: (message: ToView) => void,
    ) => ChatSession,
    private readonly places: ActiveChat,
    private readonly log: Log,
    /** Outlives the window: what the tabs show, where VS Code did not keep a page's state. */
    private readonly memory: vscode.Memento,
  ) {
    this.before = memory.get<string[]>(TABS_MEMORY, []);
  }

  /** Opens a tab with this conversation; with a new one if none is given. */
  open(conversationId: string | undefined): void {
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(CHAT_EDITOR, "Core Chat", column, {
      enableScripts: true,
    });
    this.show(panel, conversationId);
  }

  /** Fills a tab of the window before anew; `state` is what VS Code kept of its page. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const known = stateSchema.safeParse(state);
    const id = known.success ? known.data.conversationId : this.before[0];
    this.before = this.before.filter((other) => other !== id);
    this.show(panel, id);
  }

  private show(panel: vscode.WebviewPanel, conversationId: string | undefined): void {
    const owned = new Disposables();
    if (conversationId !== undefined) this.remember(panel, conversationId);
    const memory: ShownMemory = {
      load: () => this.shown.get(panel),
      save: (id) => this.remember(panel, id),
    };
    const session = joinWebview(
      this.pages.show(panel.webview),
      (send) =>
        this.openSession(memory, (message) => {
          if (message.type === "snapshot" || message.type === "title-changed") {
            panel.title = message.title;
          }
          send(message);
        }),
      owned,
      this.log,
      (isInside) => this.places.focusMoved(place, isInside),
    );
    const place: ChatLocation = {
      get shownConversation() {
        return session.live;
      },
      reveal: (leavesCaret = false) => {
        panel.reveal(undefined, leavesCaret);
        if (leavesCaret) return Promise.resolve();
        if (session.isConnected) session.focus();
        else {
          // A tab that was hidden has its page made anew.
          const waiting = owned.add(
            session.onConnected(() => {
              waiting.dispose();
              session.focus();
            }),
          );
        }
        return Promise.resolve();
      },
    };
    panel.iconPath = this.pages.icon;
    owned.add(
      panel.onDidChangeViewState(() => {
        if (panel.visible) return;
        session.disconnect();
        this.places.focusMoved(place, false);
      }),
    );
    panel.onDidDispose(() => {
      this.places.gone(place);
      owned.dispose();
      this.remember(panel, undefined);
    });
  }

  private remember(panel: vscode.WebviewPanel, conversationId: string | undefined): void {
    if (conversationId === undefined) this.shown.delete(panel);
    else this.shown.set(panel, conversationId);
    void this.memory.update(TABS_MEMORY, [...this.shown.values(), ...this.before]);
  }
}
