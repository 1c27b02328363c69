import type { Conversation } from "../conversation/conversation";
import type { Reply } from "../conversation/message";
import type { CodeAction, TableAction } from "../protocol/actions";
import type { HostReply } from "../protocol/toView";
import type { ModelSelection, NoticeAction, NoticeView } from "../protocol/views";
import type { PictureHost } from "./pictures/shownPictures";
import type { PointingHost } from "./pictures/pointing";
import type { DecorationsHost } from "./view/replyDecorations";
import type { ViewState } from "./view/viewState";
import type { UnusedCode } from "./view/viewUpdater";

export interface CodePreview {
  readonly conversation: Conversation;
  readonly reply: Reply;
  /** Markdown of the reply, without thinking. */
  readonly text: string;
  /** 0-based number of the code block. */
  readonly block: number;
}

/** Editor functions for a chat session. */
export interface SessionHost extends ViewState, DecorationsHost {
  /** Sets the model of new conversations, and their profile if given. */
  chooseModel(model: ModelSelection, profile: string | undefined): void;
  /** @returns false if the user declined */
  copy(text: string): Promise<boolean>;
  openText(text: string): Promise<void>;
  /**
   * Runs an action on a code block of a reply; `block` is 0-based. Returns false if the action was
   * not done.
   */
  useCode(action: Exclude<CodeAction, "preview">, text: string, block: number): Promise<boolean>;
  /**
   * Copies or saves a table of a reply; `table` is 0-based. Returns the cells for the clipboard, which
   * only the page can fill with HTML, or "copied"; undefined if there is nothing else to do.
   */
  useTable(
    action: TableAction,
    text: string,
    table: number,
  ): Promise<HostReply["table"] | "copied">;
  /** Opens the preview of a code block in an editor tab. */
  previewCode(preview: CodePreview): Promise<void>;
  /** Returns the number of files that the blocks of a reply name. */
  countNamedFiles(text: string): Promise<number>;
  /** Shows all changes of a reply to files for review; returns the code that is not used. */
  applyAll(text: string): Promise<UnusedCode | undefined>;
  openLink(url: string): void;
  /** Asks what to do with a conversation in memory only that the user closes. */
  askToSave(): Promise<"save" | "discard" | "cancel">;
  /** Deletes a conversation for ever, after a question that names it. */
  deletePermanently(conversationId: string, title: string): Promise<void>;
  /** Asks whether an aside with an answer is to be removed for good. */
  confirmAsideRemoval(): Promise<boolean>;
  /** Writes conversations into a folder that the user chooses. */
  exportConversations(ids: readonly string[]): Promise<void>;
  /** Deletes all conversations of the bin for ever, after a question with their number. */
  emptyBin(): Promise<void>;
  readonly pictures: PictureHost;
  readonly pointing: PointingHost;
  /**
   * Runs a notice's action that does not concern a message.
   * @param profile profile of the shown conversation, if set
   */
  runAction(action: NoticeAction, profile: string | undefined): Promise<void>;
  /** Connects the service of a typed address; returns the outcome, or undefined if canceled. */
  connect(address: string): Promise<NoticeView | undefined>;
  /** The focus moved into or out of a composer's text. */
  composerFocusMoved(isInside: boolean): void;
  /** Hides a standing notice for the rest of the session. */
  dismissNotice(text: string): void;
  viewFailed(where: string): void;
}
