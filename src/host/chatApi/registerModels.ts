/**
 * Offers the models to other extensions and to VS Code's own chat. The provider's own file is read
 * when VS Code first asks for a model.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { LANGUAGE_MODEL_VENDOR, SETTINGS_SECTION } from "../platform/contributions";
import type { ModelProviderOptions } from "./provider";

/** Settings that decide which models there are. */
const MODEL_SETTINGS = ["baseUrl", "profiles", "models", "context.budget"].map(
  (name) => `${SETTINGS_SECTION}.${name}`,
);

/** Switched off only by the user's own settings: it is their key that is used. */
function isOffering(): boolean {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return section.inspect("offerModels")?.globalValue !== false;
}

/** The offer; it ends when it is disposed. */
export interface ModelOffer extends Disposable {
  /**
   * Has VS Code's chat list the models. It asks for those of a provider only when one is told to have
   * changed or was chosen before, and no participant is heard there without a model.
   */
  readonly announce: () => void;
}

/**
 * Offers the models until disposed.
 * @param ports asked for when a model is first wanted
 * @param onSecretsChanged may tell of secrets of every kind
 */
export function registerLanguageModels(
  ports: () => Promise<ModelProviderOptions>,
  onSecretsChanged: vscode.Event<unknown>,
): ModelOffer {
  const owned = new Disposables();
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(onSecretsChanged(() => changes.fire()));
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (MODEL_SETTINGS.some((name) => event.affectsConfiguration(name))) changes.fire();
    }),
  );
  const provider = lazily(async () => {
    const { ModelProvider } = await import("./provider");
    return new ModelProvider(await ports());
  });
  const register = () =>
    vscode.lm.registerLanguageModelChatProvider(LANGUAGE_MODEL_VENDOR, {
      onDidChangeLanguageModelChatInformation: changes.event,
      provideLanguageModelChatInformation: async (options) => {
        if (!isOffering()) return [];
        return (await provider()).information(options);
      },
      provideLanguageModelChatResponse: async (...asked) => {
        // A model that was listed before the setting was switched off may still be asked.
        if (!isOffering()) throw vscode.LanguageModelError.NoPermissions();
        await (await provider()).respond(...asked);
      },
      provideTokenCount: async (_model, text) => (await provider()).countTokens(text),
    });
  let registration: vscode.Disposable | undefined;
  const follow = () => {
    if (isOffering()) {
      registration ??= register();
      return;
    }
    // VS Code forgets the models it has listed when it is told that there are none.
    if (registration !== undefined) changes.fire();
    registration?.dispose();
    registration = undefined;
  };
  follow();
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(`${SETTINGS_SECTION}.offerModels`)) return;
      follow();
      changes.fire();
    }),
  );
  owned.add({ dispose: () => void registration?.dispose() });
  return {
    announce: () => {
      if (!vscode.workspace.getConfiguration("chat").get("disableAIFeatures")) changes.fire();
    },
    dispose: () => owned.dispose(),
  };
}
