/**
 * Command that tests the connection of the active service: cancellable progress, a report in an
 * editor, and a notification that copies the report.
 */
import * as vscode from "vscode";
import { createRedactor } from "../../base/redact";
import { DisposableOwner } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { ClientOptions } from "../../service/client";
import { secretHeaderValues } from "../../service/requestHeaders";
import { linkedSignal } from "../platform/cancellation";
import { REPORT_SCHEME, SETTINGS_SECTION } from "../platform/contributions";
import { failureNotice } from "../messages/failureMessages";
import { policyState } from "../policy/policy";
import { VirtualDocuments } from "../platform/virtualDocuments";
import { hostOf, type Service, type Services } from "../settings/services";
import { checkConnection, type CheckResult } from "./checks";
import { CHECK_IDS } from "./requestProgress";
import {
  checkName,
  isFailure,
  resultLine,
  scaleName,
  summary,
  testReport,
  type ReportMessages,
} from "./report";
import { error, info, plainNotice } from "../messages/notices";
import type { NoticeView } from "../../protocol/views";

const t = vscode.l10n.t;

const messages: ReportMessages = {
  t,
  failure: (failure) => plainNotice(failureNotice(failure, false)),
};

/** Maximum number of reports stored for open editors. */
const MAX_REPORTS = 10;

export interface ConnectionTestOptions {
  readonly services: Services;
  readonly service: () => Service;
  readonly clientOptions: () => ClientOptions;
  readonly version: string;
  readonly redact: (text: string) => string;
  readonly log: Log;
}

/** The command and its reports. */
export class ConnectionTest extends DisposableOwner {
  private readonly reports = new Map<string, string>();
  private readonly documents = this.owned.add(
    new VirtualDocuments(REPORT_SCHEME, (name) => this.reports.get(name)),
  );
  private count = 0;

  constructor(private readonly options: ConnectionTestOptions) {
    super();
  }

  /** Runs the test, shows the report and resolves with its text. */
  async run(): Promise<string> {
    const service = this.options.service();
    const startedAtMs = Date.now();
    const { results, isCanceled } = await this.check(service);
    const report = {
      startedAtMs,
      baseUrl: service.baseUrl,
      profileName: service.profileName,
      modelCodes: service.modelCodes,
      versions: [`Core Chat ${this.options.version}`, `VS Code ${vscode.version}`],
      results,
      isCanceled,
      policy: policyLines(),
    };
    const redactHeaders = createRedactor(secretHeaderValues(service.headers));
    const text = this.options.redact(redactHeaders(testReport(report, messages)));
    this.options.log.info(`connection test: ${results.map(formatForLog).join(", ")}`);
    const name = this.storeReport(text);
    await this.documents.show(name);
    const firstProblem = results.find(({ state }) => state === "failed");
    const message = firstProblem
      ? this.options.redact(redactHeaders(resultLine(firstProblem, messages)))
      : summary(report, t);
    // Not awaited: a notification may stay open, and the report is shown already.
    void notify(message, firstProblem !== undefined, text);
    return text;
  }

  /** Tests a service that was just connected; returns what it has, or the first problem. */
  async findModels(service: Service): Promise<NoticeView> {
    const { results, isCanceled } = await this.check(service);
    if (isCanceled) return info(t("The test was canceled."));
    const passed = results.filter(({ state }) => state === "passed").map(({ id }) => id);
    const failed = results.find(({ state }) => state === "failed");
    if (failed && !passed.includes("llm")) {
      const { problem } = failed;
      return problem && isFailure(problem)
        ? failureNotice(problem, false)
        : error(resultLine(failed, messages));
    }
    const modelCount = passed.filter((id) => id === "llm" || id === "vl").length;
    const [scale] = results.flatMap(({ scales = [] }) => scales);
    const models = modelCount === 1 ? t("1 model") : t("{0} models", modelCount);
    const marks = scale === undefined ? [] : [t("marks: {0}", scaleName(scale, t))];
    return info([t("The service answers"), models, ...marks].join(" · "));
  }

  private async check(service: Service): Promise<{ results: CheckResult[]; isCanceled: boolean }> {
    const { services, clientOptions } = this.options;
    const results: CheckResult[] = [];
    const { baseUrl, modelCodes } = service;
    const connection = await services.connectionTo(service);
    const progressOptions = {
      location: vscode.ProgressLocation.Notification,
      title: t("Testing the connection…"),
      cancellable: true,
    };
    const isCanceled = await vscode.window.withProgress(
      progressOptions,
      async (progress, token) => {
        const linked = linkedSignal(token);
        const showNextCheck = () => {
          const next = CHECK_IDS[results.length];
          if (next !== undefined) progress.report({ message: checkName(next, t) });
        };
        showNextCheck();
        const target = { baseUrl, connection, modelCodes };
        try {
          for await (const result of checkConnection(target, clientOptions(), linked.signal)) {
            results.push(result);
            for (const { code, support } of result.tools ?? []) {
              services.knownModels.note(hostOf(service), code, { tools: support });
            }
            if (result.scales) await services.saveCoordinates(service, result.scales);
            progress.report({ increment: 100 / CHECK_IDS.length });
            showNextCheck();
          }
        } finally {
          linked.dispose();
        }
        return linked.signal.aborted;
      },
    );
    const missing = CHECK_IDS.slice(results.length).map(
      (id) => ({ id, state: "skipped" }) as const,
    );
    return { results: [...results, ...missing], isCanceled };
  }

  private storeReport(text: string): string {
    const name = `${++this.count}.md`;
    this.reports.set(name, text);
    const [oldest] = this.reports.keys();
    if (this.reports.size > MAX_REPORTS && oldest !== undefined) this.reports.delete(oldest);
    return name;
  }
}

/** Formats a check for the log, without addresses and messages of the service. */
function formatForLog({ id, state, problem }: CheckResult): string {
  return problem === undefined ? `${id} ${state}` : `${id} ${state} (${problem.kind})`;
}

async function notify(message: string, isProblem: boolean, report: string): Promise<void> {
  const copy = t("Copy Report");
  const chosen = isProblem
    ? await vscode.window.showWarningMessage(message, copy)
    : await vscode.window.showInformationMessage(message, copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(report);
}

/** Returns the policy in force: its file and each rule, without values that may be secret. */
function policyLines(): string[] {
  const { path, problem, policy } = policyState();
  if (path === undefined) return [];
  const { settings, headers, neverSent, export: isExport, pictures, record } = policy;
  const rules = [
    ...Object.entries(settings).map(([name, value]) =>
      name === "profiles" || name === "apiKeyCommand"
        ? `${SETTINGS_SECTION}.${name}`
        : `${SETTINGS_SECTION}.${name} = ${JSON.stringify(value)}`,
    ),
    ...Object.keys(headers).map((name) => `headers: ${name}`),
    ...(isExport ? [] : ["export: false"]),
    ...(pictures ? [] : ["pictures: false"]),
    ...(neverSent.length === 0 ? [] : [`neverSent: ${neverSent.join(", ")}`]),
    ...(record ? ["record: true"] : []),
  ];
  const state = problem === undefined ? path : `${path} (${problem})`;
  return [t("Policy of your organization: {0}", state), ...rules.map((rule) => `  - ${rule}`)];
}
