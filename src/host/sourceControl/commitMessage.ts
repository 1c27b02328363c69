/** Generates the commit message for the source control input box, which receives it when the reply ends. */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import type { TurnEvent } from "../../ask/ask";
import { askOnce } from "../../ask/askOnce";
import type { Failure } from "../../conversation/ending";
import { withoutSecrets } from "../../secrets/secretText";
import type { NotePart, UserMessage } from "../../conversation/message";
import { commitReply } from "../../replyCode/commitReply";
import { commitQuestion } from "../../edit/commitText";
import { failureNotice } from "../messages/failureMessages";
import type { AskService } from "../settings/askService";
import { changesOf } from "../context/changes";
import { gitRepositories, type GitRepository } from "../access/git";
import { confirmedText } from "../access/confirmInsert";
import { namesOnlySentence } from "../access/textFiles";
import { isRetry, plainNotice } from "../messages/notices";
import { plainLabel } from "../messages/plainLabel";
import { showError, showInformation } from "../platform/messages";

/** Number of earlier commits that show the style. */
const RECENT_COMMITS = 8;

/** True while a message is being written; the Stop button is visible then. */
const RUNNING_KEY = "coreChat.commitMessageRunning";

export interface CommitMessageOptions {
  readonly ask: AskService;
  /** Returns the rules of the project for the changed files. */
  readonly rulesFor: (uris: readonly vscode.Uri[]) => Promise<NotePart | undefined>;
  readonly runAction: (action: NoticeAction) => void;
  readonly log: Log;
}

/** The two commands of the source control title. */
export class CommitMessages implements Disposable {
  private readonly running = new Map<string, AbortController>();

  private readonly saidLeftOut = new Set<string>();

  constructor(private readonly options: CommitMessageOptions) {}

  /** @param argument source control of the pressed button, if any */
  async generate(argument: unknown): Promise<void> {
    const repository = await chooseRepository(argument);
    if (repository === undefined) return;
    const root = repository.rootUri.toString();
    if (this.running.has(root)) return;
    const controller = new AbortController();
    this.running.set(root, controller);
    this.showRunning();
    try {
      const location = vscode.ProgressLocation.SourceControl;
      await vscode.window.withProgress({ location }, () => this.write(repository, controller));
    } catch (error) {
      this.options.log.error(`commit message: failed (${describeError(error)})`);
      showError(vscode.l10n.t("Could not read the changes from Git. Check the repository."));
    } finally {
      this.running.delete(root);
      this.showRunning();
    }
  }

  /** Stops the replies; text that has arrived goes into the box. */
  stop(): void {
    for (const controller of this.running.values()) controller.abort(new Error("stopped"));
  }

  dispose(): void {
    this.stop();
  }

  private async write(repository: GitRepository, controller: AbortController): Promise<void> {
    const changes = await changesOf(repository);
    if (changes === undefined) {
      showInformation(vscode.l10n.t("There are no changes to describe. Make a change first."));
      return;
    }
    this.showLeftOut(changes.leftOut);
    const { inputBox } = repository;
    const draft = inputBox.value;
    const asked = commitQuestion({
      ...changes,
      begun: draft,
      recentSubjects: await subjects(repository),
    });
    const rules = await this.options.rulesFor(changedFiles(repository, changes.isStaged));
    const parts = rules === undefined ? asked : [rules, ...asked];
    const question: UserMessage = {
      role: "user",
      id: newId(),
      parentId: null,
      parts,
      sentAtMs: Date.now(),
    };
    const sent = statusProgress();
    if (rules) sent.show(vscode.l10n.t("Commit message: {0}", `${rules.label} (${rules.detail})`));
    const thinking = statusProgress();
    const show = ({ type }: TurnEvent) => {
      if (type === "text-delta") thinking.end();
      else if (type === "reasoning-delta") {
        thinking.show(vscode.l10n.t("Commit message: Thinking…"));
      }
    };
    const answer = await askOnce(this.options.ask([question], controller.signal), show).finally(
      () => {
        thinking.end();
        sent.end();
      },
    );
    const { ending } = answer;
    if (ending.kind === "failed") this.showFailure(ending.failure);
    const text = commitReply(answer.text, ending.kind === "complete");
    if (text === "" && ending.kind === "complete") {
      showInformation(vscode.l10n.t("The reply contained no commit message. Try again."));
    }
    const message = text === "" ? undefined : await confirmedText(text);
    if (message !== undefined) void writeMessage(inputBox, message, draft);
  }

  /** Reports the files of which only the names were sent; the same list is reported once. */
  private showLeftOut(paths: readonly string[]): void {
    const sentence = namesOnlySentence(paths);
    if (paths.length === 0 || this.saidLeftOut.has(sentence)) return;
    this.saidLeftOut.add(sentence);
    showInformation(sentence);
  }

  private showFailure(failure: Failure): void {
    const notice = failureNotice(failure, false);
    const { action } = notice;
    // The message has no "Try again" button, because the button in the title does the same.
    const offered = action === undefined || isRetry(action.id) ? [] : [action];
    void vscode.window
      .showErrorMessage(plainNotice(notice), ...offered.map(({ label }) => label))
      .then((chosen) => {
        for (const { id, label } of offered) if (label === chosen) this.options.runAction(id);
      });
  }

  private showRunning(): void {
    const isRunning = this.running.size > 0;
    void vscode.commands.executeCommand("setContext", RUNNING_KEY, isRunning);
  }
}

/**
 * Returns a progress in the status bar: the progress of the source control view has no text. VS Code
 * shows the one that began last.
 */
function statusProgress(): { show(title: string): void; end(): void } {
  let end: (() => void) | undefined;
  return {
    show(title) {
      if (end !== undefined) return;
      const location = vscode.ProgressLocation.Window;
      const ended = new Promise<void>((resolve) => (end = resolve));
      void vscode.window.withProgress({ location, title }, () => ended);
    },
    end() {
      end?.();
      end = undefined;
    },
  };
}

/**
 * Writes a message in place of a draft, which can be restored. Asks first if the user edited the draft
 * while the reply arrived.
 */
async function writeMessage(
  inputBox: GitRepository["inputBox"],
  message: string,
  draft: string,
): Promise<void> {
  const isChosen = async (sentence: string, button: string) =>
    (await vscode.window.showInformationMessage(sentence, button)) === button;
  const edited = vscode.l10n.t("You edited the commit message, so it was not replaced.");
  if (inputBox.value !== draft && !(await isChosen(edited, vscode.l10n.t("Replace")))) return;
  const replaced = inputBox.value;
  inputBox.value = message;
  if (replaced.trim() === "") return;
  const restore = vscode.l10n.t("Restore Draft");
  const isRestored = await isChosen(vscode.l10n.t("Your draft was replaced."), restore);
  if (isRestored && inputBox.value === message) inputBox.value = replaced;
}

/** Returns the repository of the pressed button, the only repository, or the user's choice. */
async function chooseRepository(argument: unknown): Promise<GitRepository | undefined> {
  const repositories = await gitRepositories();
  const root = rootOf(argument);
  const ofRoot = repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (ofRoot !== undefined) return ofRoot;
  if (repositories.length <= 1) {
    if (repositories[0] === undefined) {
      showInformation(vscode.l10n.t("No Git repository is open. Open a folder that contains one."));
    }
    return repositories[0];
  }
  const items = repositories.map((repository) => ({
    label: plainLabel(repository.rootUri.path.split("/").at(-1) ?? ""),
    description: plainLabel(repository.rootUri.fsPath),
    repository,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Generate Commit Message"),
  });
  return chosen?.repository;
}

function rootOf(argument: unknown): string | undefined {
  const root: unknown =
    typeof argument === "object" && argument !== null && "rootUri" in argument
      ? argument.rootUri
      : undefined;
  return root instanceof vscode.Uri ? root.toString() : undefined;
}

function changedFiles({ state }: GitRepository, isStaged: boolean): vscode.Uri[] {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  const changes = isStaged ? indexChanges : [...workingTreeChanges, ...untrackedChanges];
  return changes.map(({ uri }) => uri);
}

/** Returns the subjects of the last commits; empty for a repository without commits. */
async function subjects(repository: GitRepository): Promise<string[]> {
  try {
    const commits = await repository.log({ maxEntries: RECENT_COMMITS });
    return commits.map(({ message }) => withoutSecrets(message.split("\n")[0] ?? ""));
  } catch {
    return [];
  }
}
