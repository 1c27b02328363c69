/**
 * Fits a conversation into the token budget. The question is always sent, and so are the pictures of
 * the last question that had any, because a follow-up is about them. Older pictures are left out first,
 * then the oldest turns. More is left out than needed, so that the next questions fit as well: services
 * read a request faster that begins with the bytes of the one before.
 */
import type { Message, Part, RelatedPart } from "../conversation/message";
import { isPicture, isWithdrawn } from "../conversation/message";
import { isDescription } from "./describePictures";
import {
  ESTIMATED_TOKENS,
  estimateImageTokens,
  estimateTextTokens,
  textTokensOf,
  type PictureTokens,
} from "../base/tokens";

/** Estimated tokens by kind of content. */
export interface Cost {
  readonly text: number;
  readonly files: number;
  readonly pictures: number;
}

export interface Fitted {
  /** Messages to send, oldest first; turns are left out as a whole. */
  readonly path: readonly Message[];
  /** Ids of messages that are sent without their pictures. */
  readonly withoutPictures: ReadonlySet<string>;
  readonly turnsLeftOut: number;
  readonly imagesLeftOut: number;
  /** Estimate for everything to send. */
  readonly cost: Cost;
}

export const NOTHING: Cost = { text: 0, files: 0, pictures: 0 };

/** Estimate for a picture by address, whose size is unknown: that of a full-HD picture. */
const unknownPicture = (tokens: PictureTokens) => estimateImageTokens(1920, 1080, tokens);

/**
 * Limit of all pictures of a request. Their base64 text, a third longer, must fit into a single
 * string: at most 512 MiB in V8.
 */
export const MAX_REQUEST_PICTURE_BYTES = 256 * 1024 * 1024;

/** Share of the budget for text when the pictures alone exceed the budget. */
const TEXT_SHARE = 1 / 4;

/** Share of the room for earlier messages that is filled after some were left out. */
const FILLED_SHARE = 0.7;

export function costOf(message: Message, pictureTokens = ESTIMATED_TOKENS): Cost {
  return message.role === "assistant"
    ? { ...NOTHING, text: isWithdrawn(message) ? 0 : textTokensOf(message) }
    : message.parts.map((part) => costOfPart(part, pictureTokens)).reduce(sum, NOTHING);
}

interface FitOptions {
  /** Returns true for a message that is never left out. */
  readonly isFixed?: (index: number) => boolean;
  /** True to leave out what is left out next, when the budget will be full. */
  readonly isNext?: boolean;
}

/**
 * Leaves out older pictures and turns if the path is over the budget.
 * @param path oldest first, with the pictures of `sendablePath` only; its last question is never
 * shortened
 * @param otherTokens estimate for the system message and other text outside the path
 * @param pictureTokens tokens of pictures at the service
 */
export function fitToBudget(
  path: readonly Message[],
  otherTokens: number,
  budgetTokens: number,
  pictureTokens = ESTIMATED_TOKENS,
  { isFixed = () => false, isNext = false }: FitOptions = {},
): Fitted {
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  const lastPictures = path.findLastIndex(
    (message, index) => index < lastQuestion && pictureCount(message) > 0,
  );
  const costs = path.map((message) => costOf(message, pictureTokens));
  let cost = costs.reduce(sum, NOTHING);
  const withoutPictures = new Set<string>();
  let imagesLeftOut = 0;
  const pictures = (costs[lastPictures]?.pictures ?? 0) + (costs[lastQuestion]?.pictures ?? 0);
  const fixedOnes = costs.filter((_cost, index) => index < lastQuestion && isFixed(index));
  const fixed =
    otherTokens +
    pictures +
    textCost(costs[lastQuestion]) +
    textCost(fixedOnes.reduce(sum, NOTHING));
  // Pictures that exceed the budget alone would otherwise push out all text, to no effect.
  const limit = fixed > budgetTokens ? pictures + budgetTokens * TEXT_SHARE : budgetTokens;
  const isFull = otherTokens + total(cost) > limit;
  const filled = Math.min(limit, isNext ? otherTokens + total(cost) : limit);
  const isCut = isFull || isNext;
  const aim = isCut ? filled - (1 - FILLED_SHARE) * Math.max(0, limit - fixed) : limit;
  const isOver = () => otherTokens + total(cost) > aim;

  for (let index = 0; index < lastQuestion && isOver(); index++) {
    const message = path[index];
    const tokens = costs[index]?.pictures ?? 0;
    if (message === undefined || tokens === 0 || index === lastPictures || isFixed(index)) continue;
    withoutPictures.add(message.id);
    imagesLeftOut += pictureCount(message);
    cost = { ...cost, pictures: cost.pictures - tokens };
  }
  const left = new Set<number>();
  let turnsLeftOut = 0;
  for (let start = 0; start < lastQuestion && isOver();) {
    let end = start + 1;
    while (end < lastQuestion && path[end]?.role !== "user") end++;
    // Turns are left out as a whole, except the turn with the last pictures.
    const isKept = start <= lastPictures && lastPictures < end;
    let isLeftOut = false;
    for (let index = start; index < end; index++) {
      if (isKept || isFixed(index)) continue;
      isLeftOut = true;
      left.add(index);
      const { text, files } = costs[index] ?? NOTHING;
      cost = { ...cost, text: cost.text - text, files: cost.files - files };
    }
    if (isLeftOut) turnsLeftOut++;
    start = end;
  }
  const fitting = path.filter((_message, index) => !left.has(index));
  return { path: fitting, withoutPictures, turnsLeftOut, imagesLeftOut, cost };
}

function textCost(cost: Cost = NOTHING): number {
  return cost.text + cost.files;
}

export function total(cost: Cost): number {
  return cost.text + cost.files + cost.pictures;
}

/** Returns the estimate for declarations, callers or tests. */
export function relatedTokens({ items }: RelatedPart): number {
  return items.reduce((sum, item) => sum + textTokensOf(item), 0);
}

function costOfPart(part: Part, pictureTokens: PictureTokens): Cost {
  switch (part.kind) {
    case "text": {
      const tokens = textTokensOf(part);
      return { ...NOTHING, [isDescription(part) ? "pictures" : "text"]: tokens };
    }
    case "image":
      return {
        ...NOTHING,
        pictures: estimateImageTokens(part.widthPx, part.heightPx, pictureTokens),
      };
    case "image-address":
      return { ...NOTHING, pictures: unknownPicture(pictureTokens) };
    case "excerpt":
      return { ...NOTHING, files: textTokensOf(part) + estimateTextTokens(part.problems ?? "") };
    case "related":
      return { ...NOTHING, files: relatedTokens(part) };
    case "note":
      return { ...NOTHING, files: textTokensOf(part) };
    default:
      return part satisfies never;
  }
}

function pictureCount(message: Message): number {
  if (message.role !== "user") return 0;
  return message.parts.filter(isPicture).length;
}

export function sum(a: Cost, b: Cost): Cost {
  return { text: a.text + b.text, files: a.files + b.files, pictures: a.pictures + b.pictures };
}
