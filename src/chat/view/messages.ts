/** Port for localized texts of the panel; `host` implements it. */
import type { CopiedContent } from "../../protocol/pictureMessages";
import type { NoticeView, UserView } from "../../protocol/views";
import type { Failure, PictureLoss } from "../../conversation/ending";
import type { PictureProblem } from "../../pictures/validateImage";
import type {
  ImagePart,
  ReplyPicture,
  Message,
  RelatedPart,
  Reply,
} from "../../conversation/message";
import type { PictureOrigin, PicturePlan } from "../../conversation/draft";
import type { IndexEntry } from "../../search/indexEntry";
import type { TurnStatus } from "../conversation/conversationChange";
import type { AskResult } from "../conversation/conversationStore";

/** Speed of a reply; undefined where unknown. */
export interface ReplySpeed {
  readonly firstTextAfterMs: number | undefined;
  readonly tokensPerSecond: number | undefined;
  /** Tokens of the reply; an estimate unless the service reported them. */
  readonly tokens: number;
  readonly isCounted: boolean;
  /** Thinking before the answer; its tokens are not in `tokens`. */
  readonly thinking?: {
    readonly durationMs: number;
    readonly tokens: number;
    readonly isCounted: boolean;
  };
}

/** Reason why an image was not attached or changed. */
export type PictureRefusal =
  | PictureProblem
  | "unreadable"
  | "outdated"
  | "not-drawn"
  | "not-marked"
  | "unfinished"
  /** Larger than a request can be, together with the other attached pictures. */
  | "too-many-together";

export interface Messages {
  /** Error text for a question that was not sent or a reply that failed. */
  failure(failure: Failure, hasText: boolean): NoticeView;
  /** A question was sent while a reply is running. */
  busy(): NoticeView;
  /** Problem with a conversation's file. */
  fileNotice(state: "unreadable" | "damaged" | "newer"): NoticeView;
  /** Ending of a reply; undefined if complete. */
  ending(reply: Reply): NoticeView | undefined;
  /** Receipt of a question, whose line is empty before sending. */
  sent(reply: Reply | undefined): Pick<UserView, "sentLine" | "notSent">;
  /** Time and length of a reply, and all that was measured; also the model if there is no receipt. */
  meta(reply: Reply, speed: ReplySpeed | undefined): { line: string; details: string };
  /** Transient status; `%s` is replaced by the seconds until `untilMs`. */
  status(
    status: TurnStatus,
    nowMs: number,
  ): { text: string; untilMs?: number; isProgress?: boolean };
  /** Short time: "14:02", "Mon 14:02", "3 Nov". */
  when(atMs: number): string;
  /** Heading over the conversations of a time: "Today", "Yesterday", "Last 7 days". */
  period(atMs: number): string;
  /** "gpt-oss · my-project"; without the usual models and the workspace of the window. */
  historyDetail(entry: IndexEntry, ownWorkspace: string | undefined): string;
  /** Title of an unsent question: "Draft: Why is …". Names the attachments if there is no text. */
  draftTitle(text: string, attachedCount: number): string;
  /** Before sending: content left out because of the budget; empty if none. */
  leftOut(turns: number, pictures: number): string;
  /** Before sending: the question is sent although its estimated tokens exceed the budget. */
  overBudget(): string;
  /** On a chip: number of lines left out of a long excerpt. */
  linesLeftOut(lines: number): string;
  /** On a chip: number of problems sent with the lines. */
  problemCount(problems: number): string;
  /** Chip of declarations, callers or tests: "Definitions", "6, 1.2k tokens". */
  related(
    relation: RelatedPart["relation"],
    count: number,
    tokens: number,
  ): { label: string; detail: string; tooltip: string };
  /** Chip of a quote: “the first words…”, "Answer 3". */
  quote(words: string, role: Message["role"], number: number): { label: string; detail: string };
  /** "2560×1440 PNG, 412 KB" */
  pictureSize(part: ImagePart): string;
  /** Size and sending mode of an attached image: "as it is", "rotated upright", "3 tiles". */
  pictureFit(part: ImagePart, plan?: PicturePlan, origin?: PictureOrigin): string;
  /** Reason why an image was not attached, and what to do. */
  pictureRefused(name: string, problem: PictureRefusal): NoticeView;
  /** Name of the note that asks for coordinates. */
  showWhere(): string;
  /** Label of the chip of notes on a picture. */
  inThePicture(): string;
  /** Question for the content of a picture, with the marks of replyCode/pictureReply.ts. */
  contentQuestion(content: CopiedContent): string;
  /** An image of the conversation cannot be shown. */
  pictureLost(name: string, loss: PictureLoss): NoticeView;
  /** Retrying without images leaves nothing to send. */
  nothingLeft(): NoticeView;
  /** Another window has a different draft. */
  otherDraft(text: string): NoticeView;
  /** Shown where messages could not be read. */
  gapBefore(): string;
  /** Text in place of a message whose content was removed for good. */
  forgotten(): string;
  /** Reason why a picture of a reply is not shown, with its name: a sentence. */
  pictureNotShown(picture: Extract<ReplyPicture, { kind: "not-shown" }>): string;
  pictureForgotten(): string;
  /** Nothing is left out of the next requests. */
  nothingToSummarize(): string;
  /** Shown below a reply with a gap in its text. */
  gapInside(): string;
  untitled(): string;
  notSaved(): string;
  /** Notice of a conversation in memory only. */
  unsavedNotice(): NoticeView;
  /** `/aside` was sent without a question, or without a message to ask about. */
  asideNeeds(hasMessages: boolean): NoticeView;
  forkTitle(title: string): string;
  forked(): string;
  /** A reply cannot be forked at before its end. */
  stillInProgress(): string;
  copied(): string;
}

/** Returns the notice for a question that was not accepted. */
export function refusalNotice(
  { failure }: Extract<AskResult, { isAccepted: false }>,
  messages: Messages,
): NoticeView {
  return failure === "busy" ? messages.busy() : messages.failure(failure, false);
}
