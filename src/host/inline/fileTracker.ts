/**
 * Tracks pending edits when their file is renamed, deleted or closed. Edits move with a renamed
 * file. When a document is gone, its edit ends and the user can still open the reply.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { askToWrite, isSameConcern, writeConcernOf } from "../access/writeAccess";
import { exists } from "../platform/files";
import type { InlineEntry } from "./inlineEntry";

/** Callbacks for changes of entries. */
export interface FileTrackerOptions {
  readonly entries: () => readonly InlineEntry[];
  /** Called when the document, and so the edit, is gone. */
  readonly lost: (entry: InlineEntry) => void;
  readonly moved: (entry: InlineEntry) => void;
}

export class FileTracker extends DisposableOwner {
  /** Entries whose file is being renamed, with the new URI. */
  private readonly renaming = new Map<InlineEntry, vscode.Uri>();

  constructor(private readonly options: FileTrackerOptions) {
    super();
    this.owned.add(
      vscode.workspace.onWillRenameFiles((event) => {
        for (const { oldUri, newUri } of event.files) this.expectRename(oldUri, newUri);
        if (this.renaming.size > 0) event.waitUntil(discardUnlessWritable([...this.renaming]));
      }),
    );
    this.owned.add(vscode.workspace.onDidRenameFiles(() => void this.followRenamed()));
    this.owned.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        // VS Code also reports close and open when only the language of a document changes.
        if (!document.isClosed) return;
        for (const entry of this.options.entries()) {
          if (entry.document !== document) continue;
          const target = this.renaming.get(entry);
          if (target === undefined) this.options.lost(entry);
          else void this.loseUnlessRenamed(entry, target);
        }
      }),
    );
  }

  private expectRename(oldUri: vscode.Uri, newUri: vscode.Uri): void {
    for (const entry of this.options.entries()) {
      const { uri } = entry.document;
      const below = uri.path.slice(oldUri.path.length);
      const isIn = uri.path.startsWith(oldUri.path) && (below === "" || below.startsWith("/"));
      if (uri.scheme === oldUri.scheme && uri.authority === oldUri.authority && isIn) {
        this.renaming.set(entry, newUri.with({ path: newUri.path + below }));
      }
    }
  }

  /**
   * Ends the edit of a closed document if VS Code announced a rename but did not perform the
   * rename.
   */
  private async loseUnlessRenamed(entry: InlineEntry, target: vscode.Uri): Promise<void> {
    const [isAtSource, isAtTarget] = await Promise.all([entry.document.uri, target].map(exists));
    // Both exist if only the case of the name changes.
    if (isAtSource !== true || isAtTarget === true) return;
    if (this.renaming.get(entry) !== target) return;
    this.renaming.delete(entry);
    if (entry.document.isClosed) this.options.lost(entry);
  }

  private async followRenamed(): Promise<void> {
    const renamed = [...this.renaming];
    for (const [entry, uri] of renamed) {
      const isFollowed = await follows(entry, uri);
      this.renaming.delete(entry);
      if (isFollowed) this.options.moved(entry);
      else if (entry.document.isClosed) this.options.lost(entry);
    }
  }
}

/**
 * Asks before the text of an answer becomes text of a file that something runs or obeys, because the
 * renamed file can be saved at any time; once for all edits of a file. Discards them if the user declines.
 */
async function discardUnlessWritable(
  renamed: readonly (readonly [InlineEntry, vscode.Uri])[],
): Promise<void> {
  const answers = new Map<string, boolean>();
  for (const [entry, target] of renamed) {
    const { document } = entry;
    const concern = await writeConcernOf(target, { text: document.getText() });
    if (concern === undefined || isSameConcern(concern, entry.accepted)) continue;
    const file = target.toString();
    const isAccepted =
      answers.get(file) ?? (await askToWrite(concern, vscode.l10n.t("Rename Anyway")));
    answers.set(file, isAccepted);
    if (isAccepted) {
      entry.accepted = concern;
      continue;
    }
    entry.edit.stop();
    // Only a visible document can be changed together with its undo stops.
    await vscode.window.showTextDocument(document, { preview: false });
    await entry.session.discard();
  }
}

async function follows(entry: InlineEntry, uri: vscode.Uri): Promise<boolean> {
  if (entry.document.uri.toString() === uri.toString()) return true;
  try {
    return entry.adopt(await vscode.workspace.openTextDocument(uri));
  } catch {
    return false;
  }
}
