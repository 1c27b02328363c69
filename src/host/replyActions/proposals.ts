/**
 * Implements "Apply in editor": shows a code block of a reply in VS Code's diff and writes the
 * block when the user accepts. Closing the diff discards the proposal. Loaded on first use.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import { PROPOSAL_SCHEME } from "../platform/contributions";
import { confirmedText } from "../access/confirmInsert";
import { pathOf, sourceOf } from "../platform/sourceText";
import { mayWrite, reasonOf, writeConcernOf } from "../access/writeAccess";
import { newPlaceholder } from "../../replyCode/placeholders";
import { isEditable } from "../inline/editable";
import { chooseTarget } from "./pickTarget";
import { Proposal } from "./proposal";

/** Schemes of documents that are no targets: output, other diffs, and proposals. */
const NO_TARGETS = new Set(["output", "git", "vscode-scm", "comment", PROPOSAL_SCHEME]);

/** All pending proposals. */
export class Proposals implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly open = new Map<string, Proposal>();

  constructor(private readonly log: Log) {
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, {
        onDidChange: this.changes.event,
        provideTextDocumentContent: (uri) => this.open.get(uri.toString())?.text ?? "",
      }),
    );
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        for (const proposal of this.open.values()) {
          if (proposal.document !== document) continue;
          proposal.applyChanges(contentChanges);
          this.changes.fire(proposal.uri);
        }
      }),
    );
    this.owned.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) {
          const uri = proposalUriIn(tab);
          if (uri !== undefined && tabsOf(uri).length === 0) this.open.delete(uri.toString());
        }
      }),
    );
  }

  /** Shows the diff for a block; resolves when the diff is open or cannot be shown. */
  async propose(code: string, named?: string): Promise<void> {
    const editors = this.targets();
    if (editors.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          "No file is open in an editor. Open the file that the code is for and apply again.",
        ),
      );
      return;
    }
    const text = await confirmedText(code, undefined);
    if (text === undefined) return;
    const target = await chooseTarget(text, editors, named);
    if (target === undefined) return;
    const { document, lines } = target;
    if (document.isClosed) return;
    if (!(await isEditable(document))) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t("{0} is read-only. Apply the code to another file.", pathOf(document.uri)),
      );
      return;
    }
    const leftOut = newPlaceholder(lines.lines, sourceOf(document).lines);
    if (leftOut !== undefined) {
      void vscode.window.showWarningMessage(placeholderSentence(pathOf(document.uri), leftOut));
      return;
    }
    const proposal = new Proposal(proposalUri(document.uri), document, lines);
    if (proposal.isEmpty) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          "{0} already contains this code, so nothing was changed.",
          pathOf(document.uri),
        ),
      );
      await vscode.window.showTextDocument(document, { selection: proposal.start });
      return;
    }
    this.open.set(proposal.uri.toString(), proposal);
    await this.showDiff(proposal);
  }

  /** Shows the difference between the file and a proposal. */
  private async showDiff(proposal: Proposal): Promise<void> {
    const { uri, target, start } = proposal;
    const concern = await writeConcernOf(target, proposal);
    const title = concern
      ? vscode.l10n.t("{0}: Current ↔ Proposed ({1})", pathOf(target), reasonOf(concern))
      : vscode.l10n.t("{0}: Current ↔ Proposed", pathOf(target));
    const options = { preview: false, selection: start };
    await vscode.commands.executeCommand("vscode.diff", target, uri, title, options);
  }

  /** Writes the proposal in the active diff, or the given proposal. */
  async keep(argument?: unknown): Promise<void> {
    const proposal = this.findProposal(argument);
    if (proposal === undefined) return;
    if (!(await this.keepProposal(proposal))) return;
    const document = await vscode.workspace.openTextDocument(proposal.target);
    await vscode.window.showTextDocument(document, { selection: proposal.start });
  }

  /** Writes a proposal; shows why if that is not possible. */
  private async keepProposal(proposal: Proposal): Promise<boolean> {
    const { target } = proposal;
    if (!proposal.isCurrent) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "The lines that this code replaces have changed. Discard it and apply the code again.",
        ),
      );
      return false;
    }
    if (!(await mayWrite(target, proposal))) return false;
    // The proposal may have ended while the question was open.
    if (this.findProposal(proposal.uri) === undefined) return false;
    this.open.delete(proposal.uri.toString());
    if (!(await this.tryWrite(proposal))) {
      this.open.set(proposal.uri.toString(), proposal);
      void vscode.window.showErrorMessage(
        vscode.l10n.t("{0} could not be changed. Check whether it is read-only.", pathOf(target)),
      );
      return false;
    }
    await closeTabs(proposal.uri);
    return true;
  }

  /** Closes the active diff, or the given proposal; the file stays unchanged. */
  async discard(argument?: unknown): Promise<void> {
    const proposal = this.findProposal(argument);
    if (proposal === undefined) return;
    this.open.delete(proposal.uri.toString());
    await closeTabs(proposal.uri);
  }

  dispose(): void {
    this.owned.dispose();
    this.open.clear();
  }

  private async tryWrite(proposal: Proposal): Promise<boolean> {
    try {
      return await proposal.write();
    } catch (error) {
      this.log.warn(`apply: the file could not be changed (${describeError(error)})`);
      return false;
    }
  }

  /** Returns the candidate editors: the active editor first, then the other visible editors. */
  private targets(): vscode.TextEditor[] {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
    const seen = new Set<string>();
    return all.filter(({ document: { uri } }) => {
      if (NO_TARGETS.has(uri.scheme) || seen.has(uri.toString())) return false;
      seen.add(uri.toString());
      return true;
    });
  }

  private findProposal(argument: unknown): Proposal | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const uri = argument instanceof vscode.Uri ? argument : tab && proposalUriIn(tab);
    return uri && this.open.get(uri.toString());
  }
}

function proposalUri({ path }: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path, query: newId() });
}

/** Returns the reason why code with a placeholder is not applied. */
export function placeholderSentence(path: string, placeholder: string): string {
  return vscode.l10n.t(
    "{0} was not changed because the code omits parts at an unclear position: {1}. Ask for the complete code, or edit the file yourself.",
    path,
    placeholder.trim(),
  );
}

function proposalUriIn(tab: vscode.Tab): vscode.Uri | undefined {
  const { input } = tab;
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  return input.modified.scheme === PROPOSAL_SCHEME ? input.modified : undefined;
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => proposalUriIn(tab)?.toString() === uri.toString());
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(tabsOf(uri));
}
