/** Reads the problems of lines again after a fix, once a language extension has reported them. */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import type { FollowedLines } from "../platform/followedLines";
import { problemsIn, spanOf } from "../platform/sourceText";

/** Longest wait for a report, in milliseconds; linters of saved files report nothing. */
const REPORT_WITHIN_MS = 10_000;

/** Time without a further report, in milliseconds: extensions report syntax and types one by one. */
const SETTLED_MS = 700;

/** Time between two looks, in milliseconds. */
const LOOK_MS = 100;

/** Times of the reports of the window's documents since their last change. */
export class ProblemReports implements Disposable {
  private readonly owned = new Disposables();
  private readonly reportedAtMs = new Map<string, number>();

  constructor() {
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.reportedAtMs.delete(document.uri.toString());
      }),
    );
    this.owned.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.reportedAtMs.set(uri.toString(), systemClock.elapsedMs());
      }),
    );
  }

  /** Returns the errors and warnings in some lines; undefined if nothing reports them. */
  async left(lines: FollowedLines): Promise<number | undefined> {
    const { uri } = lines.document;
    const untilMs = systemClock.elapsedMs() + REPORT_WITHIN_MS;
    for (;;) {
      const nowMs = systemClock.elapsedMs();
      const reportedAtMs = this.reportedAtMs.get(uri.toString());
      if (reportedAtMs !== undefined && nowMs - reportedAtMs >= SETTLED_MS) break;
      if (nowMs > untilMs || lines.document.isClosed) return undefined;
      await new Promise<void>((resolve) => systemClock.after(LOOK_MS, resolve));
    }
    return problemsIn(uri, spanOf(lines.current)).filter(
      ({ severity }) => severity === "error" || severity === "warning",
    ).length;
  }

  dispose(): void {
    this.owned.dispose();
  }
}
