/** Stores what replies and errors showed about a model, by the host of its service and its code. */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { defined } from "../../base/defined";
import { Emitter } from "../../base/event";
import { estimateTextTokens } from "../../base/tokens";
import type { ChatRequest, ServiceFailure } from "../../service/types";

const MODELS_KEY = "coreChat.knownModels";

/** Upper limit of stored models; those not changed for longest are dropped. */
const MAX_MODELS = 100;

/** Tokens kept free for the reply of a request without `max_tokens`. Source: specification, 2.1. */
const REPLY_TOKENS = 3_000;

/** A budget is no smaller than the setting allows. */
const MIN_BUDGET_TOKENS = 1_000;

const toolSupportSchema = z.enum(["works", "ignored", "refused"]);
export type ToolSupport = z.infer<typeof toolSupportSchema>;

const modelSchema = z.object({
  /** True if the chat template begins inside the thinking. */
  isThinkingFirst: z.optional(z.boolean()),
  /** Estimated tokens of a request that the model still reads. */
  budgetTokens: z.optional(z.number()),
  /** Result of a request with a tool; missing if unknown. */
  tools: z.optional(toolSupportSchema),
});
type KnownModel = z.infer<typeof modelSchema>;

const modelsSchema = z.record(z.string(), modelSchema);

export class KnownModels {
  private readonly changes = new Emitter<void>();

  readonly onChanged = this.changes.event;

  /** `storage` is the user's, so that a model is known in all workspaces. */
  constructor(private readonly storage: vscode.Memento) {}

  get(host: string, modelCode: string): KnownModel {
    return this.stored()[`${host} ${modelCode}`] ?? {};
  }

  /** Changes what is known of a model; undefined removes a value. */
  note(
    host: string,
    modelCode: string,
    values: { readonly [K in keyof KnownModel]: KnownModel[K] | undefined },
  ): void {
    const stored: KnownModel = this.get(host, modelCode);
    if (Object.entries(values).every(([key, value]) => stored[key as keyof KnownModel] === value))
      return;
    const key = `${host} ${modelCode}`;
    const models = Object.entries(this.stored()).filter(([other]) => other !== key);
    models.push([key, defined({ ...stored, ...values })]);
    void this.storage.update(MODELS_KEY, Object.fromEntries(models.slice(-MAX_MODELS)));
    this.changes.fire();
  }

  /**
   * Lowers the budget of a model that refused a request as too long. The new budget is below the limit
   * of the service, and below the estimate for this request, because estimates differ from counts.
   */
  noteFailure(host: string, request: ChatRequest, failure: ServiceFailure): void {
    if (failure.kind !== "status" && failure.kind !== "reported") return;
    if (failure.about !== "context") return;
    const { limitTokens = Infinity } = failure;
    const { maxTokens = REPLY_TOKENS } = request.sampling;
    const forReply = Math.min(maxTokens, limitTokens / 2);
    const budgetTokens = Math.floor(
      Math.min(0.95 * (limitTokens - forReply), 0.85 * estimateOf(request)),
    );
    if (budgetTokens === Infinity) return;
    const { modelCode } = request;
    this.note(host, modelCode, { budgetTokens: Math.max(MIN_BUDGET_TOKENS, budgetTokens) });
  }

  private stored(): Readonly<Record<string, KnownModel>> {
    const parsed = modelsSchema.safeParse(this.storage.get(MODELS_KEY));
    return parsed.success ? parsed.data : {};
  }
}

/** Returns the estimated tokens of a request; infinite for pictures without an estimate. */
function estimateOf({ messages, estimatedTokens }: ChatRequest): number {
  if (estimatedTokens !== undefined) return estimatedTokens;
  const parts = messages.flatMap((message) => message.parts);
  return parts
    .map((part) => (part.type === "text" ? estimateTextTokens(part.text) : Infinity))
    .reduce((sum, tokens) => sum + tokens, 0);
}
