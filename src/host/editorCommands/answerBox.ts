/** One conversation in a comment thread below the lines of its first question. */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { coalesce, type Coalescer } from "../../base/coalesce";
import { Disposables, type Disposable } from "../../base/disposables";
import type { ConversationChange, TurnStatus } from "../../chat/conversation/conversationChange";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import { refusalNotice } from "../../chat/view/messages";
import type { Part, UserMessage } from "../../conversation/message";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import { isRetry } from "../messages/notices";
import { panelMessages } from "../messages/panelMessages";
import { FollowedLines } from "../platform/followedLines";
import { pathOf } from "../platform/sourceText";
import { boxComments, viewOf, type BoxComment, type RefusedQuestion } from "./boxComments";

const t = vscode.l10n.t;

/**
 * Shortest time between two updates, in milliseconds. VS Code waits until a thread has not changed
 * for 100 ms before it shows a change, and draws the whole reply again.
 */
const UPDATE_MS = 250;

/** States of a thread, at the start of its value in the conditions of package.json. */
type BoxState = "running" | "continue" | "retry" | "idle";

export interface AnswerBoxOptions {
  readonly live: LiveConversation;
  /** Text of the first question. */
  readonly question: string;
  /** Number that names the box in the conditions of package.json, which act on the focus. */
  readonly slot: number;
  readonly clock: Clock;
  /** Offers the action of a notice that the box cannot run itself. */
  readonly offerAction: (notice: NoticeView) => void;
}

export class AnswerBox implements Disposable {
  readonly thread: vscode.CommentThread;
  private readonly owned = new Disposables();
  private readonly live: LiveConversation;
  private readonly update: Coalescer;
  /** Comments by id: VS Code keeps a comment in place while its object is the same. */
  private readonly comments = new Map<string, vscode.Comment>();
  private status: TurnStatus | undefined;
  private refused: RefusedQuestion | undefined;
  private readonly lines: FollowedLines;

  constructor(
    controller: vscode.CommentController,
    readonly document: vscode.TextDocument,
    range: vscode.Range,
    private readonly options: AnswerBoxOptions,
  ) {
    this.live = options.live;
    const { start, end } = range;
    this.lines = this.owned.add(new FollowedLines(document, new vscode.Selection(start, end)));
    // With a comment from the start, VS Code shows the field for a follow-up closed.
    const first = commentOf({ id: "", author: t("You"), body: options.question });
    this.thread = this.owned.add(controller.createCommentThread(document.uri, range, [first]));
    this.thread.label = t("Core Chat: {0}", pathOf(document.uri));
    this.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.update = this.owned.add(coalesce(options.clock, UPDATE_MS, () => this.show()));
    this.owned.add(this.live.onChanged((change) => this.applyChange(change)));
  }

  get slot(): number {
    return this.options.slot;
  }

  get conversationId(): string {
    return this.live.conversation.id;
  }

  /** True after the user hid the thread, which VS Code then shows as an icon. */
  get isCollapsed(): boolean {
    return this.thread.collapsibleState === vscode.CommentThreadCollapsibleState.Collapsed;
  }

  /** True once some text of the running reply, or a whole reply, is shown. */
  get hasAnswer(): boolean {
    const { runningReplyId } = this.live;
    return runningReplyId === undefined || (viewOf(this.live, runningReplyId)?.text ?? "") !== "";
  }

  /** Returns true if the cursor is in the lines of the question, or in the line below the box. */
  isAt({ document, selection }: vscode.TextEditor): boolean {
    const { line } = selection.active;
    const { start, end } = this.lines.current;
    return document === this.document && line >= start.line && line <= end.line + 1;
  }

  /** Sends a question. A question that cannot be sent stays, as the draft of its conversation too. */
  async ask(parts: readonly Part[]): Promise<void> {
    const result = await this.live.askQuestion(parts);
    const question: UserMessage = {
      role: "user",
      id: "refused",
      parentId: null,
      parts: [...parts],
      sentAtMs: 0,
    };
    if (result.isAccepted) {
      if (this.refused !== undefined) this.live.draft.discardRestored(question);
      this.refused = undefined;
    } else {
      const notice = refusalNotice(result, panelMessages);
      this.refused = { parts, notice };
      await this.live.draft.restoreQuestion(question);
      if (notice.action) this.options.offerAction(notice);
    }
    this.update.push();
  }

  /** Sends the last question again, or continues the last reply where it ended. */
  async retry(): Promise<void> {
    if (this.refused !== undefined) return this.ask(this.refused.parts);
    const reply = this.live.path().at(-1);
    if (reply?.role !== "assistant") return;
    const { live } = this;
    const result = await (this.state === "continue"
      ? live.continueReply(reply.id)
      : live.regenerate(reply.id));
    if (!result.isAccepted) this.options.offerAction(refusalNotice(result, panelMessages));
  }

  async stop(): Promise<void> {
    await this.live.stop();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private get state(): BoxState {
    if (this.live.runningReplyId !== undefined) return "running";
    if (this.refused !== undefined) return "retry";
    const notice = viewOf(this.live, this.live.path().at(-1)?.id)?.notice;
    if (notice?.action === undefined) return "idle";
    return notice.action.id === "continue" ? "continue" : "retry";
  }

  private applyChange(change: ConversationChange): void {
    if (change.kind === "status") this.status = change.status;
    const hasEnded = change.kind === "reply" && this.live.runningReplyId === undefined;
    if (hasEnded) this.reportEnd(change.replyId);
    this.update.push();
  }

  /** Offers the action of a failure, and announces the end to screen readers. */
  private reportEnd(replyId: string): void {
    this.status = undefined;
    const view = viewOf(this.live, replyId);
    const action: NoticeAction | undefined = view?.notice?.action?.id;
    if (view?.notice && action !== undefined && action !== "continue" && !isRetry(action)) {
      this.options.offerAction(view.notice);
    } else if (usesScreenReader()) {
      void vscode.window.showInformationMessage(view?.notice?.text ?? t("The reply is complete."));
    }
  }

  private show(): void {
    const shown = boxComments(this.live, this.status, this.refused).map((comment) => {
      const known = this.comments.get(comment.id) ?? commentOf(comment);
      this.comments.set(comment.id, known);
      return Object.assign(known, { body: comment.body, label: comment.label });
    });
    this.thread.comments = shown;
    this.thread.contextValue = `${this.state} ${this.slot}`;
  }
}

function commentOf({ author, body }: BoxComment): vscode.Comment {
  return { author: { name: author }, body, mode: vscode.CommentMode.Preview };
}

/**
 * Returns true if the user has set VS Code for a screen reader. An extension cannot know if VS Code has
 * detected one.
 */
function usesScreenReader(): boolean {
  return vscode.workspace.getConfiguration("editor").get<string>("accessibilitySupport") === "on";
}
