/**
 * What of a conversation fits into the token budget: the oldest pictures are left out first, then
 * the oldest turns; the question itself always goes.
 */
import type { Message, Part } from "../conversation/message";
import { isPicture, isWithdrawn, picturesStart } from "../conversation/message";
import { estimateImageTokens, estimateTextTokens } from "./tokens";

/** Estimated tokens, by what they are spent on. */
export interface Cost {
  readonly text: number;
  readonly files: number;
  readonly pictures: number;
}

/** What goes, and what does not. */
export interface Fitted {
  /** The end of the path that goes; older turns are left out as a whole. */
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

/** Messages do not change once they have ended, so each is estimated once. */
const known = new WeakMap<Message, Cost>();

/** What a message is estimated to cost. */
export function costOf(message: Message): Cost {
  const before = known.get(message);
  if (before !== undefined) return before;
  const cost =
    message.role === "assistant"
      ? { ...NOTHING, text: isWithdrawn(message) ? 0 : estimateTextTokens(message.text) }
      : message.parts.map(costOfPart).reduce(sum, NOTHING);
  known.set(message, cost);
  return cost;
}

/**
 * @param path oldest first; its last question always goes whole
 * @param otherTokens what goes beside the path: the system message, what is typed
 */
export function fitToBudget(
  path: readonly Message[],
  otherTokens: number,
  budgetTokens: number,
): Fitted {
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  const costs = path.map(costOf);
  let cost = costs.reduce(sum, NOTHING);
  const isOver = () => otherTokens + total(cost) > budgetTokens;
  const withoutPictures = new Set<string>();
  let imagesLeftOut = 0;

  const allowedFrom = picturesStart(path);
  for (let index = 0; index < lastQuestion && (index < allowedFrom || isOver()); index++) {
    const message = path[index];
    const pictures = costs[index]?.pictures ?? 0;
    if (message === undefined || pictures === 0) continue;
    withoutPictures.add(message.id);
    imagesLeftOut += pictureCount(message);
    cost = { ...cost, pictures: cost.pictures - pictures };
  }
  let start = 0;
  let turnsLeftOut = 0;
  while (start < lastQuestion && isOver()) {
    // A turn goes or stays as a whole: its question and every reply up to the next question.
    do {
      const { text, files } = costs[start] ?? NOTHING;
      cost = { ...cost, text: cost.text - text, files: cost.files - files };
      start++;
    } while (start < lastQuestion && path[start]?.role !== "user");
    turnsLeftOut++;
  }
  return { path: path.slice(start), withoutPictures, turnsLeftOut, imagesLeftOut, cost };
}

/** All estimated tokens together. */
export function total(cost: Cost): number {
  return cost.text + cost.files + cost.pictures;
}

function costOfPart(part: Part): Cost {
  switch (part.kind) {
    case "text":
      return { ...NOTHING, text: estimateTextTokens(part.text) };
    case "image":
      return { ...NOTHING, pictures: estimateImageTokens(part.widthPx, part.heightPx) };
    case "image-address":
      return { ...NOTHING, pictures: UNKNOWN_PICTURE };
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
