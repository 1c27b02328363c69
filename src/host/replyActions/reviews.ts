/**
 * Shows changes of a reply before they are written: a block in VS Code's diff, a whole reply with all
 * its files in the multi-file diff. Keep writes a change in one step, which one undo reverts; closing
 * its tab discards it. Loaded on first use.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import { changedSpan } from "../../replyCode/hunks";
import { mayWrite, reasonOf } from "../access/writeAccess";
import type { UnusedCode } from "../../chat/view/viewUpdater";
import { PROPOSAL_SCHEME } from "../platform/contributions";
import { pathOf } from "../platform/sourceText";
import { changeOfBlock } from "./blockChange";
import {
  isCurrent,
  plannedText,
  questionAbout,
  workspaceEditOf,
  type PlannedFile,
} from "./plannedFile";
import { changeOf, type PlannedChange } from "./replyChange";
import { unusedNotice } from "./reviewNotes";
import { plainLabel } from "../messages/plainLabel";

/** Context key for the buttons in the title of a review of several files. */
const REVIEWING_KEY = "coreChat.reviewing";

/** Key of the review of a whole reply; that of a block is the URI of its proposal. */
const WHOLE_REPLY = "";

interface Review extends PlannedChange {
  readonly key: string;
  /** Makes the change again, of the files as they are then. */
  readonly renew: () => Promise<void>;
}

export class Reviews implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly open = new Map<string, Review>();
  /** Files by the URI of their proposed text. */
  private readonly proposed = new Map<string, PlannedFile>();

  constructor(private readonly log: Log) {
    const { onDidChangeTabs, onDidChangeTabGroups } = vscode.window.tabGroups;
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, {
        onDidChange: this.changes.event,
        provideTextDocumentContent: (uri) => {
          const file = this.proposed.get(uri.toString());
          return file && (plannedText(file) ?? file.lines.join("\n"));
        },
      }),
    );
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const [uri, { source }] of this.proposed) {
          if (source.toString() === document.uri.toString()) {
            this.changes.fire(vscode.Uri.parse(uri));
          }
        }
      }),
    );
    this.owned.add(onDidChangeTabGroups(() => this.updateKey()));
    this.owned.add(
      onDidChangeTabs(({ closed }) => {
        for (const tab of closed) {
          const key = keyOf(tab);
          if (key !== undefined && tabsOf(key).length === 0) this.open.delete(key);
        }
        this.updateKey();
      }),
    );
  }

  get active(): PlannedChange | undefined {
    return this.reviewFor();
  }

  /**
   * Shows the diff for a block; resolves when the diff is open or cannot be shown. A file that the reply
   * names for the block is changed as by all blocks together.
   */
  async propose(code: string, markdown = ""): Promise<void> {
    const change = await changeOf(markdown, code);
    if (change === undefined) return;
    const [first, ...others] = change.files;
    const renew = () => this.propose(code, markdown);
    if (others.length > 0 || (first && first.kind !== "edit")) return this.show(change, renew);
    const unplaced = change.unused.find(({ why }) => why !== "other-language");
    const file = first ?? (await changeOfBlock(code, unplaced?.path));
    if (file === undefined) return;
    const { uri, concern, before, lines } = file;
    const proposal = this.addText(uri, file);
    const key = proposal.toString();
    this.open.set(key, {
      key,
      files: [file],
      unused: [],
      renew: async () => {
        await this.discard(proposal);
        await vscode.window.showTextDocument(uri);
        await renew();
      },
    });
    const title = concern
      ? vscode.l10n.t("{0}: Current ↔ Proposed ({1})", pathOf(uri), reasonOf(concern))
      : vscode.l10n.t("{0}: Current ↔ Proposed", pathOf(uri));
    const options = { preview: false, selection: startOf(before, lines) };
    await vscode.commands.executeCommand("vscode.diff", uri, proposal, title, options);
  }

  /**
   * Shows the changes of a whole reply; an earlier review of this kind is closed.
   * @returns the code that is not used, for a line below the reply
   */
  async proposeAll(markdown: string): Promise<UnusedCode | undefined> {
    const change = await changeOf(markdown);
    if (change === undefined) return undefined;
    const renew = async () => {
      await this.proposeAll(markdown);
    };
    await this.show(change, renew);
    return unusedNotice(change);
  }

  private async show(change: PlannedChange, renew: () => Promise<void>): Promise<void> {
    await this.close(WHOLE_REPLY);
    if (change.files.length === 0) {
      showNothing(change);
      return;
    }
    this.open.set(WHOLE_REPLY, { ...change, key: WHOLE_REPLY, renew });
    const resources = change.files.map((file) => {
      const { kind, uri, source } = file;
      const after = kind === "delete" ? undefined : this.addText(uri, file);
      return [uri, kind === "create" ? undefined : source, after];
    });
    await vscode.commands.executeCommand("vscode.changes", reviewTitle(), resources);
    this.updateKey();
  }

  /**
   * Writes the change of the active tab, or of the given proposal. If files of a whole reply need a
   * question, the user chooses the files.
   * @returns false if nothing was written
   */
  async keep(argument?: unknown): Promise<boolean> {
    const review = this.reviewFor(argument);
    if (review === undefined) return showNoReview();
    const isAsked = review.files.some((file) => questionAbout(file) !== undefined);
    return isAsked && review.key === WHOLE_REPLY ? this.choose() : this.write(review, review.files);
  }

  /** Asks for the files of a whole reply to keep, and writes them; the others stay as they are. */
  async choose(): Promise<boolean> {
    const review = this.open.get(WHOLE_REPLY);
    if (review === undefined) return showNoReview();
    const items = review.files.map((file) => {
      const question = questionAbout(file) ?? "";
      const detail = `$(warning) ${vscode.l10n.t("Asks before it is kept: {0}", question)}`;
      return {
        label: plainLabel(pathOf(file.uri)),
        description: kindOf(file),
        ...(question !== "" && { detail }),
        picked: question === "",
        file,
      };
    });
    const chosen = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: reviewTitle(),
      placeHolder: vscode.l10n.t("Select the files to keep. The others stay as they are."),
    });
    if (chosen === undefined || chosen.length === 0) return false;
    const files = chosen.map(({ file }) => file);
    return this.write(review, files);
  }

  /** Closes the active review, or that of the given proposal; the files stay unchanged. */
  async discard(argument?: unknown): Promise<void> {
    const key = keyFor(argument);
    if (key === undefined) showNoReview();
    else await this.close(key);
  }

  dispose(): void {
    this.owned.dispose();
    this.open.clear();
  }

  private async write(review: Review, files: readonly PlannedFile[]): Promise<boolean> {
    const together = files.map(({ uri }) => uri);
    for (const file of files) {
      const text = plannedText(file) ?? "";
      for (const uri of new Set([file.uri, file.source])) {
        if (!(await mayWrite(uri, { text, together }))) return false;
      }
    }
    for (const file of files) {
      if (await isCurrent(file)) continue;
      void askToRenew(review, file);
      return false;
    }
    // The review may have been closed while a question was open.
    if (this.open.get(review.key) !== review) return false;
    const [first] = files.filter(({ kind }) => kind === "edit" || kind === "move").concat(files);
    const edit = await workspaceEditOf(files);
    this.open.delete(review.key);
    if (!(await this.tryApply(edit, files))) {
      this.open.set(review.key, review);
      return false;
    }
    await this.close(review.key);
    if (first === undefined || first.kind === "delete") return true;
    const selection = startOf(first.before, first.lines);
    await vscode.window.showTextDocument(first.uri, { preview: false, selection });
    return true;
  }

  private async tryApply(
    edit: vscode.WorkspaceEdit,
    files: readonly PlannedFile[],
  ): Promise<boolean> {
    try {
      if (await vscode.workspace.applyEdit(edit)) return true;
      this.log.warn("apply: VS Code refused the change");
    } catch (error) {
      this.log.warn(`apply: the file could not be changed (${describeError(error)})`);
    }
    const [only, ...others] = files.map(({ uri }) => pathOf(uri));
    void vscode.window.showErrorMessage(
      others.length === 0
        ? vscode.l10n.t("{0} could not be changed. Check whether it is read-only.", only ?? "")
        : vscode.l10n.t(
            "Not all files could be changed. Undo reverts those that were; check whether the others are read-only.",
          ),
    );
    return false;
  }

  private async close(key: string): Promise<void> {
    this.open.delete(key);
    await vscode.window.tabGroups.close(tabsOf(key));
    if (this.open.size === 0) this.proposed.clear();
    this.updateKey();
  }

  private reviewFor(argument?: unknown): Review | undefined {
    const key = keyFor(argument);
    return key === undefined ? undefined : this.open.get(key);
  }

  private addText({ path }: vscode.Uri, proposed: PlannedFile): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path, query: newId() });
    this.proposed.set(uri.toString(), proposed);
    return uri;
  }

  private updateKey(): void {
    const isShown = this.reviewFor()?.key === WHOLE_REPLY;
    void vscode.commands.executeCommand("setContext", REVIEWING_KEY, isShown);
  }
}

async function askToRenew({ renew }: Review, { kind, uri, source }: PlannedFile): Promise<void> {
  const again = vscode.l10n.t("Review Again");
  const chosen = await vscode.window.showWarningMessage(
    kind === "delete"
      ? vscode.l10n.t(
          "Nothing was changed: {0}, which the reply deletes, has changed. Save it and review again.",
          pathOf(source),
        )
      : vscode.l10n.t(
          "Nothing was changed: {0} has changed where the reply changes it.",
          pathOf(kind === "edit" ? source : uri),
        ),
    again,
  );
  if (chosen === again) await renew();
}

/** Explains why no file is changed; a line below the reply shows the blocks. */
function showNothing({ unused }: PlannedChange): void {
  const isUnnamed = unused.every(({ why }) => why === "no-file");
  void vscode.window.showInformationMessage(
    isUnnamed
      ? vscode.l10n.t(
          "No code block of this reply names a file. Use Apply on a block, or ask for the file names.",
        )
      : vscode.l10n.t(
          "No code block of this reply changes a file. The reasons are below the reply.",
        ),
  );
}

/** Returns the title of the review of a whole reply, to which VS Code adds the number of files. */
function reviewTitle(): string {
  return vscode.l10n.t("Changes from the reply");
}

function kindOf({ kind, source }: PlannedFile): string {
  if (kind === "create") return vscode.l10n.t("New file");
  if (kind === "delete") return vscode.l10n.t("Deleted");
  return kind === "move" ? vscode.l10n.t("Moved from {0}", pathOf(source)) : "";
}

function startOf(before: readonly string[], lines: readonly string[]): vscode.Range {
  const { start } = changedSpan(before, lines);
  return new vscode.Range(start, 0, start, 0);
}

/** Explains a button that finds no review, such as in a tab of an earlier window. */
function showNoReview(): false {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("This review has ended, and nothing was changed. Apply the code again."),
  );
  return false;
}

/**
 * Returns the key of the review that a command means: that of the given proposal, or that of the
 * active tab. For a tab of several files, VS Code passes an address of its own to title actions.
 */
function keyFor(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri && argument.scheme === PROPOSAL_SCHEME) {
    return argument.toString();
  }
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && keyOf(tab);
}

/** Returns the key of the review in a tab. VS Code's API has no type for tabs of several files. */
function keyOf({ input, label }: vscode.Tab): string | undefined {
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified.scheme === PROPOSAL_SCHEME ? input.modified.toString() : undefined;
  }
  const isOfFiles = typeof input === "object" && input !== null && "textDiffs" in input;
  const isOwn = label.startsWith(reviewTitle());
  return isOfFiles && isOwn ? WHOLE_REPLY : undefined;
}

function tabsOf(key: string): vscode.Tab[] {
  const { all } = vscode.window.tabGroups;
  return all.flatMap(({ tabs }) => tabs).filter((tab) => keyOf(tab) === key);
}
