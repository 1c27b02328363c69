/**
 * Decides which messages, pictures and excerpts of a conversation are in a request. The meter shows
 * this decision before the question is sent, and the request follows it.
 */
import { filesOf } from "../conversation/filesOf";
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
import {
  sendingState,
  withoutLeftOut,
  type Sending,
  type SendingState,
} from "../conversation/sending";
import { excerptTitle } from "./excerptText";
import { separatedPath } from "./separatedReply";
import { sentSummary, sentTurn, type SentMessage } from "./sentTurn";

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
  /** The user's choices of what is sent. */
  readonly sending?: Sending | undefined;
}

export interface RequestPath extends FittedExcerpts {
  /** Tokens of pictures that the estimate was made with. */
  readonly pictureTokens: PictureTokens;
  /** The whole path with every picture that may be sent, whatever the budget and the model. */
  readonly sendable: readonly Message[];
  readonly refused: readonly RefusedPicture[];
  /** Pictures of the path that the request does not have, for any reason. */
  readonly picturesLeftOut: number;
  /** Number of the first messages of the path that a summary replaces. */
  readonly coveredCount: number;
}

interface FittedExcerpts extends Fitted {
  /** Excerpts of the last question that an earlier message of the request has already. */
  readonly excerptsSentBefore: number;
  readonly next: NextLeftOut;
}

/** Messages and pictures left out when the budget is full. */
export interface NextLeftOut {
  readonly messages: number;
  readonly pictures: number;
  /** Index of the first message of the path that is sent then. */
  readonly until: number;
}

/** @param path oldest first, up to and with the question */
export function requestPath(path: readonly Message[], limits: RequestLimits): RequestPath {
  const state = sendingState(path, limits.sending);
  const { path: sendable, refused } = sendablePath(separatedPath(withoutLeftOut(path, state)));
  const ofModel = limits.takesPictures ? sendable : sendable.map(withoutPictures);
  const which = limits.describesPictures ? "all" : "asked-for-positions";
  const described = withDescriptions(ofModel, path, which);
  const { pixelsPerToken, maxTokens } = measuredTokens(path) ?? ESTIMATED_TOKENS;
  const pictureTokens = {
    pixelsPerToken,
    maxTokens: Math.min(maxTokens, limits.maxPictureTokens ?? maxTokens),
  };
  const fitted = fitExcerpts(described, limits, state, pictureTokens);
  const picturesLeftOut = pictureCount(path) - pictureCount(fitted.path);
  const { coveredCount } = state;
  return { ...fitted, sendable, refused, picturesLeftOut, pictureTokens, coveredCount };
}

/**
 * Fits the path to the budget; an excerpt that did not change since an earlier question is sent once.
 * Each question of the path is fitted in turn, so what was left out for an earlier question stays left
 * out, and what was sent stays as it was until the budget is full again.
 */
function fitExcerpts(
  path: readonly Message[],
  limits: RequestLimits,
  state: SendingState,
  pictureTokens: PictureTokens,
): FittedExcerpts {
  const { otherTokens, continuationTokens = 0, budgetTokens } = limits;
  const turns = turnsOf(path);
  const left = { turns: new Set<number>(), pictures: new Set<string>(), images: 0 };
  let sent = new SentMessages(pictureTokens);

  const finished = (index: number): SentMessage[] => {
    const { start, messages } = turns[index] ?? NO_TURN;
    if (left.turns.has(index) || start < state.coveredCount) return [];
    return sentTurn(messages, index, state, left.pictures);
  };
  /** Builds the messages of the first turns again: one that held the text of an excerpt may be gone. */
  function rebuild(count: number): void {
    sent = new SentMessages(pictureTokens);
    let { summary } = state;
    const addSummary = () => {
      if (summary) sent.add(sentSummary(summary, rulesOf(path.slice(0, state.coveredCount))));
      summary = undefined;
    };
    for (let index = 0; index < count; index++) {
      if ((turns[index]?.start ?? 0) >= state.coveredCount) addSummary();
      sent.add(finished(index));
    }
    addSummary();
  }

  for (const [index, { start, messages }] of turns.entries()) {
    const isLast = index === turns.length - 1;
    const [question] = messages;
    const hasQuestion = question?.role === "user";
    // A reply that is continued is in the request of its question, too.
    const requests: (readonly Message[])[] = hasQuestion ? [messages.slice(0, 1)] : [];
    if (isLast && (messages.length > 1 || !hasQuestion)) requests.push(messages);
    for (const [number, request] of requests.entries()) {
      if (number > 0) rebuild(index);
      const isWhole = isLast && number === requests.length - 1;
      const tokens = otherTokens + (isWhole ? continuationTokens : 0);
      const asked = request.map((message) => ({ message, isFixed: false, turn: index }));
      sent.add(asked);
      while (tokens + total(sent.cost) > budgetTokens) {
        const fitted = sent.fit(tokens, budgetTokens);
        if (fitted.turnsLeftOut + fitted.imagesLeftOut === 0) break;
        for (const turn of fitted.turns) left.turns.add(turn);
        for (const id of fitted.withoutPictures) left.pictures.add(id);
        left.images += fitted.imagesLeftOut;
        rebuild(index);
        sent.add(asked);
      }
    }
    if (isLast) break;
    const [first, ...rest] = finished(index);
    const isAsAsked = hasQuestion && first?.message === question;
    if (isAsAsked && start >= state.coveredCount) sent.add(rest);
    else rebuild(index + 1);
  }
  const next = sent.fit(otherTokens + continuationTokens, budgetTokens, true);
  const isSummarized = (turn: number) => (turns[turn]?.start ?? 0) < state.coveredCount;
  const turnsLeftOut = [...left.turns].filter((turn) => !isSummarized(turn)).length;
  const nextTurns = Math.max(-1, ...left.turns, ...next.turns) + 1;
  return {
    path: sent.shortened,
    withoutPictures: left.pictures,
    turnsLeftOut,
    imagesLeftOut: left.images,
    cost: sent.cost,
    excerptsSentBefore: sent.repeatedByLast,
    next: {
      messages: next.turns.reduce((sum, turn) => sum + (turns[turn]?.messages.length ?? 0), 0),
      pictures: next.imagesLeftOut,
      until: turns[nextTurns]?.start ?? 0,
    },
  };
}

interface Turn {
  readonly start: number;
  readonly messages: readonly Message[];
}

const NO_TURN: Turn = { start: 0, messages: [] };

/** Splits a path before each question. */
function turnsOf(path: readonly Message[]): Turn[] {
  const starts = path.flatMap(({ role }, index) => (role === "user" || index === 0 ? [index] : []));
  return starts.map((start, at) => ({ start, messages: path.slice(start, starts[at + 1]) }));
}

/** Returns the project rules of the last of these questions that has them. */
function rulesOf(path: readonly Message[]): Part[] {
  const rules = path.flatMap(partsOf).findLast(isRules);
  return rules === undefined ? [] : [rules];
}

/** Messages of a request; an excerpt that an earlier message has becomes a line with a reference. */
class SentMessages {
  readonly shortened: Message[] = [];
  cost = NOTHING;
  /** Number of excerpts of the last question that an earlier message has. */
  repeatedByLast = 0;
  private readonly sent: SentMessage[] = [];
  private readonly excerpts: ExcerptPart[] = [];
  private readonly rules: string[] = [];

  constructor(private readonly pictureTokens: PictureTokens) {}

  add(messages: readonly SentMessage[]): void {
    for (const one of messages) {
      const { message } = one;
      const shortened = message.role === "user" ? this.shorten(message) : message;
      const cost = costOf(shortened, this.pictureTokens);
      this.sent.push(one);
      this.shortened.push(shortened);
      this.cost = sum(this.cost, cost);
    }
  }

  /**
   * Returns what the budget leaves out.
   * @param isNext true for what is left out next, when the budget will be full
   */
  fit(otherTokens: number, budgetTokens: number, isNext = false): Fitted & { turns: number[] } {
    const { sent, shortened, pictureTokens } = this;
    const isFixed = (index: number) => sent[index]?.isFixed === true;
    const options = { isFixed, isNext };
    const fitted = fitToBudget(shortened, otherTokens, budgetTokens, pictureTokens, options);
    const sentMessages = new Set(fitted.path);
    const left = sent.filter((_one, index) => !sentMessages.has(shortened[index] as Message));
    const turns = [...new Set(left.flatMap(({ turn }) => turn ?? []))];
    return { ...fitted, turns };
  }

  private shorten(asked: UserMessage): UserMessage {
    const { excerpts } = this;
    const message = withRulesOnce(asked, this.rules);
    const parts = message.parts.map((part) => withoutSent(part, excerpts));
    this.repeatedByLast = message.parts.filter((part, index) => parts[index] !== part).length;
    for (const part of message.parts) {
      excerpts.push(...filesOf(part).filter((excerpt) => !isSentBefore(excerpt, excerpts)));
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
