/**
 * Lists the pictures of a refused request for removal: those of its question first, then those of
 * earlier questions. The tiles of a picture are removed together.
 */
import type { Conversation } from "../../conversation/conversation";
import { pathTo } from "../../conversation/paths";
import {
  isPicture,
  partsOf,
  picturesStart,
  type Part,
  type Reply,
  type UserMessage,
} from "../../conversation/message";
import { pictureKey, sendablePath } from "../../conversation/sendablePath";
import type { RetryOptions } from "../conversation/liveConversation";

/** A picture that can be removed. */
export interface RetryPicture {
  readonly name: string;
  /** Keys of its parts: several for a picture that was sent as tiles. */
  readonly keys: ReadonlySet<string>;
  /** True for a picture of an earlier question. */
  readonly isOlder: boolean;
}

/** Name of a tile: picture, number and count. */
const TILE = /^(.*) \((\d+)\/(\d+)\)$/s;

export function retryPictures(conversation: Conversation, reply: Reply): RetryPicture[] {
  const path = pathTo(conversation, reply.parentId);
  const question = path.at(-1);
  if (question?.role !== "user") return [];
  const ofQuestion = question.parts.filter(isPicture);
  const inRequest = reply.receipt?.pictures?.map((one) =>
    one.kind === "bytes" ? one.hash : one.url,
  );
  const questionKeys = new Set(ofQuestion.map(pictureKey));
  const older = sendablePath(path)
    .path.slice(picturesStart(path), -1)
    .flatMap((message) => partsOf(message).filter(isPicture))
    .filter((part) => inRequest?.includes(pictureKey(part)) !== false)
    .filter((part) => !questionKeys.has(pictureKey(part)) && questionKeys.add(pictureKey(part)));
  return [...grouped(ofQuestion, false), ...grouped(older, true)];
}

function grouped(parts: readonly Part[], isOlder: boolean): RetryPicture[] {
  const groups: { name: string; keys: Set<string>; isOlder: boolean; nextTile: string }[] = [];
  for (const part of parts) {
    const name = part.kind === "image" ? part.name : pictureKey(part);
    const [, whole = name, index = "", count = ""] = TILE.exec(name) ?? [];
    const last = groups.at(-1);
    const tiles = part.kind === "image" ? part.overviewOfTiles : undefined;
    const nextTile =
      tiles !== undefined
        ? `${name} (1/${tiles})`
        : index === ""
          ? ""
          : `${whole} (${Number(index) + 1}/${count})`;
    if (last && last.nextTile === name) {
      last.keys.add(pictureKey(part));
      last.nextTile = nextTile;
    } else {
      const isTile = index === "1" && count !== "1";
      const shownName = isTile ? whole : name;
      groups.push({ name: shownName, keys: new Set([pictureKey(part)]), isOlder, nextTile });
    }
  }
  return groups;
}

/**
 * Returns the parts and options that replace a refused question.
 * @param index index in `retryPictures`, for "remove"
 */
export function retriedQuestion(
  conversation: Conversation,
  reply: Reply,
  question: UserMessage,
  how: "smaller" | "without" | "remove",
  index: number | undefined,
): { readonly parts: readonly Part[]; readonly options: RetryOptions } {
  const pictures = retryPictures(conversation, reply);
  const hasOwn = pictures.some(({ isOlder }) => !isOlder);
  const removed = how === "remove" ? pictures[index ?? -1] : undefined;
  const isRemoved = (part: Part) =>
    how === "without" ? isPicture(part) : removed?.keys.has(pictureKey(part)) === true;
  const parts = removed?.isOlder
    ? question.parts
    : question.parts.filter((part) => !(isPicture(part) && isRemoved(part)));
  const leavesPictures = [
    ...(question.leavesPictures ?? []),
    ...(removed?.isOlder ? removed.keys : []),
  ];
  const leavesOlder = (how === "without" && !hasOwn) || question.leavesOlderPictures === true;
  return {
    parts,
    options: {
      ...(leavesOlder && { leavesOlderPictures: true }),
      // Later questions still include older pictures that the service accepted before.
      ...(how === "without" && hasOwn && { goesWithoutOlderPictures: true }),
      ...(leavesPictures.length > 0 && { leavesPictures }),
      modelKind: reply.modelKind,
    },
  };
}
