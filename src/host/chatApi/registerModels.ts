/**
 * Registers the language-model provider. provider.ts is loaded when VS Code first asks for a model.
 */
import * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { LANGUAGE_MODEL_VENDOR, SETTINGS_SECTION } from "../platform/contributions";
import type { ModelProviderOptions } from "./provider";

/** Settings that change the list of models. */
const MODEL_SETTINGS = ["baseUrl", "profiles", "models", "context.budget"].map(
  (name) => `${SETTINGS_SECTION}.${name}`,
);

/** Reads the user settings only, because the user's key is used. */
function isEnabled(): boolean {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return section.inspect("offerModels")?.globalValue !== false;
}

/**
 * Registers the provider, if the setting `offerModels` allows.
 * @param loadOptions called when a model is first needed
 * @param onSecretsChanged may fire for any secret
 */
export function registerLanguageModels(
  loadOptions: () => Promise<ModelProviderOptions>,
  onSecretsChanged: vscode.Event<unknown>,
) {
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
    const options = await loadOptions();
    owned.add(options.knownModels.onChanged(() => changes.fire()));
    return new ModelProvider(options);
  });
  const register = () =>
    vscode.lm.registerLanguageModelChatProvider(LANGUAGE_MODEL_VENDOR, {
      onDidChangeLanguageModelChatInformation: changes.event,
      provideLanguageModelChatInformation: async (options) => {
        if (!isEnabled()) return [];
        return (await provider()).information(options);
      },
      provideLanguageModelChatResponse: async (...request) => {
        // VS Code may use a model that was listed before the setting was switched off.
        if (!isEnabled()) throw vscode.LanguageModelError.NoPermissions();
        await (await provider()).respond(...request);
      },
      provideTokenCount: async (_model, text) => (await provider()).countTokens(text),
    });
  let registration: vscode.Disposable | undefined;
  const applySetting = () => {
    if (isEnabled()) {
      registration ??= register();
      return;
    }
    // After a change event VS Code asks again and removes the listed models.
    if (registration !== undefined) changes.fire();
    registration?.dispose();
    registration = undefined;
  };
  applySetting();
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(`${SETTINGS_SECTION}.offerModels`)) return;
      applySetting();
      changes.fire();
    }),
  );
  owned.add({ dispose: () => void registration?.dispose() });
  return {
    /**
     * Makes VS Code's chat list the models: VS Code asks a provider only after a change event or for a
     * model chosen before.
     */
    announce: () => {
      if (!vscode.workspace.getConfiguration("chat").get("disableAIFeatures")) changes.fire();
    },
    dispose: () => owned.dispose(),
  };
}
