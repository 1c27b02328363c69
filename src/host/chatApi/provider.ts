/**
 * Provides the models of the configured services to other extensions and to VS Code's chat, through
 * the language-model provider API. Reads settings and key for each request.
 */
import * as vscode from "vscode";
import type { RequestQuestion, TurnEvent } from "../../ask/ask";
import { fromBase64 } from "../../base/base64";
import type { Log } from "../../base/log";
import type { Ending, Failure } from "../../conversation/ending";
import { COMMANDS } from "../platform/contributions";
import { linkedSignal } from "../platform/cancellation";
import { failureNotice } from "../messages/failureMessages";
import { hostOf, samplingOf, type Services } from "../settings/services";
import { policy, setByOrganization } from "../policy/policy";
import { readSettings, type Settings } from "../settings/settings";
import { askModelAccess, nameOf } from "./askModelAccess";
import type { ModelAccess, PermittedRequest } from "./modelAccess";
import { offeredModels, withModelOptions, type OfferedModel } from "./models";
import { errorCode, outcomeOf } from "./outcome";
import { estimateTokens, requestMessages, requestTools } from "./requestMessages";
import { plainNotice } from "../messages/notices";
import type { KnownModels, ToolSupport } from "../settings/knownModels";
import { withDecidedText } from "./undecidedText";

/** Upper limit of `max_tokens` by the service specification, section 8; assumed for the vision model too. */
const MAX_OUTPUT_TOKENS = 8192;

export interface ModelProviderOptions {
  readonly ask: (
    question: RequestQuestion,
    signal: AbortSignal,
  ) => AsyncGenerator<TurnEvent, void, void>;
  readonly services: Services;
  readonly log: Log;
  /** Asks the user for a missing base URL or key. */
  readonly setUp: () => Promise<unknown>;
  readonly knownModels: KnownModels;
  readonly modelAccess: ModelAccess;
  /** Id of this extension in lower case; its own requests are not asked about. */
  readonly ownId: string;
}

/** The language-model provider, without its registration in registerModels.ts. */
export class ModelProvider {
  private hasShownUnnamed = false;

  constructor(private readonly options: ModelProviderOptions) {}

  /** Lists the models. Unless `silent`, asks the user for a missing base URL or key first. */
  async information({
    silent,
  }: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]> {
    if (!silent) await this.setUpIfNeeded();
    const { settings } = readSettings();
    if (!settings.offerModels) return [];
    const { services } = this.options;
    // The specification names no input limit, so the budget is the limit.
    return this.offered(settings).map((model) =>
      informationOf(
        model,
        services.budgetOf(model.service, model.code, settings),
        this.options.knownModels.get(hostOf(model.service), model.code).tools,
      ),
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
    const { services, log, knownModels, ownId } = this.options;
    const caller = callerOf(options);
    const linked = linkedSignal(token);
    let permitted: PermittedRequest | undefined;
    try {
      if (caller !== ownId) await this.requireAccess(caller, this.usable(id).model, linked.signal);
      // The user may answer late, and settings and policy may have changed since.
      const { settings, model } = this.usable(id);
      const connection = await services.connectionTo(model.service);
      if ("kind" in connection) throw errorFor(connection);
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
      if (caller !== ownId) permitted = this.beginPermitted(caller, model);
      const signal = permitted ? AbortSignal.any([linked.signal, permitted.signal]) : linked.signal;
      for await (const event of withDecidedText(
        this.askWithTools(model, question, signal),
        knownModels,
      )) {
        if (event.type === "text-delta") {
          progress.report(new vscode.LanguageModelTextPart(event.text));
        } else if (event.type === "reasoning-delta") {
          const part = thinkingPart(event.text);
          if (part !== undefined) progress.report(part);
        } else if (event.type === "picture") {
          const part = picturePart(event.url);
          if (part) progress.report(part);
          else log.warn(`models: ${id} sent a picture by address, which is not fetched`);
        } else if (event.type === "request-sent" && event.receipt.imagesLeftOut > 0) {
          log.warn(
            `models: ${id} does not accept pictures; not sent: ${event.receipt.imagesLeftOut}`,
          );
        } else if (event.type === "turn-ended") {
          if (permitted?.signal.aborted) throw refusal(caller);
          finish(outcomeOf(event), progress, (kind) => log.warn(`models: ${id} failed (${kind})`));
        }
      }
    } finally {
      permitted?.end();
      linked.dispose();
    }
  }

  /**
   * Asks with the tools of the request. A model that refuses tools is asked once without them, unless a
   * call is required, and the result is kept: VS Code then no longer lists the model for tools.
   */
  private async *askWithTools(
    { code, service, id }: OfferedModel,
    question: RequestQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<TurnEvent, void, void> {
    const { ask, knownModels, log } = this.options;
    const { isToolRequired = false } = question.request;
    const hasTools = (question.request.tools ?? []).length > 0;
    for await (const event of ask(question, signal)) {
      const isEnd = event.type === "turn-ended";
      if (isEnd && hasTools && event.toolCalls) {
        knownModels.note(hostOf(service), code, { tools: "works" });
      }
      if (!isEnd || !hasTools || !isAboutTools(event.ending)) {
        yield event;
        continue;
      }
      knownModels.note(hostOf(service), code, { tools: "refused" });
      log.warn(`models: ${id} refuses tools${isToolRequired ? "" : "; asked again without them"}`);
      if (isToolRequired) yield event;
      else yield* ask({ ...question, request: { ...question.request, tools: [] } }, signal);
      return;
    }
  }

  /** Returns a model with the settings of now; throws LanguageModelError if there is none. */
  private usable(id: string): { settings: Settings; model: OfferedModel } {
    const { settings } = readSettings();
    // VS Code may use a model that was listed before the policy changed.
    if (!settings.offerModels) throw vscode.LanguageModelError.NoPermissions(setByOrganization());
    const model = this.offered(settings).find((offered) => offered.id === id);
    if (model !== undefined) return { settings, model };
    throw vscode.LanguageModelError.NotFound(
      vscode.l10n.t('The model "{0}" is not in the settings. Choose another model.', id),
    );
  }

  /** Returns the models; none for pictures if the organization forbids them. */
  private offered(settings: Settings): OfferedModel[] {
    const all = offeredModels(this.options.services.all(settings));
    return policy().pictures ? all : all.map((model) => ({ ...model, kind: "llm" as const }));
  }

  countTokens(text: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(text);
  }

  /** Throws unless the user allows the request, after a question at the first request of a caller. */
  private async requireAccess(
    caller: string,
    model: OfferedModel,
    signal: AbortSignal,
  ): Promise<void> {
    const { modelAccess, log } = this.options;
    const ask = () => {
      this.hasShownUnnamed ||= caller === "";
      return askModelAccess(caller, model);
    };
    const decision = await modelAccess.decisionAbout(caller, ask, signal);
    if (signal.aborted) throw new vscode.CancellationError();
    if (decision === "allowed") return;
    log.info(`models: a request of ${caller || "an unnamed extension"} was refused`);
    if (decision === "refused") throw refusal(caller);
    throw vscode.LanguageModelError.NoPermissions(
      vscode.l10n.t(
        "{0} may not use the models of Core Chat yet. Send the request again and select Allow.",
        nameOf(caller),
      ),
    );
  }

  /**
   * Logs and begins a request, which uses the user's key. The permission of unnamed callers is for
   * all of them, so a notice tells of the first one in a window.
   */
  private beginPermitted(caller: string, model: OfferedModel): PermittedRequest {
    const { modelAccess, log } = this.options;
    log.info(`models: a request of ${caller || "an unnamed extension"} to ${model.id}`);
    if (caller === "" && !this.hasShownUnnamed) {
      this.hasShownUnnamed = true;
      void noticeUnnamed(model.code);
    }
    return modelAccess.begin(caller);
  }

  /** Asks for URL and key if the active service has no URL or key. */
  private async setUpIfNeeded(): Promise<void> {
    const { services, setUp } = this.options;
    const { settings } = readSettings();
    const connection = await services.connectionTo(services.active(settings));
    if ("kind" in connection) await setUp();
  }
}

/**
 * Returns the id of the extension that makes a request; "" if VS Code does not name it. The option is
 * a proposed API. VS Code itself writes its value, not the extension.
 * https://github.com/microsoft/vscode/blob/main/src/vscode-dts/vscode.proposed.chatProvider.d.ts
 */
function callerOf(options: vscode.ProvideLanguageModelChatResponseOptions): string {
  const { requestInitiator } = options as { readonly requestInitiator?: unknown };
  return typeof requestInitiator === "string" ? requestInitiator.slice(0, 200) : "";
}

/** Tells the user that an extension without a name uses a model. */
async function noticeUnnamed(modelCode: string): Promise<void> {
  const manage = vscode.l10n.t("Manage Model Access");
  const text = vscode.l10n.t(
    "An extension that VS Code does not name is using {0} with your key.",
    modelCode,
  );
  const chosen = await vscode.window.showInformationMessage(text, manage);
  if (chosen === manage) await vscode.commands.executeCommand(COMMANDS.manageModelAccess);
}

function refusal(caller: string): vscode.LanguageModelError {
  return vscode.LanguageModelError.NoPermissions(
    vscode.l10n.t(
      '{0} may not use the models of Core Chat. To allow it, run the command "Core Chat: Manage Model Access".',
      nameOf(caller),
    ),
  );
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

function isAboutTools(ending: Ending): boolean {
  if (ending.kind !== "failed") return false;
  const { failure } = ending;
  return (failure.kind === "rejected" || failure.kind === "reported") && failure.about === "tools";
}

/** Returns VS Code's part for a picture; undefined for an address. */
function picturePart(url: string): vscode.LanguageModelDataPart | undefined {
  const mediaType = /^data:(image\/[\w.+-]{1,50});base64,/.exec(url)?.[1];
  const bytes = mediaType && fromBase64(url.slice(url.indexOf(",") + 1));
  return bytes ? vscode.LanguageModelDataPart.image(bytes, mediaType) : undefined;
}

function informationOf(
  model: OfferedModel,
  maxInputTokens: number,
  tools: ToolSupport | undefined,
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
    capabilities: {
      imageInput: kind === "vl",
      toolCalling: tools === undefined || tools === "works",
    },
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
