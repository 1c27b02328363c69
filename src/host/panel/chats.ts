import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import type { ShownMemory } from "../../chat/conversation/shownConversation";
import { ActiveChat } from "./activeChat";
import { ChatEditors, type OpenSession } from "./chatEditors";
import { ChatView } from "./chatView";
import type { PanelPages } from "./panelPage";

const SHOWN_KEY = "coreChat.shownConversation";

export interface ChatsOptions {
  readonly pages: PanelPages;
  readonly conversations: Conversations;
  /** Stores the shown conversations of this workspace. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

export class Chats {
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly activeChat: ActiveChat;
  private openSession: OpenSession | undefined;

  constructor({ pages, conversations, memory, log }: ChatsOptions) {
    const open: OpenSession = (shown, send) => {
      if (this.openSession === undefined) throw new Error("a page connects before `serve`");
      return this.openSession(shown, send);
    };
    let shownId = memory.get<string>(SHOWN_KEY);
    const panelMemory: ShownMemory = {
      load: () => shownId,
      save: (id) => {
        shownId = id;
        if (!conversations.isUnsaved(id)) void memory.update(SHOWN_KEY, id);
      },
    };
    this.view = new ChatView((send) => open(panelMemory, send), log);
    this.activeChat = new ActiveChat(this.view, conversations, panelMemory, setFocusKey);
    this.view.onFocusMoved((isInside) => this.activeChat.focusMoved(this.view, isInside));
    this.editors = new ChatEditors(pages, open, this.activeChat, log, memory, conversations);
  }

  /**
   * Sets what opens sessions. Sessions need the features, and the features need the chats, so this
   * is called once all features exist, before the first page connects.
   */
  serve(openSession: OpenSession): void {
    this.openSession = openSession;
  }
}

const FOCUS_KEYS = { chat: "coreChat.focused", composer: "coreChat.composerFocused" } as const;

function setFocusKey(where: keyof typeof FOCUS_KEYS, isInside: boolean): void {
  void vscode.commands.executeCommand("setContext", FOCUS_KEYS[where], isInside);
}
