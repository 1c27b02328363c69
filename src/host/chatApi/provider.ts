/**
 * Provides the models of the configured services to other extensions and to VS Code's chat, through
 * the language-model provider API. Reads settings and key for each request.
 */
import * as vscode from "vscode";
import type { RequestQuestion, TurnEvent } from "../../ask/ask";
import type { Log } from "../../base/log";
import type { Failure } from "../../conversation/ending";
import { COMMANDS, SETTINGS_SECTION } from "../platform/contributions";
import { linkedSignal } from "../platform/cancellation";
import { failureNotice } from "../messages/failureMessages";
import { samplingOf, type Services } from "../settings/services";
import { readSettings } from "../settings/settings";
import type { StoredSecrets } from "../settings/storedSecrets";
import { offeredModels, withModelOptions, type OfferedModel } from "./models";
import { errorCode, outcomeOf } from "./outcome";
import { estimateTokens, requestMessages, requestTools } from "./requestMessages";
import { plainNotice } from "../messages/notices";
import type { ThinkingModels } from "../settings/thinkingModels";
import { withDecidedText } from "./undecidedText";

/** Upper limit of `max_tokens` by the service specification, section 8; assumed for the vision model too. */
const MAX_OUTPUT_TOKENS = 8192;

/** Dependencies of the provider. */
export interface ModelProviderOptions {
  readonly ask: (
    question: RequestQuestion,
    signal: AbortSignal,
  ) => AsyncGenerator<TurnEvent, void, void>;
  readonly services: Services;
  readonly keys: StoredSecrets;
  readonly log: Log;
  /** Asks the user for a missing base URL or key. */
  readonly setUp: () => Promise<unknown>;
  readonly thinkingModels: ThinkingModels;
  /** Storage of the user: stores the first use. */
  readonly memory: vscode.Memento;
}

/** True in the user's storage after the first use by VS Code's chat or another extension. */
const USE_NOTICED_KEY = "coreChat.modelUseNoticed";

/** The language-model provider, without its registration in registerModels.ts. */
export class ModelProvider {
  constructor(private readonly options: ModelProviderOptions) {}

  /** Lists the models. Unless `silent`, asks the user for a missing base URL or key first. */
  async information({
    silent,
  }: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]> {
    if (!silent) await this.setUpIfNeeded();
    const { settings } = readSettings();
    // The specification names no input limit, so the user's budget is the limit.
    const maxInputTokens = settings["context.budget"];
    return offeredModels(this.options.services.all(settings)).map((model) =>
      informationOf(model, maxInputTokens),
    );
  }

  /** Sends a request to a model; throws LanguageModelError or CancellationError. */
  async respond(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { ask, services, log, thinkingModels } = this.options;
    const { settings } = readSettings();
    const model = offeredModels(services.all(settings)).find((offered) => offered.id === id);
    if (model === undefined) {
      throw vscode.LanguageModelError.NotFound(
        vscode.l10n.t('The model "{0}" is not in the settings. Choose another model.', id),
      );
    }
    const connection = await services.connectionTo(model.service, settings);
    if ("kind" in connection) throw errorFor(connection);

    void this.noticeFirstUse(model.code);
    const linked = linkedSignal(token);
    const question = {
      request: {
        kind: model.kind,
        modelCode: model.code,
        messages: requestMessages(messages),
        sampling: withModelOptions(options.modelOptions, samplingOf(settings, model.kind)),
        stream: settings.stream,
        tools: requestTools(options.tools ?? []),
        isToolRequired: options.toolMode === vscode.LanguageModelChatToolMode.Required,
      },
      connection,
      contentFilter: settings.contentFilter,
      estimatedTokens: 0,
    };
    try {
      for await (const event of withDecidedText(ask(question, linked.signal), thinkingModels)) {
        if (event.type === "text-delta") {
          progress.report(new vscode.LanguageModelTextPart(event.text));
        } else if (event.type === "reasoning-delta") {
          const part = thinkingPart(event.text);
          if (part !== undefined) progress.report(part);
        } else if (event.type === "request-sent" && event.receipt.imagesLeftOut > 0) {
          log.warn(
            `models: ${id} does not accept pictures; not sent: ${event.receipt.imagesLeftOut}`,
          );
        } else if (event.type === "turn-ended") {
          finish(outcomeOf(event), progress, (kind) => log.warn(`models: ${id} failed (${kind})`));
        }
      }
    } finally {
      linked.dispose();
    }
  }

  /** Estimates the tokens of a text or message. */
  countTokens(text: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(text);
  }

  /**
   * Shows a notice at the first request of another extension, which uses the user's key: VS Code asks
   * for consent only for models of Copilot.
   */
  private async noticeFirstUse(modelCode: string): Promise<void> {
    const { memory } = this.options;
    if (memory.get(USE_NOTICED_KEY) === true) return;
    await memory.update(USE_NOTICED_KEY, true);
    const showRequests = vscode.l10n.t("Show Requests");
    const stop = vscode.l10n.t("Turn Off");
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "VS Code's chat or another extension is using {0} with your key. Show Requests lists each request.",
        modelCode,
      ),
      showRequests,
      stop,
    );
    if (chosen === showRequests) await vscode.commands.executeCommand(COMMANDS.showRequests);
    if (chosen !== stop) return;
    const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    await section.update("offerModels", false, vscode.ConfigurationTarget.Global);
  }

  /** Asks for URL and key if the active service has no URL or key. */
  private async setUpIfNeeded(): Promise<void> {
    const { services, setUp } = this.options;
    const { settings } = readSettings();
    const connection = await services.connectionTo(services.active(settings), settings);
    if ("kind" in connection) await setUp();
  }
}

/**
 * Returns VS Code's part for thinking; undefined where the running version has none. The class is a
 * proposed API, but VS Code passes the parts of every provider on.
 * https://github.com/microsoft/vscode/blob/main/src/vscode-dts/vscode.proposed.languageModelThinkingPart.d.ts
 */
function thinkingPart(text: string): vscode.LanguageModelResponsePart | undefined {
  const { LanguageModelThinkingPart: Part } = vscode as {
    readonly LanguageModelThinkingPart?: new (value: string) => vscode.LanguageModelResponsePart;
  };
  return Part && new Part(text);
}

function informationOf(
  model: OfferedModel,
  maxInputTokens: number,
): vscode.LanguageModelChatInformation {
  const { id, name, code, kind, service } = model;
  return {
    id,
    name,
    family: code,
    version: "1",
    tooltip: vscode.l10n.t("{0} at {1}", code, new URL(service.baseUrl).host),
    detail: service.profileName ?? "Core Chat",
    maxInputTokens,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    capabilities: { imageInput: kind === "vl", toolCalling: true },
  };
}

/** Reports the tool calls, or throws the error of the outcome. */
function finish(
  outcome: ReturnType<typeof outcomeOf>,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  logFailure: (kind: string) => void,
): void {
  switch (outcome.kind) {
    case "done":
      for (const { id, name, input } of outcome.calls) {
        progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
      }
      return;
    case "canceled":
      throw new vscode.CancellationError();
    case "withheld":
      logFailure("withheld");
      throw vscode.LanguageModelError.Blocked(
        vscode.l10n.t("The service's content filter blocked this reply. Try rephrasing."),
      );
    case "failed":
      logFailure(outcome.failure.kind);
      throw errorFor(outcome.failure);
    default:
      outcome satisfies never;
  }
}

/** Returns an error with the panel's message and VS Code's code. */
function errorFor(failure: Failure): vscode.LanguageModelError {
  const text = plainNotice(failureNotice(failure, false));
  switch (errorCode(failure)) {
    case "no-permissions":
      return vscode.LanguageModelError.NoPermissions(text);
    case "not-found":
      return vscode.LanguageModelError.NotFound(text);
    case "blocked":
      return vscode.LanguageModelError.Blocked(text);
    case "other":
      return new vscode.LanguageModelError(text);
  }
}
