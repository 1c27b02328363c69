/**
 * The sentences the panel's mind needs, as a port: the host writes them in the person's language.
 */
import type { NoticeView } from "../protocol/views";
import type { Failure, PictureLoss } from "../conversation/ending";
import type { PictureProblem } from "../context/validateImage";
import type { ImagePart, Reply, UserMessage } from "../conversation/message";
import type { PictureOrigin, PicturePlan } from "../history/draft";
import type { IndexEntry } from "../history/indexEntry";
import type { TurnStatus } from "./conversationChange";

/** How fast a reply came; undefined where it is not known. */
export interface ReplySpeed {
  readonly firstTextAfterMs: number | undefined;
  readonly tokensPerSecond: number | undefined;
  /** Tokens of the reply; estimated unless the service counted them. */
  readonly tokens: number;
  readonly isCounted: boolean;
}

/** Why a picture is not attached, or not changed as the user wanted. */
export type PictureRefusal =
  PictureProblem | "unreadable" | "outdated" | "not-drawn" | "not-marked" | "unfinished";

/** Everything a person reads beside the conversation's own text. */
export interface Messages {
  /** What happened and what to do, for a question that was not asked or a reply that failed. */
  failure(failure: Failure, hasText: boolean): NoticeView;
  /** A question came while a reply was still coming. */
  busy(): NoticeView;
  /** What is wrong with a conversation's file, and what to do. */
  fileNotice(state: "unreadable" | "damaged" | "newer"): NoticeView;
  /** How a reply ended; undefined when there is nothing to say (complete). */
  ending(reply: Reply): NoticeView | undefined;
  /** Beneath a question: what went. Empty while nothing has gone. */
  sentLine(message: UserMessage, reply: Reply | undefined): string;
  /** Above a reply: the model, and how fast it was. */
  metaLine(reply: Reply, speed: ReplySpeed | undefined): string;
  /** A passing word; `%s` stands for the seconds until `untilMs`. */
  status(
    status: TurnStatus,
    nowMs: number,
  ): { text: string; untilMs?: number; isProgress?: boolean };
  /** When something was, as short as it is clear: "14:02", "Mon", "3 Nov". */
  when(atMs: number): string;
  /** "core_vl · 3 pictures · my-project" */
  historyDetail(entry: IndexEntry): string;
  /** A question that was not sent, in the list: "Draft: Why is …". Without text, what is attached. */
  draftTitle(text: string, attachedCount: number): string;
  /** Before sending: what the budget leaves out; empty when nothing. */
  leftOut(turns: number, pictures: number): string;
  /** On a chip: how many lines of a long excerpt do not go. */
  linesLeftOut(lines: number): string;
  /** On a chip: how many problems go with the lines. */
  problemCount(problems: number): string;
  /** "2560×1440 PNG, 412 KB" */
  pictureSize(part: ImagePart): string;
  /** How an attached picture will be sent: its size and "as it is", "turned upright", "3 tiles". */
  pictureFit(part: ImagePart, plan?: PicturePlan, origin?: PictureOrigin): string;
  /** Why a picture was not attached, and what to do. */
  pictureRefused(name: string, problem: PictureRefusal): NoticeView;
  /** A picture of the conversation cannot be shown, and what to do. */
  pictureLost(name: string, loss: PictureLoss): NoticeView;
  /** The question was asked for without its pictures, and it held nothing else. */
  nothingLeft(): NoticeView;
  /** Another window left other words for this question. */
  otherDraft(text: string): NoticeView;
  /** Where messages could not be read. */
  gapBefore(): string;
  /** Under a reply with text in the middle that could not be read. */
  gapInside(): string;
  untitled(): string;
  copied(): string;
}
