/**
 * Files of the workspace that replies name: finds out which exist, gives them numbers, and opens them by
 * number. Never looks outside of the workspace's folders.
 */
import * as vscode from "vscode";
import { readMention } from "../markup/fileMentions";

/** Numbers that are kept; links of replies read long ago stop working first. */
const MAX_LINKS = 5_000;

/** Files looked for at one time. */
const AT_ONCE = 8;

interface FilePlace {
  readonly uri: vscode.Uri;
  /** 0-based. */
  readonly position: vscode.Position;
}

/** One for all pages. */
export class FileLinks {
  private readonly places = new Map<number, FilePlace>();
  private readonly numbers = new Map<string, number>();
  private nextNumber = 1;

  /** For each mention the number of its file; null where the workspace has no such file. */
  async find(mentions: readonly string[]): Promise<(number | null)[]> {
    const found: (number | null)[] = mentions.map(() => null);
    let next = 0;
    const work = async () => {
      for (let at = next++; at < mentions.length; at = next++) {
        found[at] = (await this.numberOf(mentions[at] ?? "")) ?? null;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found;
  }

  /** Shows the file of this number at the line that was named. */
  async open(number: number): Promise<void> {
    const place = this.places.get(number);
    if (place === undefined) return;
    const { uri, position } = place;
    try {
      // Whatever editor the file has; pictures open too.
      await vscode.commands.executeCommand("vscode.open", uri, {
        selection: new vscode.Range(position, position),
      });
    } catch {
      void vscode.window.showErrorMessage(
        vscode.l10n.t(
          "{0} could not be opened. Check whether it is still there.",
          vscode.workspace.asRelativePath(uri),
        ),
      );
    }
  }

  private async numberOf(mention: string): Promise<number | undefined> {
    const read = readMention(mention);
    if (read === undefined) return undefined;
    const { path, line = 1, column = 1 } = read;
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const uri = await fileIn(folder, path);
      if (uri === undefined) continue;
      return this.keep({ uri, position: new vscode.Position(line - 1, column - 1) });
    }
    return undefined;
  }

  private keep(place: FilePlace): number {
    const { line, character } = place.position;
    const key = `${place.uri.toString()}#${line},${character}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.nextNumber++;
    this.numbers.set(key, number);
    this.places.set(number, place);
    for (const [oldestKey, oldest] of this.numbers) {
      if (this.numbers.size <= MAX_LINKS) break;
      this.numbers.delete(oldestKey);
      this.places.delete(oldest);
    }
    return number;
  }
}

/** A file below a folder of the workspace; in a workspace of several, its name may come first. */
async function fileIn(
  folder: vscode.WorkspaceFolder,
  path: string,
): Promise<vscode.Uri | undefined> {
  const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const own = `${folder.name}/`;
  const relative = several && path.startsWith(own) ? path.slice(own.length) : path;
  const uri = vscode.Uri.joinPath(folder.uri, relative);
  if (!uri.path.startsWith(`${folder.uri.path.replace(/\/$/, "")}/`)) return undefined;
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) === 0 ? undefined : uri;
  } catch {
    // There is none: most mentions are of something else.
    return undefined;
  }
}
