/**
 * The user's choices of what is sent: messages that are left out, and summaries in place of older
 * messages. Choices name messages, so they hold for each path and request with these messages.
 */
import * as z from "zod/mini";
import { variant } from "./ending";
import { isPicture, isPictureNote, type Message } from "./message";
import { pictureKey } from "./sendablePath";

const id = z.string();
/** Last message of the shown path when the user chose. */
const atId = z.nullable(z.string());
/** Every message from the first one to the last that the summary replaces, oldest first. */
const covers = z.array(z.object({ messageId: z.string() }));

export const sendingStepSchemas = [
  /**
   * Null sends the message again. Earlier versions also left out single pictures, by hash or address, and
   * wrote "kept", which does not leave out.
   */
  variant("sending-chosen", {
    id,
    atId,
    messageId: z.string(),
    picture: z.optional(z.string()),
    choice: z.nullable(z.enum(["left-out", "kept"])),
  }),
  variant("summary-used", { id, atId, covers, text: z.string() }),
  /** Removes a choice or a summary, as if the user had not made it. */
  variant("sending-undone", { id }),
  /** Sets the summary that the user has not used yet; without messages there is none. */
  variant("summary-drafted", {
    covers,
    text: z.string(),
    /** True if the service ended the text before its end. */
    isCut: z.optional(z.boolean()),
  }),
] as const;
export type SendingStep = z.infer<(typeof sendingStepSchemas)[number]>;
export type ChosenStep = Extract<SendingStep, { kind: "sending-chosen" }>;
export type SummaryStep = Extract<SendingStep, { kind: "summary-used" }>;
type SendingEntry = ChosenStep | SummaryStep;
export type SummaryDraft = Omit<Extract<SendingStep, { kind: "summary-drafted" }>, "kind">;

export interface Sending {
  /** In the order in which they were made. */
  readonly entries: readonly SendingEntry[];
  /** Ids of undone entries, so that a repeated record does not restore one. */
  readonly undone: ReadonlySet<string>;
  readonly draft?: SummaryDraft;
}

const NOTHING: Sending = { entries: [], undone: new Set() };

/** Applies a step; steps that were applied before change nothing. */
export function applySending(sending: Sending = NOTHING, step: SendingStep): Sending {
  const { entries, undone } = sending;
  switch (step.kind) {
    case "sending-chosen":
    case "summary-used":
      if (undone.has(step.id) || entries.some((entry) => entry.id === step.id)) return sending;
      return { ...sending, entries: [...entries, step] };
    case "sending-undone":
      return {
        ...sending,
        entries: entries.filter((entry) => entry.id !== step.id),
        undone: new Set([...undone, step.id]),
      };
    case "summary-drafted": {
      const { covers: covered, text, isCut } = step;
      const draft = { covers: covered, text, ...(isCut && { isCut }) };
      return { entries, undone, ...(covered.length > 0 && { draft }) };
    }
    default:
      return step satisfies never;
  }
}

/** Returns the choices with those that another window wrote. */
export function withSteps(
  sending: Sending | undefined,
  written: Sending | undefined,
): Sending | undefined {
  return written === undefined
    ? sending
    : sendingSteps(written).reduce(applySending, sending ?? NOTHING);
}

/** Removes what was made of a message whose content the user removed for good. */
export function withoutForgotten(sending: Sending, messageId: string): Sending {
  const { entries, undone, draft } = sending;
  const isOf = (one: { readonly covers: SummaryDraft["covers"] }) =>
    one.covers.some((covered) => covered.messageId === messageId);
  return {
    entries: entries.filter((entry) =>
      entry.kind === "summary-used" ? !isOf(entry) : entry.messageId !== messageId,
    ),
    undone,
    ...(draft && !isOf(draft) && { draft }),
  };
}

export function sendingSteps({ entries, undone, draft }: Sending): SendingStep[] {
  return [
    ...entries,
    ...[...undone].map((undoneId) => ({ kind: "sending-undone" as const, id: undoneId })),
    ...(draft ? [{ kind: "summary-drafted" as const, ...draft }] : []),
  ];
}

/** Choices that a request follows. */
export interface SendingState {
  /** @param picture hash or address; missing for the message itself */
  readonly isLeftOut: (messageId: string, picture?: string) => boolean;
  /** Summary in place of the first messages of the path. */
  readonly summary: SummaryStep | undefined;
  /** Number of those messages. */
  readonly coveredCount: number;
}

/**
 * Returns the choices for a path. A summary holds only while exactly its messages would be sent: its text
 * must not have a message that is left out, nor lack one that is sent again.
 * @param path oldest first
 */
export function sendingState(path: readonly Message[], sending: Sending | undefined): SendingState {
  const leftOut = leftOutKeys(sending);
  const isLeftOut = (messageId: string, picture?: string) =>
    leftOut.has(messageId) || (picture !== undefined && leftOut.has(keyOf(messageId, picture)));
  const countOf = ({ covers: covered }: SummaryStep): number => {
    const ids = new Set(covered.map(({ messageId }) => messageId));
    const lastId = covered.at(-1)?.messageId;
    const count = path.findIndex((message) => message.id === lastId) + 1;
    const isSame = path
      .slice(0, count)
      .every(({ id: own, isForgotten }) => isForgotten === true || ids.has(own) !== isLeftOut(own));
    return isSame ? count : 0;
  };
  const summaries = sending?.entries.filter((entry) => entry.kind === "summary-used") ?? [];
  const summary = summaries.findLast((entry) => countOf(entry) > 0);
  return { isLeftOut, summary, coveredCount: summary ? countOf(summary) : 0 };
}

/** Returns the ids of messages, and the keys of their pictures, that are left out. */
function leftOutKeys(sending: Sending | undefined): ReadonlySet<string> {
  const leftOut = new Set<string>();
  for (const entry of sending?.entries ?? []) {
    if (entry.kind !== "sending-chosen") continue;
    const key = keyOf(entry.messageId, entry.picture);
    if (entry.choice === "left-out") leftOut.add(key);
    else leftOut.delete(key);
  }
  return leftOut;
}

/** Returns the steps that leave a message out, or send it again with its pictures; none without effect. */
export function leftOutSteps(
  sending: Sending | undefined,
  message: Message,
  isOut: boolean,
  entry: { readonly newId: () => string; readonly atId: string | null },
): ChosenStep[] {
  const leftOut = leftOutKeys(sending);
  const pictures = message.role === "user" ? message.parts.filter(isPicture).map(pictureKey) : [];
  const all = isOut ? [undefined] : [undefined, ...new Set(pictures)];
  const { atId } = entry;
  return all
    .filter((picture) => leftOut.has(keyOf(message.id, picture)) !== isOut)
    .map((picture) => ({
      kind: "sending-chosen",
      id: entry.newId(),
      atId,
      messageId: message.id,
      ...(picture !== undefined && { picture }),
      choice: isOut ? "left-out" : null,
    }));
}

/** Lines in place of messages. Sent, never stored. */
export const QUESTION_LEFT_OUT = "(The question is left out.)";
const ANSWER_LEFT_OUT = "(The answer is left out.)";

/** Returns the path with a line in place of each message that is left out, and without left-out pictures. */
export function withoutLeftOut(
  path: readonly Message[],
  { isLeftOut }: Pick<SendingState, "isLeftOut">,
): readonly Message[] {
  return path.map((message) => {
    const isWhole = isLeftOut(message.id);
    if (message.role === "assistant") {
      if (!isWhole || message.text === "") return message;
      return { ...message, text: ANSWER_LEFT_OUT, thinking: undefined, pictures: undefined };
    }
    const parts = message.parts.filter((part, index) => {
      const picture = isPictureNote(part)
        ? message.parts.slice(0, index).findLast(isPicture)
        : part;
      return picture === undefined || !isLeftOut(message.id, pictureKey(picture));
    });
    if (!isWhole && parts.length === message.parts.length) return message;
    if (!isWhole && parts.length > 0) return { ...message, parts };
    return { ...message, parts: [{ kind: "text", text: QUESTION_LEFT_OUT }] };
  });
}

/** Returns the path without the pictures of earlier questions that no request has any more. */
export function withoutUnsentPictures(
  path: readonly Message[],
  sending: Sending | undefined,
): readonly Message[] {
  if (sending === undefined) return path;
  const state = sendingState(path, sending);
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  return withoutLeftOut(path, state).map((message, index) => {
    const isSent = index === lastQuestion || index >= state.coveredCount;
    if (message.role !== "user" || isSent) return message;
    return { ...message, parts: message.parts.filter((part) => !isPicture(part)) };
  });
}

function keyOf(messageId: string, picture: string | undefined): string {
  return picture === undefined ? messageId : `${messageId}\n${picture}`;
}
