/**
 * Applies all code of a reply that names files as one change: a list of the files, a diff for each,
 * and Keep or Discard for each. Nothing is written before Keep. Loaded on first use.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import { findTargets, targetForPatch, rangeOfChange } from "../../replyCode/findTarget";
import { isLeftOut, isStub } from "../../replyCode/placeholders";
import { applyPatch } from "../../replyCode/patch";
import { withoutPath } from "../../replyCode/filePath";
import { confirmedText } from "../access/confirmInsert";
import { reasonOf, writeConcernOf, type WriteConcern } from "../access/writeAccess";
import { escapedPath, pathOf, sourceOf } from "../platform/sourceText";
import { isEditable } from "../inline/editable";
import { fileBlocks, type FileBlocks, type FileCode } from "./fileBlocks";
import { findFile } from "./fileLinks";
import { newPlaceholder, type AnyProposal, type Proposals } from "./proposals";

export { Proposals } from "./proposals";

/** Share of a file's lines that a block must have to replace the whole file. */
const WHOLE_FILE_SHARE = 0.5;

/** A file of the change. */
export interface ReplyFile {
  /** Path that is shown. */
  readonly path: string;
  readonly proposal: AnyProposal | undefined;
  /** Reason why there is no proposal. */
  readonly problem: string | undefined;
  /** Reason why Keep asks; such a file is not kept together with others. */
  readonly concern?: WriteConcern | undefined;
  state: "pending" | "kept" | "discarded";
}

/** The change of a reply; created by `changeOf`. */
export class ReplyChange implements Disposable {
  private readonly listening: vscode.Disposable;

  constructor(
    readonly files: readonly ReplyFile[],
    private readonly proposals: Proposals,
    /** Called when a file was kept or discarded in its diff. */
    private readonly reviewed: (change: ReplyChange) => void,
  ) {
    this.listening = proposals.onClosed(({ uri, outcome }) => {
      const file = files.find(({ proposal }) => proposal?.uri.toString() === uri.toString());
      if (file?.state !== "pending") return;
      file.state = outcome === "kept" ? "kept" : "discarded";
      this.reviewed(this);
    });
  }

  get pending(): readonly ReplyFile[] {
    return this.files.filter(({ proposal, state }) => proposal && state === "pending");
  }

  /** Writes a file; false if the user cancels or VS Code refuses. */
  async keep(file: ReplyFile): Promise<boolean> {
    const { proposal } = file;
    if (proposal === undefined || file.state !== "pending") return false;
    // Set before the event of the proposal, which is then not a review in a diff.
    file.state = "kept";
    const isKept = await this.proposals.keepProposal(proposal);
    if (!isKept) file.state = "pending";
    return isKept;
  }

  /** Writes the files that need no question. */
  async keepAll(): Promise<void> {
    for (const file of this.ordinary) await this.keep(file);
  }

  /** The pending files that need no question. */
  get ordinary(): readonly ReplyFile[] {
    return this.pending.filter(({ concern }) => concern === undefined);
  }

  async discard(file: ReplyFile): Promise<void> {
    const { proposal } = file;
    file.state = "discarded";
    if (proposal !== undefined) await this.proposals.discard(proposal.uri);
  }

  /** Discards the files that are still pending. */
  dispose(): void {
    this.listening.dispose();
    for (const file of this.pending) void this.discard(file);
  }
}

/**
 * Makes proposals for the files that a reply names; undefined if it names none or the user cancels.
 */
export async function changeOf(
  markdown: string,
  proposals: Proposals,
  reviewed: (change: ReplyChange) => void = () => undefined,
): Promise<ReplyChange | undefined> {
  if (fileBlocks(markdown).length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "No code block of this reply names a file. Use Apply on a block, or ask for the file names.",
      ),
    );
    return undefined;
  }
  const confirmed = await confirmedText(markdown, undefined);
  if (confirmed === undefined) return undefined;
  const made: ReplyFile[] = [];
  for (const blocks of fileBlocks(confirmed)) made.push(await fileOf(blocks, proposals));
  const together = made.flatMap(({ proposal }) => proposal?.target ?? []);
  const files: ReplyFile[] = [];
  for (const file of made) files.push(await checkedFile(file, together, proposals));
  return new ReplyChange(files, proposals, reviewed);
}

/** Adds the reason why Keep asks. Files of a Git directory are refused: the user did not name them. */
async function checkedFile(
  file: ReplyFile,
  together: readonly vscode.Uri[],
  proposals: Proposals,
): Promise<ReplyFile> {
  const { proposal } = file;
  if (proposal === undefined) return file;
  const concern = await writeConcernOf(proposal.target, { text: proposal.text, together });
  if (concern?.why !== "git") return { ...file, concern };
  await proposals.discard(proposal.uri);
  const problem = vscode.l10n.t("Not written: {0}.", reasonOf(concern));
  return { ...file, proposal: undefined, problem };
}

async function fileOf({ path, code }: FileBlocks, proposals: Proposals): Promise<ReplyFile> {
  const existing = await findFile(path);
  const shown = existing === undefined ? escapedPath(path) : pathOf(existing);
  const failed = (problem: string): ReplyFile => {
    return { path: shown, proposal: undefined, problem, state: "pending" };
  };
  if (existing === undefined) {
    const target = newUri(path);
    const lines = newLines(code);
    if (target === undefined || lines === undefined) {
      return failed(vscode.l10n.t("This file was not found in the workspace."));
    }
    if (newPlaceholder(undefined, { lines }) !== undefined) return failed(incomplete());
    const proposal = proposals.addNewFile(target, `${lines.join("\n")}\n`);
    return { path: shown, proposal, problem: undefined, state: "pending" };
  }
  try {
    const document = await vscode.workspace.openTextDocument(existing);
    if (!(await isEditable(document))) return failed(vscode.l10n.t("This file is read-only."));
    const before = sourceOf(document).lines;
    let lines = before;
    for (const one of code) {
      const next = appliedTo(lines, one);
      if (next === undefined) return failed(unclear());
      lines = next;
    }
    if (newPlaceholder(document, { lines }) !== undefined) return failed(incomplete());
    if (lines.join("\n") === before.join("\n")) {
      return failed(vscode.l10n.t("The file already contains this code."));
    }
    const proposal = proposals.addChange(document, rangeOfChange(before, lines));
    return { path: shown, proposal, problem: undefined, state: "pending" };
  } catch {
    return failed(vscode.l10n.t("This file could not be opened as text."));
  }
}

/** Returns the lines of a file with code applied; undefined if the position is unclear. */
function appliedTo(before: readonly string[], code: FileCode): readonly string[] | undefined {
  if (code.kind === "patch") {
    const patched = applyPatch(code.sections, before);
    const isWhole = patched !== undefined && !patched.isPartial;
    return isWhole && targetForPatch(before, code.sections) ? patched.lines : undefined;
  }
  const block = withoutPath(code.lines, before);
  const indent = { usesTabs: before.some((line) => line.startsWith("\t")), size: 4 };
  const targets = findTargets(before, block, indent);
  const [target] = targets;
  if (targets.length === 1 && target !== undefined) {
    const { startLine, endLine, lines } = target;
    return before.toSpliced(startLine, endLine - startLine, ...lines);
  }
  const filled = before.filter((line) => line.trim() !== "");
  const own = new Set(block.map((line) => line.trim()));
  const share = filled.filter((line) => own.has(line.trim())).length / Math.max(1, filled.length);
  const isWhole = filled.length === 0 || (targets.length === 0 && share >= WHOLE_FILE_SHARE);
  const isGap = (line: string, at: number) => isLeftOut(line) && !isStub(line, block[at - 1]);
  if (!isWhole || block.some(isGap)) return undefined;
  return before.at(-1) === "" ? [...block, ""] : block;
}

/** Returns the lines of a new file; undefined for a diff of an existing file. */
function newLines(code: readonly FileCode[]): readonly string[] | undefined {
  const [only, ...others] = code;
  if (only === undefined || others.length > 0) return undefined;
  if (only.kind === "lines") return withoutPath(only.lines, []);
  return only.isNew ? applyPatch(only.sections, [""])?.lines : undefined;
}

/** Returns the URI of a new file; with several workspace folders the path begins with a name. */
function newUri(path: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = folders.find(({ name }) => folders.length > 1 && path.startsWith(`${name}/`));
  if (named !== undefined) return vscode.Uri.joinPath(named.uri, path.slice(named.name.length + 1));
  const [only] = folders;
  return folders.length === 1 && only ? vscode.Uri.joinPath(only.uri, path) : undefined;
}

function unclear(): string {
  return vscode.l10n.t("The position in the file is unclear. Use Apply on the block.");
}

function incomplete(): string {
  return vscode.l10n.t("The code omits parts of the file. Ask for the complete code.");
}

interface FileItem extends vscode.QuickPickItem {
  readonly file: ReplyFile;
}

/** Shows the list of files. An accepted file opens its diff; the list returns after its review. */
export function showChange(change: ReplyChange, proposals: Proposals): void {
  const list = vscode.window.createQuickPick<FileItem>();
  const keepAll = {
    iconPath: new vscode.ThemeIcon("check-all"),
    tooltip: vscode.l10n.t("Keep All"),
  };
  const keep = { iconPath: new vscode.ThemeIcon("check"), tooltip: vscode.l10n.t("Keep") };
  const discard = { iconPath: new vscode.ThemeIcon("close"), tooltip: vscode.l10n.t("Discard") };
  list.title = vscode.l10n.t("Changes of the reply");
  list.placeholder = vscode.l10n.t(
    "Choose a file to review its changes. Nothing is written before you keep it.",
  );
  list.ignoreFocusOut = true;
  const refresh = () => {
    list.buttons = change.ordinary.length > 0 ? [keepAll] : [];
    list.items = change.files.map((file) => ({
      label: file.path,
      file,
      description: stateOf(file),
      ...markOf(file),
      buttons: change.pending.includes(file) ? [keep, discard] : [],
    }));
  };
  const run = async (act: () => Promise<unknown>) => {
    list.busy = true;
    await act();
    list.busy = false;
    if (change.pending.length === 0) list.hide();
    else refresh();
  };
  list.onDidTriggerButton(() => void run(() => change.keepAll()));
  list.onDidTriggerItemButton(({ button, item: { file } }) => {
    void run(() => (button === keep ? change.keep(file) : change.discard(file)));
  });
  list.onDidAccept(() => {
    const proposal = list.selectedItems[0]?.file.proposal;
    if (proposal === undefined || list.selectedItems[0]?.file.state !== "pending") return;
    list.hide();
    void proposals.showDiff(proposal);
  });
  list.onDidHide(() => list.dispose());
  refresh();
  list.show();
}

/** Returns the mark of a file that is kept only after a question. */
function markOf({ concern, state }: ReplyFile): Pick<vscode.QuickPickItem, "detail"> {
  if (concern === undefined || state !== "pending") return {};
  const reason = reasonOf(concern);
  return { detail: `$(warning) ${vscode.l10n.t("Asks before it is kept: {0}", reason)}` };
}

function stateOf({ proposal, problem, state }: ReplyFile): string {
  if (problem !== undefined) return problem;
  if (state === "kept") return vscode.l10n.t("Kept");
  if (state === "discarded") return vscode.l10n.t("Discarded");
  return proposal?.isNew ? vscode.l10n.t("New file") : "";
}
