/**
 * Applies all code of a reply as one change: all files in VS Code's multi-file diff, with the blocks
 * that are not used. Keep writes them in one step, which one undo reverts. Loaded on first use.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import type { ChangeSet, FileChange } from "../../replyCode/changeSet";
import { rangeOfChange } from "../../replyCode/findTarget";
import { confirmedText } from "../access/confirmInsert";
import { mayWrite, reasonOf, writeConcernOf, type WriteConcern } from "../access/writeAccess";
import { eolOf } from "../inline/editTarget";
import { REVIEW_SCHEME } from "../platform/contributions";
import { pathOf } from "../platform/sourceText";
import { notesOf, type UnusedCode } from "./reviewNotes";
import { WorkspaceFiles } from "./workspaceFiles";

/** Context key for the buttons in the title of the review. */
const REVIEWING_KEY = "coreChat.reviewing";

/** File of the change. */
export interface ReplyFile {
  readonly kind: FileChange["kind"];
  readonly uri: vscode.Uri;
  /** Earlier URI of a file that is moved. */
  readonly from: vscode.Uri | undefined;
  /** Document of the file as it is; undefined for a new file. */
  readonly document: vscode.TextDocument | undefined;
  readonly lines: readonly string[];
  /** Reason why Keep asks; such a file is kept only if the user chooses it. */
  readonly concern: WriteConcern | undefined;
}

/** Changes of a reply that the user reviews. */
export interface ReplyChange {
  readonly markdown: string;
  readonly files: readonly ReplyFile[];
  readonly unused: readonly UnusedCode[];
  /** Texts of all files that the change was made from; undefined for a file that did not exist. */
  readonly texts: WorkspaceFiles;
}

/** Reviews the changes of a reply, one at a time. */
export class ReplyReview implements Disposable {
  private readonly owned = new Disposables();
  /** Texts of the proposed files by their URI. */
  private readonly proposed = new Map<string, string>();
  private current: ReplyChange | undefined;

  constructor(private readonly log: Log) {
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, {
        provideTextDocumentContent: (uri) => this.proposed.get(uri.toString()) ?? "",
      }),
    );
    const { onDidChangeTabs, onDidChangeTabGroups } = vscode.window.tabGroups;
    this.owned.add(onDidChangeTabGroups(() => this.updateKey()));
    this.owned.add(
      onDidChangeTabs(({ closed }) => {
        if (closed.some(isReview) && reviewTabs().length === 0) this.current = undefined;
        this.updateKey();
      }),
    );
  }

  /** The change that is reviewed. */
  get change(): ReplyChange | undefined {
    return this.current;
  }

  /** True if the review is the active editor. */
  get isActive(): boolean {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return this.current !== undefined && tab !== undefined && isReview(tab);
  }

  /** Shows the changes of a reply; a review that is open is closed. Nothing is written. */
  async open(markdown: string): Promise<void> {
    const confirmed = await confirmedText(markdown, undefined);
    if (confirmed === undefined) return;
    await this.discard();
    const change = await changeOf(confirmed);
    if (change.files.length === 0) {
      await this.showNothing(change);
      return;
    }
    this.current = change;
    const notes = notesOf(change);
    const noted = notes === "" ? [] : [this.notesIn(change, notes)];
    const resources = [...noted, ...change.files.map((file) => this.resourceOf(file))];
    await vscode.commands.executeCommand("vscode.changes", titleOf(change), resources);
    this.updateKey();
  }

  /** Keeps all files; if some need a question, the user chooses. False if nothing was written. */
  async keep(): Promise<boolean> {
    const { current } = this;
    if (current === undefined) return false;
    const isOrdinary = current.files.every(({ concern }) => concern === undefined);
    return isOrdinary ? this.keepFiles(current, current.files) : this.choose();
  }

  /** Asks for the files to keep and keeps them; the others stay as they are. */
  async choose(): Promise<boolean> {
    const { current } = this;
    if (current === undefined) return false;
    const items = current.files.map((file) => ({
      label: pathOf(file.uri),
      description: kindOf(file),
      ...(file.concern && { detail: `$(warning) ${markOf(file.concern)}` }),
      picked: file.concern === undefined,
      file,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: vscode.l10n.t("Changes of the reply"),
      placeHolder: vscode.l10n.t("Select the files to keep. The others stay as they are."),
    });
    if (chosen === undefined || chosen.length === 0) return false;
    const files = chosen.map(({ file }) => file);
    return this.keepFiles(current, files);
  }

  /** Closes the review; all files stay as they are. */
  async discard(): Promise<void> {
    this.current = undefined;
    await vscode.window.tabGroups.close(reviewTabs());
    this.proposed.clear();
    this.updateKey();
  }

  dispose(): void {
    this.current = undefined;
    this.owned.dispose();
  }

  /** Writes files in one step; false if the user cancels, or if a file has changed meanwhile. */
  private async keepFiles(change: ReplyChange, files: readonly ReplyFile[]): Promise<boolean> {
    const together = files.map(({ uri }) => uri);
    for (const file of files) {
      const text = file.lines.join("\n");
      for (const uri of [file.uri, file.from]) {
        if (uri !== undefined && !(await mayWrite(uri, { text, together }))) return false;
      }
    }
    const unsaved = files.find(({ kind, document }) => kind === "delete" && document?.isDirty);
    if (unsaved !== undefined) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "Nothing was changed: the reply deletes {0}, which has unsaved changes. Save or revert them first.",
          pathOf(unsaved.uri),
        ),
      );
      return false;
    }
    const uris = files.flatMap(({ uri, from }) => (from ? [uri, from] : [uri]));
    const stale = await change.texts.firstChanged(uris);
    if (stale !== undefined) {
      void this.askToReviewAgain(change, stale);
      return false;
    }
    // The review may have been closed while a question was open.
    if (this.current !== change) return false;
    if (!(await this.write(files))) return false;
    await this.discard();
    const shown =
      files.find(({ kind }) => kind === "edit") ?? files.find((one) => one.lines.length);
    if (shown !== undefined) await vscode.window.showTextDocument(shown.uri, { preview: false });
    return true;
  }

  private async askToReviewAgain(change: ReplyChange, uri: vscode.Uri): Promise<void> {
    const again = vscode.l10n.t("Review Again");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        "Nothing was changed: {0} is no longer as it was when the review opened.",
        pathOf(uri),
      ),
      again,
    );
    if (chosen === again) await this.open(change.markdown);
  }

  private async write(files: readonly ReplyFile[]): Promise<boolean> {
    try {
      if (await vscode.workspace.applyEdit(workspaceEditOf(files))) return true;
      this.log.warn("apply all: VS Code refused the change");
    } catch (error) {
      this.log.warn(`apply all: the files could not be changed (${describeError(error)})`);
    }
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "Not all files could be changed. Undo reverts those that were; check whether the others are read-only.",
      ),
    );
    return false;
  }

  /** Explains why no block is used. */
  private async showNothing(change: ReplyChange): Promise<void> {
    const isNamed = change.unused.some(({ why }) => why !== "no-file");
    const details = vscode.l10n.t("Show Details");
    const chosen = await vscode.window.showInformationMessage(
      isNamed
        ? vscode.l10n.t("No code block of this reply changes a file.")
        : vscode.l10n.t(
            "No code block of this reply names a file. Use Apply on a block, or ask for the file names.",
          ),
      ...(isNamed ? [details] : []),
    );
    if (chosen !== details) return;
    const content = notesOf(change);
    const document = await vscode.workspace.openTextDocument({ content, language: "markdown" });
    await vscode.window.showTextDocument(document);
  }

  private resourceOf(file: ReplyFile): readonly (vscode.Uri | undefined)[] {
    const { kind, uri, from, lines } = file;
    const before = kind === "create" ? undefined : (from ?? uri);
    return [uri, before, kind === "delete" ? undefined : this.propose(uri.path, lines.join("\n"))];
  }

  private notesIn({ unused }: ReplyChange, notes: string): readonly vscode.Uri[] {
    const name = unused.length > 0 ? vscode.l10n.t("Not used") : vscode.l10n.t("Asked about");
    const uri = this.propose(`/${name}.md`, notes);
    return [uri, this.propose(`/${name}.md`, ""), uri];
  }

  private propose(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: REVIEW_SCHEME, path, query: newId() });
    this.proposed.set(uri.toString(), text);
    return uri;
  }

  private updateKey(): void {
    void vscode.commands.executeCommand("setContext", REVIEWING_KEY, this.isActive);
  }
}

/** Makes the changes of a reply. Files of a Git directory are refused: the user did not name them. */
export async function changeOf(markdown: string): Promise<ReplyChange> {
  const { changeSetOf } = await import("../../replyCode/changeSet");
  const texts = new WorkspaceFiles();
  const set: ChangeSet = await changeSetOf(markdown, (name) => texts.find(name));
  const unused: UnusedCode[] = [...set.unused];
  const files: ReplyFile[] = [];
  const together = set.changes.map(({ path }) => texts.uriOf(path));
  for (const { kind, path, from: old, lines } of set.changes) {
    const uri = texts.uriOf(path);
    const from = old === undefined ? undefined : texts.uriOf(old);
    const written = { text: lines.join("\n"), together };
    const concerns = [
      await writeConcernOf(uri, written),
      from && (await writeConcernOf(from, written)),
    ].filter((one) => one !== undefined);
    const git = concerns.find(({ why }) => why === "git");
    if (git !== undefined) unused.push({ path, lines, info: "", why: git });
    else {
      const document = texts.documentOf(from ?? uri);
      files.push({ kind, uri, from, document, lines, concern: concerns[0] });
    }
  }
  return { markdown, files, unused, texts };
}

/**
 * Returns the edit of all files. File operations come first and text edits last: so VS Code makes two
 * steps of them, which it undoes as one.
 */
function workspaceEditOf(files: readonly ReplyFile[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { kind, uri, from, lines } of files) {
    if (from !== undefined) edit.renameFile(from, uri, { overwrite: false });
    if (kind === "delete") edit.deleteFile(uri);
    if (kind !== "create") continue;
    const contents = new TextEncoder().encode(lines.join("\n"));
    edit.createFile(uri, { overwrite: false, contents });
  }
  for (const { kind, uri, document, lines } of files) {
    if (document === undefined || kind === "delete") continue;
    const before = document.getText().split(/\r\n|\r|\n/);
    if (before.join("\n") === lines.join("\n")) continue;
    const { startLine, endLine, lines: changed } = rangeOfChange(before, lines);
    const end = document.lineAt(endLine - 1).range.end;
    const range = new vscode.Range(new vscode.Position(startLine, 0), end);
    edit.replace(uri, range, changed.join(eolOf(document)));
  }
  return edit;
}

function titleOf({ unused }: ReplyChange): string {
  const title = vscode.l10n.t("Changes of the reply");
  return unused.length === 0 ? title : `${title}, ${vscode.l10n.t("{0} not used", unused.length)}`;
}

function kindOf({ kind, from }: ReplyFile): string {
  switch (kind) {
    case "edit":
      return "";
    case "create":
      return vscode.l10n.t("New file");
    case "delete":
      return vscode.l10n.t("Deleted");
    case "move":
      return vscode.l10n.t("Moved from {0}", from === undefined ? "" : pathOf(from));
    default:
      return kind satisfies never;
  }
}

export function markOf(concern: WriteConcern): string {
  return vscode.l10n.t("Asks before it is kept: {0}", reasonOf(concern));
}

/** Returns true for the tab of a review. VS Code's API has no type for tabs of several files. */
function isReview({ input, label }: vscode.Tab): boolean {
  const isOfFiles = typeof input === "object" && input !== null && "textDiffs" in input;
  return isOfFiles && label.startsWith(vscode.l10n.t("Changes of the reply"));
}

function reviewTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isReview);
}
