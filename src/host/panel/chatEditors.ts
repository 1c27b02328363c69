/**
 * Shows conversations in editor tabs and restores the tabs after a reload. The state of each page
 * holds the id of its conversation.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { Disposables } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { ToView } from "../../protocol/toView";
import type { Conversations } from "../../chat/conversation/conversations";
import type { ChatSession } from "../../chat/session";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { ShownMemory } from "../../chat/conversation/shownConversation";
import type { ChatLocation, ActiveChat } from "./activeChat";
import { askToSave } from "./askToSave";
import { CHAT_EDITOR } from "../platform/contributions";
import type { PanelPages } from "./panelPage";
import { connectWebview } from "./webviewSession";

/** State of the page that the host needs after a reload. */
const stateSchema = z.object({ conversationId: z.string().check(z.maxLength(64)) });

const TABS_KEY = "coreChat.tabConversations";

export type OpenSession = (shown: ShownMemory, send: (message: ToView) => void) => ChatSession;

export class ChatEditors {
  /** Ids of tabs before the reload that no restored tab shows yet. */
  private unrestored: string[];
  /** Conversation id of each open tab. */
  private readonly shown = new Map<vscode.WebviewPanel, string>();

  constructor(
    private readonly pages: PanelPages,
    private readonly openSession: OpenSession,
    private readonly activeChat: ActiveChat,
    private readonly log: Log,
    /** Stores the ids of the tabs, for pages whose state VS Code lost. */
    private readonly memory: vscode.Memento,
    private readonly conversations: Conversations,
  ) {
    this.unrestored = memory.get<string[]>(TABS_KEY, []);
  }

  /**
   * Opens a tab with a conversation; with a new conversation for undefined.
   * @param picture attached picture whose editor fills the tab, which closes with it
   */
  open(
    conversationId: string | undefined,
    picture?: { readonly attachmentId: string; readonly name: string },
  ): void {
    const title = picture && vscode.l10n.t("Mark up {0}", picture.name);
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(CHAT_EDITOR, title ?? "Core Chat", column, {
      enableScripts: true,
    });
    const session = this.show(panel, conversationId, title);
    if (picture === undefined) return;
    const waiting = session.onConnected(() => {
      waiting.dispose();
      session.post({ type: "picture-editor-opened", attachmentId: picture.attachmentId });
    });
    session.onPictureEditorClosed(() => void panel.dispose());
  }

  /** Returns true if the user can see the conversation in a tab. */
  isShowing(conversationId: string): boolean {
    return [...this.shown].some(([panel, id]) => panel.visible && id === conversationId);
  }

  /** Restores a tab after a reload; `state` is the stored state of its page. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const parsed = stateSchema.safeParse(state);
    const id = parsed.success ? parsed.data.conversationId : this.unrestored[0];
    this.unrestored = this.unrestored.filter((other) => other !== id);
    this.show(panel, id);
  }

  /** @param title missing for the title of the conversation */
  private show(
    panel: vscode.WebviewPanel,
    conversationId: string | undefined,
    title?: string,
  ): ChatSession {
    const owned = new Disposables();
    if (conversationId !== undefined) this.storeId(panel, conversationId);
    const memory: ShownMemory = {
      load: () => this.shown.get(panel),
      save: (id) => this.storeId(panel, id),
    };
    const session = connectWebview(
      this.pages.show(panel.webview),
      (send) =>
        this.openSession(memory, (message) => {
          if (message.type === "snapshot" || message.type === "title-changed") {
            panel.title = title ?? message.title;
          }
          send(message);
        }),
      owned,
      this.log,
      (isInside) => this.activeChat.focusMoved(location, isInside),
    );
    const revealAnd = async (act: (shown: ChatSession) => unknown) => {
      panel.reveal();
      // VS Code reloads the page of a tab that was hidden.
      if (!session.isConnected) await connected();
      await act(session);
    };
    const connected = () =>
      new Promise<void>((resolve) => {
        const waiting = owned.add(
          session.onConnected(() => {
            waiting.dispose();
            resolve();
          }),
        );
      });
    const location: ChatLocation = {
      session,
      reveal: (leavesCaret = false) => {
        if (!leavesCaret) return revealAnd(() => session.focus());
        panel.reveal(undefined, true);
        return Promise.resolve();
      },
      revealAnd,
    };
    panel.iconPath = this.pages.icon;
    owned.add(
      panel.onDidChangeViewState(() => {
        if (panel.visible) return;
        session.disconnect();
        this.activeChat.focusMoved(location, false);
      }),
    );
    panel.onDidDispose(() => {
      const { live } = session;
      const isLost = live !== undefined && this.conversations.unsaved.isLostWithout(session, live);
      this.activeChat.chatClosed(location);
      owned.dispose();
      this.storeId(panel, undefined);
      if (live === undefined) return;
      if (isLost) void this.askAfterClosing(live);
      else void this.conversations.discardUnsaved(live);
    });
    return session;
  }

  /** VS Code closes a tab without a question, so the tab is opened again if the user cancels. */
  private async askAfterClosing(live: LiveConversation): Promise<void> {
    const { id } = live.conversation;
    const answer = await askToSave();
    if (answer === "save") await this.conversations.keep(id);
    else if (answer === "cancel") this.open(id);
    else await this.conversations.discardUnsaved(live);
  }

  private storeId(panel: vscode.WebviewPanel, conversationId: string | undefined): void {
    if (conversationId === undefined) this.shown.delete(panel);
    else this.shown.set(panel, conversationId);
    const saved = [...this.shown.values()].filter((id) => !this.conversations.isUnsaved(id));
    void this.memory.update(TABS_KEY, [...saved, ...this.unrestored]);
  }
}
