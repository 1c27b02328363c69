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
import { pathOf } from "../platform/sourceText";
import { mayWrite } from "../access/writeAccess";
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
  async propose(unguarded: string, named?: string): Promise<void> {
    const editors = this.targets();
    if (editors.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          "No file is open in an editor. Open the file that the code is for and apply again.",
        ),
      );
      return;
    }
    const text = await confirmedText(unguarded, undefined);
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
    const uri = vscode.Uri.from({
      scheme: PROPOSAL_SCHEME,
      path: document.uri.path,
      query: newId(),
    });
    const proposal = new Proposal(uri, document, lines);
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
    this.open.set(uri.toString(), proposal);
    const title = vscode.l10n.t("{0}: Current ↔ Proposed", pathOf(document.uri));
    const options = { preview: false, selection: proposal.start };
    await vscode.commands.executeCommand("vscode.diff", document.uri, uri, title, options);
  }

  /** Writes the proposal in the active diff, or the given proposal. */
  async keep(argument?: unknown): Promise<void> {
    const proposal = this.findProposal(argument);
    if (proposal === undefined) return;
    const { document } = proposal;
    if (!proposal.isCurrent) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "The lines that this code replaces have changed. Discard it and apply the code again.",
        ),
      );
      return;
    }
    if (!(await mayWrite(document.uri))) return;
    // The proposal may have ended while the question was open.
    if (this.findProposal(proposal.uri) === undefined) return;
    const { start } = proposal;
    this.open.delete(proposal.uri.toString());
    if (!(await this.tryWrite(proposal))) {
      this.open.set(proposal.uri.toString(), proposal);
      void vscode.window.showErrorMessage(
        vscode.l10n.t(
          "{0} could not be changed. Check whether it is read-only.",
          pathOf(document.uri),
        ),
      );
      return;
    }
    await closeTabs(proposal.uri);
    await vscode.window.showTextDocument(document, { selection: start });
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
      this.log.warn(`apply: not written (${describeError(error)})`);
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
