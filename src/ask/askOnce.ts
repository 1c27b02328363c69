/** Asks once: collects a reply that is no turn of a conversation, up to its ending. */
import type { TurnEvent } from "./ask";

type TurnEnded = Extract<TurnEvent, { readonly type: "turn-ended" }>;

export interface Answer extends Omit<TurnEnded, "type"> {
  /** Text without thinking; empty for a withdrawn reply. */
  readonly text: string;
  readonly hasThought: boolean;
  /** True for a reply that the service withheld. */
  readonly isWithdrawn: boolean;
}

/**
 * Collects the text of a reply, from the start again when it proves to be thinking.
 * @param received called after each event, with the text so far
 * @param before text of an earlier turn that the reply continues
 */
export async function askOnce(
  events: AsyncIterable<TurnEvent>,
  received: (event: TurnEvent, text: string) => void = () => undefined,
  before = "",
): Promise<Answer> {
  let text = before;
  let hasThought = false;
  let ended: Omit<TurnEnded, "type"> = { ending: { kind: "stopped" } };
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "text-was-reasoning") text = "";
    else if (event.type === "turn-ended") ended = event;
    hasThought ||= event.type === "reasoning-delta" || event.type === "text-was-reasoning";
    received(event, text);
  }
  const { ending } = ended;
  const isWithdrawn = ending.kind === "withheld" && !ending.isTextKept;
  return { ...ended, text: isWithdrawn ? "" : text, hasThought, isWithdrawn };
}
