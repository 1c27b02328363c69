/**
 * The models of the configured services for other extensions and VS Code's own chat, by the
 * language-model provider API. Nothing happens until VS Code asks; settings and key are read anew
 * for each request.
 */
import * as vscode from "vscode";
import type { RequestQuestion, TurnEvent } from "../../ask/ask";
import type { Log } from "../../base/log";
import type { Failure } from "../../conversation/ending";
import { linkedSignal } from "../platform/cancellation";
import { failureNotice } from "../messages/failureMessages";
import { samplingOf, type Services } from "../settings/services";
import { readSettings } from "../settings/settings";
import type { StoredSecrets } from "../settings/storedSecrets";
import { sampledBy } from "./modelOptions";
import { offeredModels, type OfferedModel } from "./models";
import { errorCode, outcomeOf } from "./outcome";
import { estimateTokens, requestMessages, requestTools } from "./requestMessages";

/** Service specification, section 8, for `max_tokens`; assumed for the vision model too. */
const MAX_OUTPUT_TOKENS = 8192;

/** What the provider needs of the house. */
export interface ModelProviderOptions {
  readonly ask: (
    question: RequestQuestion,
    signal: AbortSignal,
  ) => AsyncGenerator<TurnEvent, void, void>;
  readonly services: Services;
  readonly keys: StoredSecrets;
  readonly log: Log;
  /** Asks for base URL and key where they are missing. */
  readonly setUp: () => Promise<unknown>;
}

/** Answers what VS Code asks of the models; see offer.ts. */
export class ModelProvider {
  constructor(private readonly ports: ModelProviderOptions) {}

  /** The models there are; a person who looks at them is asked for what is missing. */
  async information({
    silent,
  }: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]> {
    if (!silent) await this.setUpIfNeeded();
    const { settings } = readSettings();
    // The specification names no limit: the person's own budget says what a model is to be sent.
    const maxInputTokens = settings["context.budget"];
    return offeredModels(this.ports.services.all(settings)).map((model) =>
      informationOf(model, maxInputTokens),
    );
  }

  /** Asks a model; throws LanguageModelError or CancellationError. */
  async respond(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { ask, services, log } = this.ports;
    const { settings } = readSettings();
    const model = offeredModels(services.all(settings)).find((offered) => offered.id === id);
    if (model === undefined) {
      throw vscode.LanguageModelError.NotFound(
        vscode.l10n.t('There is no model "{0}" in the settings. Choose another one.', id),
      );
    }
    const connection = await services.connectionTo(model.service, settings);
    if ("kind" in connection) throw errorFor(connection);

    const linked = linkedSignal(token);
    const question = {
      request: {
        kind: model.kind,
        modelCode: model.code,
        messages: requestMessages(messages),
        sampling: sampledBy(options.modelOptions, samplingOf(settings, model.kind)),
        stream: settings.stream,
        tools: requestTools(options.tools ?? []),
        isToolRequired: options.toolMode === vscode.LanguageModelChatToolMode.Required,
      },
      connection,
      contentFilter: settings.contentFilter,
      estimatedTokens: 0,
    };
    try {
      for await (const event of ask(question, linked.signal)) {
        if (event.type === "text-delta") {
          progress.report(new vscode.LanguageModelTextPart(event.text));
        } else if (event.type === "request-sent" && event.receipt.imagesLeftOut > 0) {
          log.warn(`models: ${id} takes no pictures; ${event.receipt.imagesLeftOut} left out`);
        } else if (event.type === "turn-ended") {
          finish(outcomeOf(event), progress, (kind) => log.warn(`models: ${id} failed (${kind})`));
        }
      }
    } finally {
      linked.dispose();
    }
  }

  /** An estimate. */
  countTokens(text: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(text);
  }

  /** A person opened the list of models: the service in use may still lack its URL or key. */
  private async setUpIfNeeded(): Promise<void> {
    const { services, setUp } = this.ports;
    const { settings } = readSettings();
    const connection = await services.connectionTo(services.active(settings), settings);
    if ("kind" in connection) await setUp();
  }
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

/** Reports the calls, or throws what whoever asked must know. */
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
    case "cancelled":
      throw new vscode.CancellationError();
    case "withheld":
      logFailure("withheld");
      throw vscode.LanguageModelError.Blocked(
        vscode.l10n.t("The service's safety review withheld the reply. Ask in other words."),
      );
    case "failed":
      logFailure(outcome.failure.kind);
      throw errorFor(outcome.failure);
    default:
      outcome satisfies never;
  }
}

/** The panel's sentence under the code that fits. */
function errorFor(failure: Failure): vscode.LanguageModelError {
  const { text } = failureNotice(failure, false);
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
