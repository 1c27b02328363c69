import type {
  AsideView,
  AttachmentView,
  AutomaticView,
  ChipView,
  DefinitionsView,
  EditingView,
  MessageView,
  ReplyView,
  RulesView,
  UserView,
} from "../../protocol/views";
import { relatedTokens } from "../../context/budget";
import { pictureTokenRange } from "../../context/countedPictures";
import { pictureNumbers, wholeName } from "../../context/describePictures";
import { textTokensOf } from "../../base/tokens";
import { separatedReply } from "../../ask/separatedReply";
import { asidesOf } from "../../conversation/asides";
import type { Conversation } from "../../conversation/conversation";
import { pathTo, versionsOf } from "../../conversation/paths";
import {
  asksToPoint,
  isPicture,
  isWithdrawn,
  partsOf,
  picturesStart,
  textOf,
  type ExcerptPart,
  type ImagePart,
  type Message,
  type NotePart,
  type Part,
  type Receipt,
  type ReceiptPicture,
  type Reply,
  type ReplyPicture,
} from "../../conversation/message";
import { isRefusal, sendablePath } from "../../conversation/sendablePath";
import type { Attachment, Draft } from "../../conversation/draft";
import type { AutomaticContext, ProjectRules, SelectionDefinitions } from "./editorContext";
import { attachedParts, chipParts } from "../conversation/conversationDraft";
import type { LiveConversation } from "../conversation/liveConversation";
import type { ReplySpeed, Messages } from "./messages";

/** Returns true if a file is known to differ from its excerpt. */
export type IsChanged = (part: ExcerptPart) => boolean;

/** Returns the views of the shown path, or of its messages from the index `from` to before `end`. */
export function messageViews(
  conversation: Conversation,
  path: readonly Message[],
  runningReplyId: string | undefined,
  texts: Messages,
  isChanged: IsChanged,
  [from, end]: readonly [number, number] = [0, path.length],
): MessageView[] {
  let pictures: PathPictures | undefined;
  const lastId = path[end - 1]?.id ?? null;
  const picturesOf = () => (pictures ??= new PathPictures(pathTo(conversation, lastId)));
  let names: ReadonlyMap<string, string> | undefined;
  const namesOf = () => (names ??= pictureNames(conversation));
  return path.slice(from, end).map((message, index) => {
    if (message.role === "assistant") {
      return replyView(conversation, message, message.id === runningReplyId, texts, picturesOf);
    }
    const next = path[from + index + 1];
    const reply = next?.role === "assistant" ? next : undefined;
    return userView(conversation, message, reply, texts, isChanged, namesOf);
  });
}

export function asideViews(live: LiveConversation, texts: Messages): AsideView[] {
  return asidesOf(live.conversation).map(({ question, reply }) => {
    const { id, parentId, parts } = question;
    const current = reply && live.message(reply.id);
    const chips = chipParts(parts).flatMap((part) => chipOf(part, texts));
    return {
      id,
      messageId: parentId ?? "",
      text: textOf(parts),
      chips,
      quoted: chips.find(({ kind }) => kind === "quote")?.quoted,
      reply: current?.role === "assistant" ? asideReplyView(live, current, texts) : undefined,
    };
  });
}

export function asideReplyView(live: LiveConversation, reply: Reply, texts: Messages): ReplyView {
  return replyView(live.conversation, reply, live.turns.has(reply.id), texts);
}

/** Returns the view of a question with the receipt from its reply. */
export function userView(
  conversation: Conversation,
  message: Extract<Message, { role: "user" }>,
  reply: Reply | undefined,
  texts: Messages,
  isChanged: IsChanged,
  names = () => pictureNames(conversation),
): UserView {
  const { id, isForgotten } = message;
  const base = { role: "user" as const, id, version: versionOf(conversation, message) };
  if (isForgotten === true) return { ...base, text: texts.forgotten(), chips: [], isForgotten };
  return {
    ...base,
    text: textOf(message.parts),
    chips: chipParts(message.parts).flatMap((part) => {
      const isStale = part.kind === "excerpt" && isChanged(part);
      const isLeftOut = reply?.receipt !== undefined && isNotIn(part, reply.receipt);
      return chipOf(part, texts).map((chip) => ({ ...chip, isChanged: isStale, isLeftOut }));
    }),
    gapBefore: message.followsGap ? texts.gapBefore() : undefined,
    ...(isNeverSent(reply) ? {} : texts.sent(reply)),
    sentPictures: reply?.receipt?.pictures && sentPictures(names(), reply.receipt.pictures, texts),
  };
}

/** True if no receipt will come: the reply ended before its request, or was imported. */
function isNeverSent(reply: Reply | undefined): boolean {
  return reply === undefined || (reply.receipt === undefined && reply.ending !== undefined);
}

/**
 * Returns the view of a reply.
 * @param pictures those of a path with the question of the reply
 */
export function replyView(
  conversation: Conversation,
  stored: Reply,
  isRunning: boolean,
  texts: Messages,
  pictures = () => new PathPictures(pathTo(conversation, stored.parentId)),
): ReplyView {
  const reply = isRunning ? stored : separatedReply(stored);
  const meta = texts.meta(reply, isRunning ? undefined : speedOf(reply));
  const content: Partial<Reply> = isWithdrawn(reply) ? {} : reply;
  return {
    role: "assistant",
    id: reply.id,
    text: reply.isForgotten === true ? texts.forgotten() : (content.text ?? ""),
    thinking: content.thinking && {
      ...content.thinking,
      isOngoing: content.thinking.isOngoing === true,
    },
    isStreaming: isRunning,
    gapBefore: reply.followsGap ? texts.gapBefore() : undefined,
    gapInside: content.hasGap ? texts.gapInside() : undefined,
    modelKind: reply.modelKind,
    metaLine: meta.line,
    metaDetails: meta.details,
    notice: isRunning ? undefined : texts.ending(reply),
    ...seenPicturesOf(conversation, reply, pictures),
    ...(!isRunning && pictureRetryOf(conversation, reply)),
    pictures: content.pictures && madePictures(content.pictures, texts),
    toolCalls: (reply.toolCalls ?? []).map(({ name, argumentsText }) => ({ name, argumentsText })),
    version: versionOf(conversation, reply),
  };
}

function madePictures(pictures: readonly ReplyPicture[], texts: Messages): ChipView[] {
  return pictures.flatMap((picture): ChipView[] =>
    picture.kind === "image"
      ? chipOf(picture, texts)
      : [{ kind: "picture", label: picture.name, detail: texts.pictureNotShown(picture) }],
  );
}

/** Returns the view of the earlier question that the draft edits. */
export function editingView({ editing }: Draft): EditingView | undefined {
  if (editing === undefined) return undefined;
  const { messageId, parkedText = "", isRecalled } = editing;
  return { messageId, parkedText, isRecalled };
}

export function automaticView(
  { id, part, isOn, leftOut }: AutomaticContext,
  texts: Messages,
): AutomaticView | undefined {
  const [chip] = chipOf(part, texts);
  return chip && { ...chip, id, isOn, leftOut };
}

export function definitionsView(
  { id, part, isOn }: SelectionDefinitions,
  texts: Messages,
): DefinitionsView {
  const [chip] = part ? chipOf(part, texts) : [];
  const empty = { kind: "definitions" as const, label: texts.related("definitions", 0, 0).label };
  return { ...(chip ?? { ...empty, detail: "" }), id, isOn };
}

export function attachmentView(attachment: Attachment, texts: Messages): AttachmentView[] {
  const { id, part, picture, origin, notes } = attachment;
  return chipOf(part, texts).map((chip) => {
    if (part.kind !== "image") return { id, ...chip };
    return {
      id,
      ...chip,
      detail: texts.pictureFit(part, picture, origin),
      fit: picture?.fit ?? "whole",
      marks: picture?.marks,
      sent: picture?.sent.map(({ hash, widthPx, heightPx }) => ({ hash, widthPx, heightPx })),
      tilesAfterOverview: picture?.sent[0]?.overviewOfTiles,
      notes: notes?.items,
    };
  });
}

export function chipOf(part: Part, texts: Messages): ChipView[] {
  switch (part.kind) {
    case "text":
      return [];
    case "image": {
      const { hash, widthPx, heightPx, name } = part;
      const detail = texts.pictureSize(part);
      return [{ kind: "picture", label: name, detail, picture: { hash, widthPx, heightPx } }];
    }
    case "image-address":
      return [{ kind: "picture", label: part.url, detail: "" }];
    case "excerpt": {
      const { startLine, endLine, path, symbol } = part;
      const isWhole = startLine === undefined || endLine === undefined;
      const span = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
      const lines = isWhole ? "" : span;
      const place = isWhole ? path : `${path}:${lines}`;
      const remarks = excerptNotes(part, texts);
      const tooltip = [place, ...remarks].join(", ");
      const isSymbol = symbol !== undefined;
      const detail = [isSymbol ? "" : lines, ...remarks].filter((one) => one !== "").join(", ");
      return [{ kind: isSymbol ? "symbol" : "file", label: symbol ?? path, detail, tooltip }];
    }
    case "related": {
      const { relation, items } = part;
      const { label, detail, tooltip } = texts.related(relation, items.length, relatedTokens(part));
      return [{ kind: relation, label, detail, tooltip }];
    }
    case "note":
      return part.source === "forgotten-picture"
        ? [{ ...noteChip(part), detail: texts.pictureForgotten() }]
        : [noteChip(part)];
    default:
      return part satisfies never;
  }
}

function noteChip({ source, label, detail = "", tooltip, quoted }: NotePart): ChipView {
  return { kind: source, label, detail, tooltip, quoted };
}

export function rulesView({ part, isOn }: ProjectRules): RulesView {
  return { ...noteChip(part), isOn };
}

function excerptNotes({ linesLeftOut = 0, problems = "" }: ExcerptPart, texts: Messages): string[] {
  const listed = problems === "" ? [] : problems.split("\n");
  const count = listed.reduce((sum, line) => {
    const more = /^- and (\d+) more$/.exec(line)?.[1];
    return sum + (more === undefined ? 1 : Number(more));
  }, 0);
  return [
    ...(linesLeftOut > 0 ? [texts.linesLeftOut(linesLeftOut)] : []),
    ...(count > 0 ? [texts.problemCount(count)] : []),
  ];
}

/**
 * Returns true for an image that was not in the request; false for old receipts, which do not list
 * images.
 */
function isNotIn(part: Part, { imageCount, pictures }: Receipt): boolean {
  if (!isPicture(part) || (pictures === undefined && imageCount > 0)) return false;
  return !(pictures ?? []).some((picture) =>
    picture.kind === "bytes"
      ? part.kind === "image" && part.hash === picture.hash
      : part.kind === "image-address" && part.url === picture.url,
  );
}

/** Returns the names of a conversation's images by hash. */
function pictureNames({ messages }: Conversation): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages.values()) {
    for (const part of partsOf(message)) {
      if (part.kind === "image") names.set(part.hash, part.name);
    }
  }
  return names;
}

/** Returns chips for the images of a request, named as in the conversation. */
function sentPictures(
  names: ReadonlyMap<string, string>,
  pictures: readonly ReceiptPicture[],
  texts: Messages,
): ChipView[] {
  return pictures.flatMap((picture) =>
    chipOf(
      picture.kind === "address"
        ? { kind: "image-address", url: picture.url }
        : { ...picture, kind: "image", name: names.get(picture.hash) ?? "" },
      texts,
    ),
  );
}

/** Returns the pictures of the request into which a reply can point. */
function seenPicturesOf(
  { messages }: Conversation,
  reply: Reply,
  pictures: () => PathPictures,
): Pick<ReplyView, "seenPictures" | "isPointingAsked" | "pictureTokens"> {
  const { receipt, parentId } = reply;
  const sent = new Set(
    receipt?.pictures?.map((picture) => (picture.kind === "bytes" ? picture.hash : "")),
  );
  const question = messages.get(parentId ?? "");
  if (sent.size === 0 || question === undefined) return {};
  const seen = pictures().seenIn(question, sent);
  if (seen.length === 0) return {};
  const isPointingAsked = partsOf(question).some(asksToPoint);
  return { seenPictures: seen, isPointingAsked, pictureTokens: pictureTokenRange(reply) };
}

/** Image of a path with its number and its position among all images, and the index of its message. */
interface PathPicture {
  readonly part: ImagePart;
  readonly number: number;
  readonly position: number;
  readonly messageIndex: number;
}

/** Pictures of a path by hash, so that the views of all its replies take linear time. */
class PathPictures {
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly byHash = new Map<string, PathPicture[]>();

  constructor(path: readonly Message[]) {
    this.indexes = new Map(path.map(({ id }, index) => [id, index]));
    const numbers = pictureNumbers(path);
    let position = 0;
    for (const [messageIndex, message] of path.entries()) {
      for (const part of new Set(partsOf(message))) {
        const number = numbers.get(part);
        if (part.kind !== "image" || number === undefined) continue;
        const picture = { part, number, position: position++, messageIndex };
        const sameHash = this.byHash.get(part.hash);
        if (sameHash) sameHash.push(picture);
        else this.byHash.set(part.hash, [picture]);
      }
    }
  }

  /**
   * Returns the pictures up to a question of the path, as a model saw them.
   * @param sent hashes of the pictures in the request
   */
  seenIn(question: Message, sent: ReadonlySet<string>) {
    const lastIndex = this.indexes.get(question.id) ?? -1;
    const ofQuestion = new Set(attachedParts(partsOf(question)));
    const sentPictures = [...sent]
      .flatMap((hash) => this.byHash.get(hash) ?? [])
      .filter(({ messageIndex }) => messageIndex <= lastIndex)
      .sort((one, other) => one.position - other.position);
    return sentPictures.map(({ part, number }) => {
      const { hash, widthPx, heightPx, tile, original: area } = part;
      return {
        hash,
        widthPx,
        heightPx,
        number,
        name: wholeName(part.name),
        tile: tile && tile.index + 1,
        isOfQuestion: ofQuestion.has(part),
        area,
      };
    });
  }
}

/** Returns if a refused request can be sent again without its pictures, and if with smaller ones. */
function pictureRetryOf(conversation: Conversation, reply: Reply): Pick<ReplyView, "pictureRetry"> {
  const { ending, receipt, parentId } = reply;
  const isLost = ending?.kind === "failed" && ending.failure.kind === "picture-lost";
  const isOfPictures = isLost || (isRefusal(reply) && receipt?.imageCount !== 0);
  // Most replies end here: reading the path for each would take quadratic time.
  if (!isOfPictures) return {};
  const path = pathTo(conversation, parentId);
  const sendable = sendablePath(path).path.slice(picturesStart(path)).flatMap(partsOf);
  if (!sendable.some(isPicture)) return {};
  const canShrink = !isLost && partsOf(path.at(-1)).some(({ kind }) => kind === "image");
  return { pictureRetry: { canShrink } };
}

function versionOf(conversation: Conversation, message: Message) {
  const versions = versionsOf(conversation, message);
  return { index: versions.indexOf(message.id) + 1, count: versions.length };
}

/** Shortest time for computing a speed, in milliseconds; shorter times give noise. */
const MIN_MEASURED_MS = 50;

function speedOf(reply: Reply): ReplySpeed {
  const { startedAtMs, firstTextAtMs, endedAtMs, usage, thinking } = reply;
  const { completionTokens, reasoningTokens } = usage ?? {};
  // The count of the completion includes the thinking.
  const isSplit = thinking === undefined || reasoningTokens !== undefined;
  const counted =
    completionTokens === undefined || !isSplit
      ? undefined
      : Math.max(0, completionTokens - (reasoningTokens ?? 0));
  const tokens = counted ?? textTokensOf(reply);
  const streamedMs =
    firstTextAtMs === undefined || endedAtMs === undefined ? 0 : endedAtMs - firstTextAtMs;
  return {
    firstTextAfterMs: firstTextAtMs === undefined ? undefined : firstTextAtMs - startedAtMs,
    tokensPerSecond:
      streamedMs < MIN_MEASURED_MS ? undefined : Math.round((tokens * 1000) / streamedMs),
    tokens,
    isCounted: counted !== undefined,
    ...(thinking && {
      thinking: {
        durationMs: thinking.durationMs,
        tokens: reasoningTokens ?? textTokensOf(thinking),
        isCounted: reasoningTokens !== undefined,
      },
    }),
  };
}
