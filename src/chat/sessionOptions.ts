/**
 * What a view's session needs of the editor around it, and of where what it shows is kept.
 */
import type { ToHost } from "../protocol/messages";
import type { ModelSelection, NoticeAction } from "../protocol/views";
import type { LiveConversation } from "./liveConversation";
import type { PictureHost } from "./imageAttachments";
import type { DecorationsHost } from "./replyDecorations";
import type { ViewUpdaterState } from "./viewUpdater";

/** What a session asks of the editor around it. */
export interface SessionHost extends ViewUpdaterState, DecorationsHost {
  /** Lets new conversations begin with this model, and with this profile where one is given. */
  chooseModel(model: ModelSelection, profile: string | undefined): void;
  /** @returns false if the user decided against it */
  copy(text: string): Promise<boolean>;
  /** Does something with one code block of a reply; `block` is 0-based. False: not done. */
  useCode(
    action: Extract<ToHost, { type: "code-asked" }>["action"],
    text: string,
    block: number,
  ): Promise<boolean>;
  openLink(url: string): void;
  readonly pictures: PictureHost;
  /**
   * Everything a notice can ask for that is not about a message.
   * @param profile of the shown conversation, where it remembers one
   */
  runAction(action: NoticeAction, profile: string | undefined): Promise<void>;
  /** Hides a standing notice for the rest of the session. */
  dismissNotice(text: string): void;
  viewFailed(where: string): void;
}

/** Which conversation a view shows. */
export interface SessionStore {
  /** True when what is shown stands in for a conversation that could not be read. */
  readonly isStandIn: boolean;
  /** The conversation this view shows now. */
  current(): Promise<LiveConversation>;
  /** Shows a new, empty conversation instead. */
  startNew(): Promise<LiveConversation>;
  /** Shows another conversation; rejects with `UnreadableConversation`. */
  open(conversationId: string): Promise<LiveConversation>;
}
