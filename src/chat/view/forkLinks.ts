/**
 * Links between a conversation and its forks in a view, with the titles of now. A link to a conversation
 * that was deleted is left out; the fork of one says that it was deleted.
 */
import { Disposables, type Disposable } from "../../base/disposables";
import type { ForkLink } from "../../conversation/conversation";
import type { MessageOf } from "../../protocol/handlers";
import type { ToView } from "../../protocol/toView";
import type { Conversations } from "../conversation/conversations";
import type { LiveConversation } from "../conversation/liveConversation";
import { titleOfEntry } from "./historyList";
import type { Messages } from "./messages";

type ForksShown = MessageOf<ToView, "forks-shown">;

export class ForkLinks implements Disposable {
  private following = new Disposables();
  private isFollowingList = false;
  /** The last message as text; undefined if the page has none. */
  private sent: string | undefined;

  constructor(
    private readonly conversations: Conversations,
    private readonly texts: Messages,
    private readonly post: (message: ForksShown) => void,
  ) {}

  /** Follows the links of another conversation; `send` sends them to the page. */
  follow(live: LiveConversation): void {
    this.dispose();
    this.following = new Disposables();
    this.isFollowingList = false;
    this.following.add(
      live.onChanged(({ kind }) => {
        if (kind === "forks") void this.update(live, this.following);
      }),
    );
  }

  send(live: LiveConversation): void {
    this.sent = undefined;
    void this.update(live, this.following);
  }

  dispose(): void {
    this.following.dispose();
  }

  /** @param following subscriptions of the conversation, to notice that another one is shown */
  private async update(live: LiveConversation, following: Disposables): Promise<void> {
    const { forkedFrom, forks = [] } = live.conversation;
    if (forkedFrom === undefined && forks.length === 0) return;
    const list = await this.conversations.index.list();
    if (this.following !== following) return;
    if (!this.isFollowingList) {
      this.isFollowingList = true;
      following.add(list.onChanged(() => void this.update(live, following)));
    }
    const titleOf = async ({ conversationId }: ForkLink) => {
      await list.refreshOne(conversationId);
      const entry = list.get(conversationId);
      if (entry === undefined || entry.deletedAtMs !== undefined) return undefined;
      return titleOfEntry(entry, this.texts) ?? this.texts.untitled();
    };
    const fromTitle = forkedFrom && (await titleOf(forkedFrom));
    const shown: ForksShown["forks"] = [];
    for (const link of forks) {
      const title = await titleOf(link);
      const { conversationId, atId: messageId } = link;
      if (title !== undefined) shown.push({ conversationId, messageId, title });
    }
    if (this.following !== following) return;
    const message: ForksShown = {
      type: "forks-shown",
      ...(forkedFrom && {
        from:
          fromTitle === undefined
            ? {}
            : { conversationId: forkedFrom.conversationId, title: fromTitle },
      }),
      forks: shown,
    };
    const text = JSON.stringify(message);
    if (text === this.sent) return;
    this.sent = text;
    this.post(message);
  }
}
