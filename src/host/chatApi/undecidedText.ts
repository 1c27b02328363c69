/**
 * Keeps thinking out of the text that VS Code's chat and other extensions receive. Some chat templates
 * begin inside the thinking, so a reply's text turns out to be thinking at its closing tag. Reported
 * text cannot be taken back; text is therefore held back for models whose last complete reply did so, in
 * the panel, an edit or a connection test too. All other models stream at once.
 */
import type { TurnEvent } from "../../ask/ask";
import type { KnownModels } from "../settings/knownModels";

/** Events in which no text is taken back. */
export type DecidedEvent = Exclude<TurnEvent, { readonly type: "text-was-reasoning" }>;

/** Yields the events of a turn; text of a model that thinks first is held until it is decided. */
export async function* withDecidedText(
  events: AsyncIterable<TurnEvent>,
  models: Pick<KnownModels, "get">,
): AsyncGenerator<DecidedEvent, void, void> {
  let held: string | undefined;
  for await (const event of events) {
    switch (event.type) {
      case "request-sent": {
        const { host, modelCode } = event.receipt;
        if (models.get(host, modelCode).isThinkingFirst) held ??= "";
        yield event;
        break;
      }
      case "text-delta":
        if (held === undefined) yield event;
        else held += event.text;
        break;
      case "text-was-reasoning":
        if (held) yield { type: "reasoning-delta", text: held };
        held = undefined;
        break;
      case "reasoning-delta":
      case "turn-ended":
        if (held) yield { type: "text-delta", text: held };
        held = undefined;
        yield event;
        break;
      default:
        yield event;
    }
  }
}
