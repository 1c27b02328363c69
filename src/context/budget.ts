/**
 * What of a conversation fits into the token budget. The question always goes, and so do the pictures
 * of the last question before it that had any: a follow-up is about them. Of the rest older pictures
 * are left out first, then the oldest turns.
 */
import type { Message, Part } from "../conversation/message";
import { isPicture, isWithdrawn } from "../conversation/message";
import { DEFAULT_MAX_PICTURE_TOKENS, estimateImageTokens, estimateTextTokens } from "./tokens";

/** Estimated tokens, by what they are spent on. */
export interface Cost {
  readonly text: number;
  readonly files: number;
  readonly pictures: number;
}

/** What goes, and what does not. */
export interface Fitted {
  /** The messages that go, oldest first; turns are left out as a whole. */
  readonly path: readonly Message[];
  /** Messages whose pictures do not go although their text does. */
  readonly withoutPictures: ReadonlySet<string>;
  readonly turnsLeftOut: number;
  readonly imagesLeftOut: number;
  /** What goes is estimated to cost this much. */
  readonly cost: Cost;
}

const NOTHING: Cost = { text: 0, files: 0, pictures: 0 };

/** A picture by address has no known size; it is counted as a full-HD one. */
const UNKNOWN_PICTURE = estimateImageTokens(1920, 1080);

/** Share of the budget that text may use although the pictures alone are beyond the budget. */
const TEXT_SHARE = 1 / 4;

/** An estimate by the limit it was made with. Messages do not change once they have ended. */
const known = new WeakMap<Message, { readonly maxPictureTokens: number; readonly cost: Cost }>();

/** Returns what a message is estimated to cost. */
export function costOf(message: Message, maxPictureTokens = DEFAULT_MAX_PICTURE_TOKENS): Cost {
  const before = known.get(message);
  if (before?.maxPictureTokens === maxPictureTokens) return before.cost;
  const cost =
    message.role === "assistant"
      ? { ...NOTHING, text: isWithdrawn(message) ? 0 : estimateTextTokens(message.text) }
      : message.parts.map((part) => costOfPart(part, maxPictureTokens)).reduce(sum, NOTHING);
  known.set(message, { maxPictureTokens, cost });
  return cost;
}

/**
 * @param path oldest first, with the pictures of `sendablePath` only; its last question always goes whole
 * @param otherTokens what goes beside the path: the system message, what is typed
 * @param maxPictureTokens most estimated tokens of one picture
 */
export function fitToBudget(
  path: readonly Message[],
  otherTokens: number,
  budgetTokens: number,
  maxPictureTokens = DEFAULT_MAX_PICTURE_TOKENS,
): Fitted {
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  const lastPictures = path.findLastIndex(
    (message, index) => index < lastQuestion && pictureCount(message) > 0,
  );
  const costs = path.map((message) => costOf(message, maxPictureTokens));
  let cost = costs.reduce(sum, NOTHING);
  const isOver = (limit: number) => otherTokens + total(cost) > limit;
  const withoutPictures = new Set<string>();
  let imagesLeftOut = 0;

  for (let index = 0; index < lastQuestion; index++) {
    const message = path[index];
    const pictures = costs[index]?.pictures ?? 0;
    if (message === undefined || pictures === 0 || index === lastPictures) continue;
    if (!isOver(budgetTokens)) break;
    withoutPictures.add(message.id);
    imagesLeftOut += pictureCount(message);
    cost = { ...cost, pictures: cost.pictures - pictures };
  }
  const fixed = otherTokens + cost.pictures + textCost(costs[lastQuestion]);
  // Where the pictures alone are over, leaving out all text would not bring it within the budget.
  const limit = fixed > budgetTokens ? cost.pictures + budgetTokens * TEXT_SHARE : budgetTokens;
  const left = new Set<number>();
  let turnsLeftOut = 0;
  for (let start = 0; start < lastQuestion && isOver(limit);) {
    let end = start + 1;
    while (end < lastQuestion && path[end]?.role !== "user") end++;
    // A turn goes or stays as a whole, but for one whose question brings the pictures.
    const isKept = start <= lastPictures && lastPictures < end;
    for (let index = start; index < end; index++) {
      if (isKept) continue;
      left.add(index);
      const { text, files } = costs[index] ?? NOTHING;
      cost = { ...cost, text: cost.text - text, files: cost.files - files };
    }
    if (!isKept) turnsLeftOut++;
    start = end;
  }
  const fitting = path.filter((_message, index) => !left.has(index));
  return { path: fitting, withoutPictures, turnsLeftOut, imagesLeftOut, cost };
}

function textCost(cost: Cost = NOTHING): number {
  return cost.text + cost.files;
}

/** All estimated tokens together. */
export function total(cost: Cost): number {
  return cost.text + cost.files + cost.pictures;
}

function costOfPart(part: Part, maxPictureTokens: number): Cost {
  switch (part.kind) {
    case "text":
      return { ...NOTHING, text: estimateTextTokens(part.text) };
    case "image":
      return {
        ...NOTHING,
        pictures: estimateImageTokens(part.widthPx, part.heightPx, maxPictureTokens),
      };
    case "image-address":
      return { ...NOTHING, pictures: Math.min(UNKNOWN_PICTURE, maxPictureTokens) };
    case "excerpt":
      return { ...NOTHING, files: estimateTextTokens(part.text + (part.problems ?? "")) };
    case "note":
      return { ...NOTHING, files: estimateTextTokens(part.text) };
    default:
      return part satisfies never;
  }
}

function pictureCount(message: Message): number {
  if (message.role !== "user") return 0;
  return message.parts.filter(isPicture).length;
}

function sum(a: Cost, b: Cost): Cost {
  return { text: a.text + b.text, files: a.files + b.files, pictures: a.pictures + b.pictures };
}
