/** Stores the models whose chat template begins inside the thinking, learned from their replies. */
import type * as vscode from "vscode";
import * as z from "zod/mini";

/** Storage key of the models, each with the host of its service. */
const MODELS_KEY = "coreChat.modelsThinkingFirst";

/** Upper limit of stored models; the oldest are dropped. */
const MAX_MODELS = 100;

const modelsSchema = z.array(z.string());

export class ThinkingModels {
  /** `storage` is the user's, so that a model is learned once for all workspaces. */
  constructor(private readonly storage: vscode.Memento) {}

  has(host: string, modelCode: string): boolean {
    return this.stored().includes(`${host} ${modelCode}`);
  }

  /** Adds a model, or removes a model whose last reply began with its answer. */
  learn(host: string, modelCode: string, isThinkingFirst: boolean): void {
    if (this.has(host, modelCode) === isThinkingFirst) return;
    const others = this.stored().filter((model) => model !== `${host} ${modelCode}`);
    const models = isThinkingFirst ? [...others, `${host} ${modelCode}`] : others;
    void this.storage.update(MODELS_KEY, models.slice(-MAX_MODELS));
  }

  private stored(): readonly string[] {
    const parsed = modelsSchema.safeParse(this.storage.get(MODELS_KEY));
    return parsed.success ? parsed.data : [];
  }
}
