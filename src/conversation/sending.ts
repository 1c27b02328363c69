/**
 * The user's choices of what is sent: messages and pictures that are left out or always sent, and
 * summaries in place of older messages. Each choice names the end of the shown path when it was made,
 * so that the requests of earlier questions are still computed without it.
 */
import * as z from "zod/mini";
import { isPicture, type Message } from "./message";
import { pictureKey } from "./sendablePath";

export const sendChoiceSchema = z.enum(["left-out", "kept"]);
export type SendChoice = z.infer<typeof sendChoiceSchema>;

const id = z.string();
/** Last message of the shown path when the user chose. */
const atId = z.nullable(z.string());
/** Every message from the first one to the last that the summary replaces, oldest first. */
const covers = z.array(z.object({ messageId: z.string() }));

/** Steps of a conversation. */
export const sendingStepSchemas = [
  /** `picture` is the hash or address of a picture of the message; null sends as usual again. */
  z.object({
    kind: z.literal("sending-chosen"),
    id,
    atId,
    messageId: z.string(),
    picture: z.optional(z.string()),
    choice: z.nullable(sendChoiceSchema),
  }),
  z.object({ kind: z.literal("summary-used"), id, atId, covers, text: z.string() }),
  /** Removes a choice or a summary, as if the user had not made it. */
  z.object({ kind: z.literal("sending-undone"), id }),
  /** Sets the summary that the user has not used yet; without messages there is none. */
  z.object({
    kind: z.literal("summary-drafted"),
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

/** Choices of a conversation. */
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

/** Returns the steps that recreate the choices. */
export function sendingSteps({ entries, undone, draft }: Sending): SendingStep[] {
  return [
    ...entries,
    ...[...undone].map((undoneId) => ({ kind: "sending-undone" as const, id: undoneId })),
    ...(draft ? [{ kind: "summary-drafted" as const, ...draft }] : []),
  ];
}

/** Choices that apply to a path. */
export interface PathSending {
  readonly entries: readonly PathEntry[];
}

interface PathEntry {
  readonly entry: SendingEntry;
  /** Index of the first message of the path whose request follows the choice. */
  readonly from: number;
}

/**
 * Returns the choices for a path of this conversation; undefined if there are none.
 * @param path oldest first
 */
export function pathSending(
  {
    messages,
    sending,
  }: { readonly messages: ReadonlyMap<string, Message>; readonly sending?: Sending },
  path: readonly Message[],
): PathSending | undefined {
  if (sending === undefined || sending.entries.length === 0) return undefined;
  const indices = new Map(path.map((message, index) => [message.id, index]));
  const fromOf = (chosenAt: string | null): number => {
    const seen = new Set<string>();
    // A choice on another branch holds from where the branches part.
    for (let at = chosenAt; at !== null && !seen.has(at); at = messages.get(at)?.parentId ?? null) {
      const index = indices.get(at);
      if (index !== undefined) return index + 1;
      seen.add(at);
    }
    return 0;
  };
  return { entries: sending.entries.map((entry) => ({ entry, from: fromOf(entry.atId) })) };
}

/** Choices that a request follows. */
export interface SendingState {
  /** @param picture hash or address; missing for the message itself */
  readonly choiceOf: (messageId: string, picture?: string) => SendChoice | undefined;
  /** Summary in place of the first messages of the path. */
  readonly summary: SummaryStep | undefined;
  /** Number of those messages. */
  readonly coveredCount: number;
}

/**
 * Returns the choices for the request of the message at this index. A summary holds only for a path with
 * all its messages, and not while one of them is left out: its text contains them.
 */
export function sendingStateAt(
  path: readonly Message[],
  sending: PathSending | undefined,
  index: number,
): SendingState {
  const choices = new Map<string, SendChoice | undefined>();
  const summaries: SummaryStep[] = [];
  for (const { entry, from } of sending?.entries ?? []) {
    if (from > index) continue;
    if (entry.kind === "summary-used") summaries.push(entry);
    else choices.set(keyOf(entry.messageId, entry.picture), entry.choice ?? undefined);
  }
  const choiceOf = (messageId: string, picture?: string) => choices.get(keyOf(messageId, picture));
  let coveredCount = 0;
  const summary = summaries.findLast(({ covers: covered }) => {
    const lastId = covered.at(-1)?.messageId;
    coveredCount = path.findIndex((message) => message.id === lastId) + 1;
    const areSent = covered.every(({ messageId }) => choiceOf(messageId) !== "left-out");
    if (!areSent) coveredCount = 0;
    return coveredCount > 0;
  });
  return { choiceOf, summary, coveredCount };
}

/** Returns the path without the pictures of earlier questions that no request has any more. */
export function withoutUnsentPictures(
  path: readonly Message[],
  sending: PathSending | undefined,
): readonly Message[] {
  if (sending === undefined) return path;
  const { choiceOf, coveredCount } = sendingStateAt(path, sending, path.length);
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  return path.map((message, index) => {
    if (message.role !== "user" || index === lastQuestion) return message;
    const parts = message.parts.filter((part) => {
      const choice = choiceOf(message.id, pictureKey(part)) ?? choiceOf(message.id);
      return !isPicture(part) || choice === "kept" || (!choice && index >= coveredCount);
    });
    return { ...message, parts };
  });
}

function keyOf(messageId: string, picture: string | undefined): string {
  return picture === undefined ? messageId : `${messageId}\n${picture}`;
}
