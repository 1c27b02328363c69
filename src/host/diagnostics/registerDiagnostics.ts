import * as vscode from "vscode";
import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { ClientOptions, ServiceClient } from "../../service/client";
import { appendLine } from "../node/appendLine";
import { createConnectionWatch } from "../node/watchConnection";
import type { ActiveChat } from "../panel/activeChat";
import { policy } from "../policy/policy";
import type { CommandHandlers } from "../platform/contributions";
import type { KnownSecrets } from "../settings/secrets";
import type { Service, Services } from "../settings/services";
import type { KnownModels } from "../settings/knownModels";
import { RequestLog } from "./requestLog";
import { RECORD_FILE, RequestRecorder } from "./requestRecord";

/**
 * Creates the window's client of the service, whose exchanges are logged for the inspector, and whose replies
 * and failures are noted in `models`.
 */
export function createLoggedClient(models: KnownModels, storage: vscode.Uri, log: Log) {
  const owned = new Disposables();
  const requests = owned.add(new RequestLog());
  const connections = owned.add(createConnectionWatch());
  const { fsPath } = vscode.Uri.joinPath(storage, RECORD_FILE);
  const recorder = new RequestRecorder(
    () => policy().record,
    (line) => appendLine(fsPath, line),
    log,
  );
  /** Creates the options of a client; exchanges of all clients are logged. */
  const clientOptions = (): ClientOptions => {
    const observe = requests.observer();
    return {
      fetch: (input, init) => globalThis.fetch(input, init),
      observe: (event) => recorder.observe(event.type, observe(event)),
      watchConnection: connections.watch,
      canStreamUpload: connections.canStreamUpload,
      onThinkingFirst: (host, code, isThinkingFirst) =>
        models.note(host, code, { isThinkingFirst }),
      onFailure: (...failed) => models.noteFailure(...failed),
    };
  };
  const load = lazily(async () => {
    const { createClient } = await import("../../service/client");
    return createClient(clientOptions());
  });
  const client: ServiceClient = {
    async *complete(request, connection, signal) {
      yield* (await load()).complete(request, connection, signal);
    },
  };
  /** Resolves when the record that the policy asks for is on disk. */
  const untilRecorded = () => recorder.untilWritten();
  return { client, requests, clientOptions, untilRecorded, dispose: () => owned.dispose() };
}

export interface DiagnosticsOptions {
  readonly context: vscode.ExtensionContext;
  readonly requests: RequestLog;
  readonly clientOptions: () => ClientOptions;
  readonly services: Services;
  readonly activeChat: ActiveChat;
  readonly output: vscode.LogOutputChannel;
  readonly secrets: KnownSecrets;
  readonly log: Log;
}

export function registerDiagnostics(options: DiagnosticsOptions) {
  const { context, requests, clientOptions, services, activeChat, output, secrets, log } = options;
  const owned = new Disposables();
  const inspector = lazily(async () => {
    const { Inspector } = await import("./inspector");
    return owned.add(new Inspector(requests, secrets.redactValues));
  });
  const connectionTest = lazily(async () => {
    const { ConnectionTest } = await import("./testConnection");
    const { version } = context.extension.packageJSON as { version: string };
    const { redact } = secrets;
    const service = () => services.target(activeChat.shownConversation?.conversation.profile);
    return owned.add(
      new ConnectionTest({ services, service, clientOptions, version, redact, log }),
    );
  });
  return {
    testService: async (service: Service) => (await connectionTest()).findModels(service),
    commands: {
      testConnection: async () => (await connectionTest()).run(),
      showRequests: async () => (await inspector()).show(),
      showLog: () => output.show(),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}
