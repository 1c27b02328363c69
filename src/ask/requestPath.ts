/**
 * Decides which messages, pictures and excerpts of a conversation are in a request. The meter shows
 * this decision before the question is sent, and the request follows it.
 */
import { ESTIMATED_TOKENS, type PictureTokens } from "../base/tokens";
import { costOf, fitToBudget, NOTHING, sum, total, type Fitted } from "../context/budget";
import { withDescriptions } from "../context/describePictures";
import { measuredTokens } from "../context/measuredTokens";
import { isCovered } from "../context/overlap";
import { rulesOnce } from "../context/projectRules";
import {
  isPicture,
  isRules,
  partsOf,
  withoutPictures,
  type ExcerptPart,
  type Message,
  type Part,
  type RelatedPart,
  type UserMessage,
} from "../conversation/message";
import { sendablePath, type RefusedPicture } from "../conversation/sendablePath";
import { excerptTitle } from "./excerptText";
import { separatedPath } from "./separatedReply";

export interface RequestLimits {
  /** False for the text model. */
  readonly takesPictures: boolean;
  /** Estimated tokens of the request that are not in the path, e.g. the system prompt. */
  readonly otherTokens: number;
  /** Estimated tokens of the request to continue the last reply. */
  readonly continuationTokens?: number;
  readonly budgetTokens: number;
  readonly maxPictureTokens?: number | undefined;
  /** True to add a line of text before each picture. */
  readonly describesPictures?: boolean | undefined;
}

export interface RequestPath extends FittedExcerpts {
  /** Tokens of pictures that the estimate was made with. */
  readonly pictureTokens: PictureTokens;
  /** True if the service counted pictures of this path. */
  readonly isMeasured: boolean;
  /** The whole path with every picture that may be sent, whatever the budget and the model. */
  readonly sendable: readonly Message[];
  readonly refused: readonly RefusedPicture[];
  /** Pictures of the path that the request does not have, for any reason. */
  readonly picturesLeftOut: number;
}

interface FittedExcerpts extends Fitted {
  /** Excerpts of the last question that an earlier message of the request has already. */
  readonly excerptsSentBefore: number;
}

/** @param path oldest first, up to and with the question */
export function requestPath(path: readonly Message[], limits: RequestLimits): RequestPath {
  const { path: sendable, refused } = sendablePath(separatedPath(path));
  const ofModel = limits.takesPictures ? sendable : sendable.map(withoutPictures);
  const which = limits.describesPictures ? "all" : "asked-for-positions";
  const described = withDescriptions(ofModel, path, which);
  const measured = measuredTokens(path);
  const { pixelsPerToken, maxTokens } = measured ?? ESTIMATED_TOKENS;
  const pictureTokens = {
    pixelsPerToken,
    maxTokens: Math.min(maxTokens, limits.maxPictureTokens ?? maxTokens),
  };
  const fitted = fitExcerpts(described, limits, pictureTokens);
  const isMeasured = measured !== undefined;
  const picturesLeftOut = pictureCount(path) - pictureCount(ofModel) + fitted.imagesLeftOut;
  return { ...fitted, sendable, refused, picturesLeftOut, pictureTokens, isMeasured };
}

/**
 * Fits the path to the budget; an excerpt that did not change since an earlier question is sent once.
 * Each question of the path is fitted in turn, so what was left out for an earlier question stays left
 * out, and what was sent stays as it was until the budget is full again.
 */
function fitExcerpts(
  path: readonly Message[],
  limits: RequestLimits,
  pictureTokens: PictureTokens,
): FittedExcerpts {
  const { otherTokens, continuationTokens = 0, budgetTokens } = limits;
  const left = { pictures: new Set<string>(), turns: 0, images: 0 };
  let sent = new SentMessages();
  for (const [index, message] of path.entries()) {
    sent.add(message, pictureTokens);
    const isLast = index === path.length - 1;
    const tokens = otherTokens + (isLast ? continuationTokens : 0);
    const isRequest = isLast || message.role === "user";
    while (isRequest && tokens + total(sent.cost) > budgetTokens) {
      const fitted = fitToBudget(sent.shortened, tokens, budgetTokens, pictureTokens);
      if (fitted.turnsLeftOut + fitted.imagesLeftOut === 0) break;
      left.turns += fitted.turnsLeftOut;
      left.images += fitted.imagesLeftOut;
      for (const id of fitted.withoutPictures) left.pictures.add(id);
      // A message that held the text of an excerpt may be gone: shorten the others again.
      const ids = new Set(fitted.path.map(({ id }) => id));
      const rest = sent.messages.filter(({ id }) => ids.has(id));
      sent = new SentMessages();
      for (const one of rest) {
        sent.add(left.pictures.has(one.id) ? withoutPictures(one) : one, pictureTokens);
      }
    }
  }
  return {
    path: sent.shortened,
    withoutPictures: left.pictures,
    turnsLeftOut: left.turns,
    imagesLeftOut: left.images,
    cost: sent.cost,
    excerptsSentBefore: sent.repeatedByLast,
  };
}

/** Messages of a request; an excerpt that an earlier message has becomes a line with a reference. */
class SentMessages {
  readonly messages: Message[] = [];
  readonly shortened: Message[] = [];
  cost = NOTHING;
  /** Number of excerpts of the last question that an earlier message has. */
  repeatedByLast = 0;
  private readonly excerpts: ExcerptPart[] = [];
  private readonly rules: string[] = [];

  add(message: Message, pictureTokens: PictureTokens): void {
    const shortened = message.role === "user" ? this.shorten(message) : message;
    this.messages.push(message);
    this.shortened.push(shortened);
    this.cost = sum(this.cost, costOf(shortened, pictureTokens));
  }

  private shorten(asked: UserMessage): UserMessage {
    const { excerpts } = this;
    const message = withRulesOnce(asked, this.rules);
    const parts = message.parts.map((part) => withoutSent(part, excerpts));
    this.repeatedByLast = message.parts.filter((part, index) => parts[index] !== part).length;
    for (const part of message.parts) {
      const own = part.kind === "related" ? part.items : part.kind === "excerpt" ? [part] : [];
      excerpts.push(...own.filter((excerpt) => !isSentBefore(excerpt, excerpts)));
    }
    return this.repeatedByLast === 0 ? message : { ...message, parts };
  }
}

/** Leaves out rules that an earlier message has; adds the others to `sent`. */
function withRulesOnce(message: UserMessage, sent: string[]): UserMessage {
  const rules = message.parts.find((part) => part.kind === "note" && isRules(part));
  if (rules?.kind !== "note") return message;
  const text = rulesOnce(rules.text, sent);
  sent.push(rules.text);
  if (text === rules.text) return message;
  const parts = message.parts.map((part) => (part === rules ? { ...rules, text } : part));
  return { ...message, parts };
}

/** Returns the part without content that was sent before, or only a reference if nothing is new. */
function withoutSent(part: Part, sent: readonly ExcerptPart[]): Part {
  if (part.kind === "excerpt") return isSentBefore(part, sent) ? reference(part) : part;
  if (part.kind !== "related") return part;
  const items = part.items.filter((item) => !isSentBefore(item, sent));
  if (items.length === part.items.length) return part;
  return items.length > 0 ? { ...part, items } : relatedReference(part);
}

/** Compares with the newest excerpt of the same lines only: an older one may be out of date. */
function isSentBefore(part: ExcerptPart, sent: readonly ExcerptPart[]): boolean {
  const newest = sent.findLast((other) => other.uri === part.uri && doOverlap(other, part));
  if (newest === undefined || (newest.problems ?? "") !== (part.problems ?? "")) return false;
  return isCovered(part, [newest]);
}

function doOverlap(a: ExcerptPart, b: ExcerptPart): boolean {
  const { startLine: aStart = 1, endLine: aEnd = Infinity } = a;
  const { startLine: bStart = 1, endLine: bEnd = Infinity } = b;
  return aStart <= bEnd && bStart <= aEnd;
}

/** A note, because the text of a note is sent as it is. Never stored or shown. */
function reference(part: ExcerptPart): Part {
  const text = `${excerptTitle(part)}: unchanged since an earlier message, see there.`;
  return { kind: "note", source: "folder", label: part.path, text };
}

function relatedReference({ relation }: RelatedPart): Part {
  const text = `The ${relation} of this code are unchanged since an earlier message, see there.`;
  return { kind: "note", source: "folder", label: relation, text };
}

function pictureCount(path: readonly Message[]): number {
  const counts = path.map((message) => partsOf(message).filter(isPicture).length);
  return counts.reduce((sum, count) => sum + count, 0);
}
