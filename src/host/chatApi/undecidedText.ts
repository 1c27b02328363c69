/**
 * Keeps thinking out of the text that VS Code's chat and other extensions receive. Some chat templates
 * begin inside the thinking, so a reply's text turns out to be thinking at its closing tag. Reported
 * text cannot be taken back; text is therefore held back for models that did so before. The first
 * such reply of a model shows that thinking, because all other models must stream at once.
 */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { TurnEvent } from "../../ask/ask";

/** Storage key of the models that begin inside the thinking, each with the host of its service. */
const MODELS_KEY = "coreChat.modelsThinkingFirst";

/** Upper limit of stored models; the oldest are dropped. */
const MAX_MODELS = 100;

const modelsSchema = z.array(z.string());

/** Events in which no text is taken back. */
export type DecidedEvent = Exclude<TurnEvent, { readonly type: "text-was-reasoning" }>;

/** Yields the events of a turn; text of a model that thinks first is held until it is decided. */
export async function* withDecidedText(
  events: AsyncIterable<TurnEvent>,
  memory: vscode.Memento | undefined,
): AsyncGenerator<DecidedEvent, void, void> {
  let model = "";
  let held: string | undefined;
  for await (const event of events) {
    switch (event.type) {
      case "request-sent":
        model = `${event.receipt.host} ${event.receipt.modelCode}`;
        if (storedModels(memory).includes(model)) held ??= "";
        yield event;
        break;
      case "text-delta":
        if (held === undefined) yield event;
        else held += event.text;
        break;
      case "text-was-reasoning":
        void memory?.update(MODELS_KEY, withModel(storedModels(memory), model));
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

function storedModels(memory: vscode.Memento | undefined): readonly string[] {
  const parsed = modelsSchema.safeParse(memory?.get(MODELS_KEY));
  return parsed.success ? parsed.data : [];
}

function withModel(models: readonly string[], model: string): string[] {
  return [...models.filter((other) => other !== model), model].slice(-MAX_MODELS);
}
