/**
 * Usage of models, counted from the journals: of a conversation, or of all by day and model. Conversations in the
 * bin count; those that were deleted for good do not. Titles and summaries are in no journal.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import { titleOf } from "../../conversation/title";
import { toSteps } from "../../conversation/toSteps";
import { UsageSums, type ModelUsage } from "../../conversation/usage";
import { TimeSlice } from "../../base/timeSlice";
import { tableCsv } from "../../markdown/tables";
import { panelMessages } from "../messages/panelMessages";
import { linkedSignal } from "../platform/cancellation";
import { USAGE_SCHEME } from "../platform/contributions";
import { saveCsv } from "../platform/saveCsv";
import { VirtualDocuments } from "../platform/virtualDocuments";
import { clickedConversation } from "./clickedConversation";

interface Report {
  readonly title: string;
  /** Names of the first columns. */
  readonly keys: readonly string[];
  readonly sums: UsageSums;
  /** Conversations that could not be read. */
  readonly unreadable: number;
}

export class UsageReports implements Disposable {
  private readonly owned = new Disposables();
  private readonly reports = new Map<string, Report>();
  private readonly documents = this.owned.add(
    new VirtualDocuments(USAGE_SCHEME, (name) => {
      const report = this.reports.get(name);
      return report && markdownOf(report);
    }),
  );

  constructor(
    private readonly conversations: Conversations,
    private readonly log: Log,
  ) {}

  /** Shows all requests by day and model. */
  async showAll(): Promise<void> {
    const sums = new UsageSums((model, atMs) => [dayOf(atMs), model]);
    const unreadable = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Counting the usage of all conversations"),
        cancellable: true,
      },
      async (progress, token) => {
        const linked = linkedSignal(token);
        try {
          return await this.read(sums, progress, linked.signal);
        } catch (error) {
          if (linked.signal.aborted) return undefined;
          throw error;
        } finally {
          linked.dispose();
        }
      },
    );
    if (unreadable === undefined) return;
    const keys = [vscode.l10n.t("Day"), vscode.l10n.t("Model")];
    const title = vscode.l10n.t("Usage by day and model");
    await this.show("Usage.md", { title, keys, sums, unreadable });
  }

  /** Shows the requests of a conversation by model. */
  async showOne(shownId: string | undefined, clicked: unknown): Promise<void> {
    const id = clickedConversation(clicked) ?? shownId;
    const sums = new UsageSums((model) => [model]);
    const live =
      id === undefined ? undefined : await this.conversations.get(id).catch(() => undefined);
    if (live === undefined) return;
    const { conversation, isUnsaved } = live;
    const { journal } = this.conversations.historyOf(conversation.id);
    const { signal } = new AbortController();
    await sums.add((await journal.loadSteps(conversation.id, signal).catch(() => undefined)) ?? []);
    await sums.add(toSteps(conversation)); // The last steps may not be written yet.
    const name = isUnsaved
      ? panelMessages.notSaved()
      : (titleOf(conversation) ?? panelMessages.untitled());
    const title = vscode.l10n.t("Usage of “{0}”", name);
    await this.show(`Usage ${id}.md`, {
      title,
      keys: [vscode.l10n.t("Model")],
      sums,
      unreadable: 0,
    });
  }

  /** Saves the usage in the active editor. */
  async save(): Promise<void> {
    const report = this.reports.get(this.documents.activeName() ?? "");
    if (report !== undefined) await saveCsv(csvOf(report), vscode.l10n.t("usage"));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async show(name: string, report: Report): Promise<void> {
    this.reports.set(name, report);
    this.documents.update(name);
    await this.documents.show(name);
  }

  /** Reads all conversations; returns the number that could not be read. */
  private async read(
    sums: UsageSums,
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    signal: AbortSignal,
  ): Promise<number> {
    const { journal } = this.conversations.history;
    // Ids begin with the time, so an original comes before its copies.
    const ids = (await journal.list()).toSorted();
    const slice = new TimeSlice(systemClock, signal);
    let unreadable = 0;
    let percent = 0;
    for (const [index, id] of ids.entries()) {
      try {
        const steps = await journal.loadSteps(id, signal);
        await sums.add(steps ?? [], () => slice.pause());
      } catch (error) {
        signal.throwIfAborted();
        unreadable += 1;
        this.log.warn(`usage: a conversation could not be read (${describeError(error)})`);
      }
      const pause = slice.pause();
      if (pause) await pause;
      const done = Math.floor((100 * (index + 1)) / ids.length);
      if (done === percent) continue;
      progress.report({ increment: done - percent, message: `${done}%` });
      percent = done;
    }
    return unreadable;
  }
}

/** Newest day first; models by name. */
function rowsOf({ sums }: Report) {
  return [...sums.sums.values()].toSorted((a, b) => {
    const [first, second] = [a.keys, b.keys];
    if (first.length === 1) return (first[0] ?? "").localeCompare(second[0] ?? "");
    const byDay = (second[0] ?? "").localeCompare(first[0] ?? "");
    return byDay === 0 ? (first[1] ?? "").localeCompare(second[1] ?? "") : byDay;
  });
}

function headings(): string[] {
  const { t } = vscode.l10n;
  return [t("Requests"), t("Tokens sent"), t("Tokens received"), t("Pictures sent")];
}

function markdownOf(report: Report): string {
  const { title, keys, unreadable } = report;
  const rows = rowsOf(report);
  const line = (cells: readonly string[]) => `| ${cells.map(escapedCell).join(" | ")} |`;
  const table = [
    line([...keys, ...headings()]),
    `|${keys.map(() => " --- |").join("")}${headings()
      .map(() => " ---: |")
      .join("")}`,
    ...rows.map(({ keys: own, usage }) => line([...own, ...cellsOf(usage)])),
  ];
  return [
    `# ${escapedCell(title)}`,
    "",
    ...(rows.length > 0 ? table : [vscode.l10n.t("No request was sent yet.")]),
    "",
    vscode.l10n.t(
      "~: at least a part is an estimate, because the service reported no count. A continued reply counts with each of its requests; in a conversation that was imported, forked or saved later, only with the last. Requests for titles and summaries, other extensions, and deleted or forgotten messages are not counted.",
    ),
    ...(unreadable > 0
      ? ["", vscode.l10n.t("{0} conversations could not be read.", unreadable)]
      : []),
    "",
  ].join("\n");
}

function cellsOf(usage: ModelUsage): string[] {
  const { requests, sentTokens, receivedTokens, pictures } = usage;
  return [
    String(requests),
    `${usage.isSentEstimated ? "~" : ""}${sentTokens}`,
    `${usage.isReceivedEstimated ? "~" : ""}${receivedTokens}`,
    String(pictures),
  ];
}

/** Numbers are plain, with a column that says if they are estimates. */
function csvOf(report: Report): string {
  const { t } = vscode.l10n;
  const [requests = "", sent = "", received = "", pictures = ""] = headings();
  const estimated = (of: string) => t("{0}: estimated", of);
  const head = [
    ...report.keys,
    requests,
    sent,
    estimated(sent),
    received,
    estimated(received),
    pictures,
  ];
  const mark = (isEstimated: boolean) => (isEstimated ? "~" : "");
  const rows = rowsOf(report).map(({ keys, usage }) => [
    ...keys,
    String(usage.requests),
    String(usage.sentTokens),
    mark(usage.isSentEstimated),
    String(usage.receivedTokens),
    mark(usage.isReceivedEstimated),
    String(usage.pictures),
  ]);
  return tableCsv({ rows: [head, ...rows] });
}

function escapedCell(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

/** Returns the local day: "2026-11-26". */
function dayOf(atMs: number): string {
  const day = new Date(atMs);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
