/** Report of a connection test: one line per check, ✓ or ✗ with a fix, – for skipped checks. */
import type { Translate } from "../../base/translate";
import type { Failure } from "../../conversation/ending";
import type { CoordinateScale } from "../../pointing/coordinates";
import type { CheckResult, ReplyTiming } from "./checks";
import type { CheckId, ConnectionProblem } from "./requestProgress";
import type { ToolSupport } from "../settings/knownModels";
import { MARKED_PICTURE_SIZE } from "./testPicture";

/** Sentences of other modules. */
export interface ReportMessages {
  readonly t: Translate;
  /** Returns the sentence that the panel shows for this failure. */
  readonly failure: (failure: Failure) => string;
}

/** Target and results of a test. */
export interface TestReport {
  readonly startedAtMs: number;
  readonly baseUrl: string;
  readonly profileName: string | undefined;
  readonly modelCodes: { readonly llm: string; readonly vl: string };
  /** Versions of the extension and of VS Code. */
  readonly versions: readonly string[];
  readonly results: readonly CheckResult[];
  readonly isCanceled: boolean;
  /** Lines about the organization's policy; empty without one. */
  readonly policy: readonly string[];
}

/** Formats the report as Markdown. */
export function testReport(report: TestReport, messages: ReportMessages): string {
  const { t } = messages;
  const { baseUrl, profileName, modelCodes, results } = report;
  return [
    `# Core Chat: ${t("Connection Test")}`,
    "",
    `- ${new Date(report.startedAtMs).toISOString()}`,
    `- ${t("Address")}: ${baseUrl.trim() === "" ? "–" : baseUrl}`,
    ...(profileName === undefined ? [] : [`- ${t("Service")}: ${profileName}`]),
    `- ${t("Models")}: ${modelCodes.llm}, ${modelCodes.vl}`,
    `- ${report.versions.join(", ")}`,
    ...report.policy.map((line) => (line.startsWith(" ") ? line : `- ${line}`)),
    "",
    `## ${summary(report, t)}`,
    "",
    ...results.map((result) => `- ${resultLine(result, messages)}`),
    "",
  ].join("\n");
}

/** Returns the outcome of the test in a sentence. */
export function summary({ results, isCanceled }: TestReport, t: Translate): string {
  const failed = results.filter(({ state }) => state === "failed").length;
  if (isCanceled) return t("The test was canceled.");
  if (failed === 0) return t("The connection works.");
  return failed === 1 ? t("1 check failed.") : t("{0} checks failed.", failed);
}

export function resultLine(result: CheckResult, messages: ReportMessages): string {
  const { t } = messages;
  const name = checkName(result.id, t);
  switch (result.state) {
    case "passed":
      return `✓ ${[name, ...detail(result, t)].join(": ")}`;
    case "failed":
      return `✗ ${name}: ${problemText(result.problem, messages)}`;
    case "skipped":
      return `– ${name}: ${t("not tested")}`;
    default:
      return result.state satisfies never;
  }
}

export function checkName(id: CheckId, t: Translate): string {
  const names: Readonly<Record<CheckId, string>> = {
    url: t("Address"),
    key: t("An API key is set"),
    dns: t("Host name resolves (DNS)"),
    tcp: t("Host accepts connections (TCP)"),
    tls: t("Connection is secure (TLS)"),
    endpoint: t("Address is a chat-completion service"),
    authorization: t("API key is accepted"),
    llm: t("Text model replies"),
    streaming: t("Replies are streamed"),
    vl: t("Vision model replies"),
    picture: t("Pictures are accepted"),
    tools: t("Tools for VS Code's chat"),
  };
  return names[id];
}

function detail({ id, timing, scales, tools = [] }: CheckResult, t: Translate): string[] {
  if (id === "tools") {
    return [tools.map(({ code, support }) => `${code} ${toolsDetail(support, t)}`).join("; ")];
  }
  if (id === "picture") {
    const { widthPx, heightPx } = MARKED_PICTURE_SIZE;
    const size = `PNG, ${widthPx} × ${heightPx} px`;
    if (scales === undefined) return [size];
    const names = [...new Set(scales.map((scale) => scaleName(scale, t)))];
    return [t("{0}; coordinates: {1}", size, names.join(" / "))];
  }
  if (timing === undefined) return [];
  return [id === "streaming" ? streamingDetail(timing, t) : t("{0} s", seconds(timing.wholeMs))];
}

function toolsDetail(support: ToolSupport, t: Translate): string {
  const effects: Readonly<Record<ToolSupport, string>> = {
    works: t("calls them"),
    ignored: t("ignores them"),
    refused: t("refuses them"),
  };
  return effects[support];
}

/** Returns the range of the numbers of a scale. */
export function scaleName(scale: CoordinateScale, t: Translate): string {
  if (scale === "pixels") return t("pixels");
  const isYFirst = scale.endsWith("YFirst");
  if (scale.startsWith("thousand")) return isYFirst ? t("0 to 1000, y first") : t("0 to 1000");
  if (scale.startsWith("one")) return t("0 to 1");
  if (scale.startsWith("percent")) return t("percent");
  return t("pixels of the picture as the model resized it");
}

function streamingDetail({ firstTextMs, wholeMs, blocks }: ReplyTiming, t: Translate): string {
  return t(
    "first block after {0} s, all after {1} s; blocks: {2}",
    seconds(firstTextMs ?? wholeMs),
    seconds(wholeMs),
    blocks,
  );
}

/** Returns true for a problem that the panel has a notice for. */
export function isFailure(problem: ConnectionProblem): problem is Failure {
  return !["not-streamed", "withheld", "no-text"].includes(problem.kind);
}

function problemText(
  problem: ConnectionProblem | undefined,
  { t, failure }: ReportMessages,
): string {
  if (problem === undefined) return t("Failed");
  switch (problem.kind) {
    case "not-streamed":
      return t(
        "The reply arrived all at once, so replies will only appear when they are complete. Check whether a proxy buffers them.",
      );
    case "withheld":
      return t("The service's content filter blocked this reply. Ask the operator of the service.");
    case "no-text":
      return t("The reply contained no text. Check the model ID.");
    default:
      return failure(problem);
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
