/**
 * The models of the configured services for other extensions and VS Code's own chat, by the
 * language-model provider API. Nothing happens until VS Code asks; settings and key are read anew
 * for each request.
 */
import * as vscode from "vscode";
import { askRequest } from "../../ask/ask";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { Failure } from "../../conversation/ending";
import type { ServiceClient } from "../../service/client";
import { linkedSignal } from "../cancellation";
import { LANGUAGE_MODEL_VENDOR, SETTINGS_SECTION } from "../contributions";
import { failureNotice } from "../failureWords";
import type { Keys } from "../keys";
import { samplingOf, type Services } from "../services";
import { readSettings } from "../settings";
import { sampledBy } from "./modelOptions";
import { offeredModels, type OfferedModel } from "./models";
import { errorCode, outcomeOf } from "./outcome";
import { estimateTokens, requestMessages, requestTools } from "./requestMessages";

/** What may be sent, in tokens; the specification names no limit, so this is a cautious guess. */
const MAX_INPUT_TOKENS = 64_000;

/** Service specification, section 8, for `max_tokens`; assumed for the vision model too. */
const MAX_OUTPUT_TOKENS = 8192;

/** What the provider needs of the house. */
export interface ModelPorts {
  readonly client: ServiceClient;
  readonly services: Services;
  readonly keys: Keys;
  readonly log: Log;
  /** Asks for base URL and key where they are missing. */
  readonly setUp: () => Promise<unknown>;
}

/** Offers the models until disposed. */
export function offerLanguageModels(ports: ModelPorts): Disposable {
  const owned = new Disposables();
  const provider = owned.add(new ModelProvider(ports));
  owned.add(vscode.lm.registerLanguageModelChatProvider(LANGUAGE_MODEL_VENDOR, provider));
  return owned;
}

/** Settings that decide which models there are. */
const MODEL_SETTINGS = ["baseUrl", "profiles", "models"].map(
  (name) => `${SETTINGS_SECTION}.${name}`,
);

class ModelProvider implements vscode.LanguageModelChatProvider, Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new vscode.EventEmitter<void>());
  readonly onDidChangeLanguageModelChatInformation = this.changes.event;

  constructor(private readonly ports: ModelPorts) {
    this.owned.add(ports.keys.onChanged(() => this.changes.fire()));
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (MODEL_SETTINGS.some((name) => event.affectsConfiguration(name))) this.changes.fire();
      }),
    );
  }

  async provideLanguageModelChatInformation({
    silent,
  }: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]> {
    if (!silent) await this.setUpIfNeeded();
    return offeredModels(this.ports.services.all(readSettings().settings)).map(information);
  }

  async provideLanguageModelChatResponse(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { client, services, log } = this.ports;
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
      for await (const event of askRequest(client, question, linked.signal)) {
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

  provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Promise.resolve(estimateTokens(text));
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** A person opened the list of models: the service in use may still lack its URL or key. */
  private async setUpIfNeeded(): Promise<void> {
    const { services, setUp } = this.ports;
    const { settings } = readSettings();
    const connection = await services.connectionTo(services.active(settings), settings);
    if ("kind" in connection) await setUp();
  }
}

function information(model: OfferedModel): vscode.LanguageModelChatInformation {
  const { id, name, code, kind, service } = model;
  return {
    id,
    name,
    family: code,
    version: "1",
    tooltip: vscode.l10n.t("{0} at {1}", code, new URL(service.baseUrl).host),
    detail: service.profileName ?? "Core Chat",
    maxInputTokens: MAX_INPUT_TOKENS,
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
