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

  add(host: string, modelCode: string): void {
    if (this.has(host, modelCode)) return;
    const models = [...this.stored(), `${host} ${modelCode}`].slice(-MAX_MODELS);
    void this.storage.update(MODELS_KEY, models);
  }

  private stored(): readonly string[] {
    const parsed = modelsSchema.safeParse(this.storage.get(MODELS_KEY));
    return parsed.success ? parsed.data : [];
  }
}
