/**
 * Decides which messages, pictures and excerpts of a conversation are in a request. The meter shows
 * this decision before the question is sent, and the request follows it.
 */
import { fitToBudget, type Fitted } from "../context/budget";
import { withDescriptions } from "../context/describePictures";
import { isCovered } from "../context/overlap";
import { rulesOnce } from "../context/projectRules";
import {
  isPicture,
  isRules,
  withoutPictures,
  type ExcerptPart,
  type Message,
  type Part,
  type UserMessage,
} from "../conversation/message";
import { sendablePath, type RefusedPicture } from "../conversation/sendablePath";
import { separatedPath } from "./separatedReply";

export interface RequestLimits {
  /** False for the text model. */
  readonly takesPictures: boolean;
  /** Estimated tokens of the request that are not in the path, e.g. the system prompt. */
  readonly otherTokens: number;
  readonly budgetTokens: number;
  readonly maxPictureTokens?: number | undefined;
  /** True to add a line of text before each picture. */
  readonly describesPictures?: boolean | undefined;
}

export interface RequestPath extends FittedExcerpts {
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
  const described = limits.describesPictures ? withDescriptions(ofModel, path) : ofModel;
  const fitted = fitExcerpts(described, limits);
  const picturesLeftOut = pictureCount(path) - pictureCount(ofModel) + fitted.imagesLeftOut;
  return { ...fitted, sendable, refused, picturesLeftOut };
}

/** Fits the path to the budget; an excerpt that did not change since an earlier question is sent once. */
function fitExcerpts(path: readonly Message[], limits: RequestLimits): FittedExcerpts {
  const { otherTokens, budgetTokens, maxPictureTokens } = limits;
  const { path: shortened, ofLastQuestion } = withExcerptsOnce(path);
  const fitted = fitToBudget(shortened, otherTokens, budgetTokens, maxPictureTokens);
  const isShortened = shortened.some((message, index) => message !== path[index]);
  if (fitted.turnsLeftOut === 0 || !isShortened) {
    return { ...fitted, excerptsSentBefore: ofLastQuestion };
  }
  // The message that holds the text of an excerpt may be left out: decide again without those turns.
  const ids = new Set(fitted.path.map(({ id }) => id));
  const rest = path
    .filter(({ id }) => ids.has(id))
    .map((message) =>
      fitted.withoutPictures.has(message.id) ? withoutPictures(message) : message,
    );
  const again = fitExcerpts(rest, limits);
  return {
    ...again,
    withoutPictures: new Set([...fitted.withoutPictures, ...again.withoutPictures]),
    turnsLeftOut: fitted.turnsLeftOut + again.turnsLeftOut,
    imagesLeftOut: fitted.imagesLeftOut + again.imagesLeftOut,
  };
}

/** Replaces each excerpt that an earlier message has unchanged by one line that refers to it. */
function withExcerptsOnce(path: readonly Message[]): {
  readonly path: readonly Message[];
  readonly ofLastQuestion: number;
} {
  const sent: ExcerptPart[] = [];
  const sentRules: string[] = [];
  let ofLastQuestion = 0;
  const shortened = path.map((asked) => {
    if (asked.role !== "user") return asked;
    const message = withRulesOnce(asked, sentRules);
    const repeated = new Set(message.parts.filter((part) => isSentBefore(part, sent)));
    ofLastQuestion = repeated.size;
    for (const part of message.parts) {
      if (part.kind === "excerpt" && !repeated.has(part)) sent.push(part);
    }
    if (repeated.size === 0) return message;
    const parts = message.parts.map((part) =>
      part.kind === "excerpt" && repeated.has(part) ? reference(part) : part,
    );
    return { ...message, parts };
  });
  return { path: shortened, ofLastQuestion };
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

/** Compares with the newest excerpt of the same lines only: an older one may be out of date. */
function isSentBefore(part: Part, sent: readonly ExcerptPart[]): boolean {
  if (part.kind !== "excerpt") return false;
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

/** "src/cart.ts (lines 19-25)" */
export function excerptTitle({ path, startLine, endLine }: ExcerptPart): string {
  if (startLine === undefined || endLine === undefined) return path;
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
  return `${path} (${lines})`;
}

function pictureCount(path: readonly Message[]): number {
  const counts = path.map((message) =>
    message.role === "user" ? message.parts.filter(isPicture).length : 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
