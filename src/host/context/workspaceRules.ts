/**
 * Rules of the workspace for questions, inline edits and commit messages: off by the setting, by the
 * chip in the panel and in Restricted Mode. The files are read by ruleFiles.ts, which is lazy-loaded.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { DisposableOwner } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import type { ProjectRules } from "../../chat/view/editorContext";
import type { NotePart, Part } from "../../conversation/message";
import { SETTINGS_SECTION } from "../platform/contributions";
import { parsedUri } from "../platform/files";
import { readSettings } from "../settings/settings";
import type { RuleFiles } from "./ruleFiles";

/** Storage key of the workspace: true after the user removed the chip. */
const REMOVED_KEY = "coreChat.context.rulesRemoved";

export class WorkspaceRules extends DisposableOwner {
  private readonly changes = this.owned.add(new Emitter<void>());
  private files: RuleFiles | undefined;

  /** Fires when `current` may have changed. */
  readonly onChanged = this.changes.event;

  /** @param memory storage of the workspace */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly log: Log,
  ) {
    super();
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SETTINGS_SECTION}.context`)) this.changes.fire();
      }),
    );
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changes.fire()));
  }

  /** Returns the rules for a question with these parts, as far as the files are read. */
  current(parts: readonly Part[]): ProjectRules | undefined {
    if (!isAllowed()) return undefined;
    if (this.files === undefined) {
      void this.load().catch((error: unknown) => this.logFailure(error));
      return undefined;
    }
    const part = this.files.noteFor(urisIn(parts));
    return part && { part, isOn: this.isOn() };
  }

  /** Returns the rules to send with these parts; undefined if there are none. Never rejects. */
  readonly forQuestion = (parts: readonly Part[]): Promise<NotePart | undefined> =>
    this.forFiles(urisIn(parts));

  /** Returns the rules to send for these files; undefined if there are none. Never rejects. */
  readonly forFiles = async (uris: readonly vscode.Uri[]): Promise<NotePart | undefined> => {
    if (!isAllowed() || !this.isOn()) return undefined;
    try {
      const files = await this.load();
      await files.ready();
      return files.noteFor(uris);
    } catch (error) {
      this.logFailure(error);
      return undefined;
    }
  };

  switch(isOn: boolean): void {
    void this.memory.update(REMOVED_KEY, isOn ? undefined : true);
    this.changes.fire();
  }

  private readonly load = lazily(async () => {
    const { RuleFiles } = await import("./ruleFiles");
    const files = this.owned.add(new RuleFiles(systemClock));
    files.onChanged(() => this.changes.fire());
    this.files = files;
    return files;
  });

  private isOn(): boolean {
    return this.memory.get(REMOVED_KEY) !== true;
  }

  private logFailure(error: unknown): void {
    this.log.error(`rules: could not be read (${describeError(error)})`);
  }
}

function isAllowed(): boolean {
  return vscode.workspace.isTrusted && readSettings().settings["context.rules"];
}

function urisIn(parts: readonly Part[]): vscode.Uri[] {
  // An imported conversation can contain an invalid URI.
  return parts.flatMap((part) => (part.kind === "excerpt" ? (parsedUri(part.uri) ?? []) : []));
}
