/**
 * Writes the message of a commit into the box of VS Code's source control while the reply comes.
 * What the person types there meanwhile is theirs: the writing stops.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import type { NoticeAction } from "../../bridge/views";
import type { Ending, Failure } from "../../conversation/ending";
import type { UserMessage } from "../../conversation/message";
import { commitQuestion, commitText } from "../../inline/commitText";
import { failureNotice } from "../failureWords";
import type { AskService } from "./askService";
import { changesOf } from "./changes";
import { gitRepositories, type GitRepository } from "./git";
import { guardedText } from "./replyGuard";
import { namesOnlySentence } from "./textFiles";

/** How many earlier commits show the style. */
const RECENT_COMMITS = 8;

/** True while a message is being written; Stop is shown then. */
const RUNNING_KEY = "coreChat.commitMessageRunning";

/** What writing messages needs. */
export interface CommitPorts {
  readonly ask: AskService;
  readonly runAction: (action: NoticeAction) => void;
  readonly log: Log;
}

/** The two commands of the source-control title. */
export class CommitMessages implements Disposable {
  private readonly running = new Map<string, AbortController>();

  private readonly saidLeftOut = new Set<string>();

  constructor(private readonly ports: CommitPorts) {}

  /** @param argument the source control whose button was pressed, if it was one */
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
      this.ports.log.error(`commit message: failed (${describeError(error)})`);
      void vscode.window.showErrorMessage(
        vscode.l10n.t("The changes could not be read from git. Check the repository."),
      );
    } finally {
      this.running.delete(root);
      this.showRunning();
    }
  }

  /** Stops writing; what arrived stays in the box. */
  stop(): void {
    for (const controller of this.running.values()) controller.abort(new Error("stopped"));
  }

  dispose(): void {
    this.stop();
  }

  private async write(repository: GitRepository, controller: AbortController): Promise<void> {
    const changes = await changesOf(repository);
    if (changes === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t("There are no changes to describe. Change something first."),
      );
      return;
    }
    this.sayLeftOut(changes.leftOut);
    const { inputBox } = repository;
    const begun = inputBox.value;
    const parts = commitQuestion({ ...changes, begun, recentSubjects: await subjects(repository) });
    const question: UserMessage = {
      role: "user",
      id: newId(),
      parentId: null,
      parts,
      sentAtMs: Date.now(),
    };
    let reply = "";
    let written = begun;
    let ending: Ending = { kind: "stopped" };
    const put = (text: string): boolean => {
      if (inputBox.value !== written) return false;
      if (text !== written) inputBox.value = text;
      written = inputBox.value;
      return true;
    };
    for await (const event of this.ports.ask([question], controller.signal)) {
      if (event.type === "text-delta") {
        reply += event.text;
        const text = commitText(reply, false);
        // When the person types in the box, it is theirs.
        if (!put(text === "" ? written : text)) controller.abort(new Error("the person types"));
      } else if (event.type === "turn-ended") {
        ({ ending } = event);
      }
    }
    await this.end(reply, ending, begun, put);
  }

  private async end(
    reply: string,
    ending: Ending,
    begun: string,
    put: (text: string) => boolean,
  ): Promise<void> {
    if (ending.kind === "failed") this.sayFailed(ending.failure);
    const isWithdrawn = ending.kind === "withheld" && !ending.isTextKept;
    const text = isWithdrawn ? "" : commitText(reply, ending.kind === "complete");
    if (text === "") {
      put(begun);
      return;
    }
    const guarded = await guardedText(text, undefined);
    const isWritten = put(guarded ?? begun);
    if (isWritten && begun.trim() !== "" && guarded !== undefined) void offerBegun(begun, put);
  }

  /** Says once which files only the names were sent of. */
  private sayLeftOut(paths: readonly string[]): void {
    const sentence = namesOnlySentence(paths);
    if (paths.length === 0 || this.saidLeftOut.has(sentence)) return;
    this.saidLeftOut.add(sentence);
    void vscode.window.showInformationMessage(sentence);
  }

  private sayFailed(failure: Failure): void {
    const { text, action } = failureNotice(failure, false);
    // What a message's own buttons would do is a press on the same button here.
    const offered = action === undefined || action.id === "try-again" ? [] : [action];
    void vscode.window
      .showErrorMessage(text, ...offered.map(({ label }) => label))
      .then((chosen) => {
        for (const { id, label } of offered) if (label === chosen) this.ports.runAction(id);
      });
  }

  private showRunning(): void {
    const isRunning = this.running.size > 0;
    void vscode.commands.executeCommand("setContext", RUNNING_KEY, isRunning);
  }
}

async function offerBegun(begun: string, put: (text: string) => boolean): Promise<void> {
  const back = vscode.l10n.t("Bring Back My Text");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("The message you had begun was replaced."),
    back,
  );
  if (chosen === back) put(begun);
}

/** The repository whose button was pressed, the only one, or one the person chooses. */
async function chooseRepository(argument: unknown): Promise<GitRepository | undefined> {
  const repositories = await gitRepositories();
  const root = rootOf(argument);
  const named = repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (named !== undefined) return named;
  if (repositories.length <= 1) {
    if (repositories[0] === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t("No git repository is open. Open a folder that is one."),
      );
    }
    return repositories[0];
  }
  const items = repositories.map((repository) => ({
    label: repository.rootUri.path.split("/").at(-1) ?? "",
    description: repository.rootUri.fsPath,
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

/** First lines of the last commits; none in a repository without any. */
async function subjects(repository: GitRepository): Promise<string[]> {
  try {
    const commits = await repository.log({ maxEntries: RECENT_COMMITS });
    return commits.map(({ message }) => message.split("\n")[0] ?? "");
  } catch {
    return [];
  }
}
