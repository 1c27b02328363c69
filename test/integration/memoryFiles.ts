/** File system provider in memory, as extensions for remote and virtual workspaces register one. */
import * as vscode from "vscode";

/** In-memory files, all in the same folder. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  isReadOnly = false;
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
  stat({ path }: vscode.Uri): vscode.FileStat {
    const times = { ctime: 0, mtime: 0 };
    if (path === "/") return { type: vscode.FileType.Directory, size: 0, ...times };
    const stat = { type: vscode.FileType.File, size: this.bytesOf(path).length, ...times };
    return this.isReadOnly ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
  }
  readDirectory(): [string, vscode.FileType][] {
    return [...this.files.keys()].map((path) => [path.slice(1), vscode.FileType.File]);
  }
  readFile({ path }: vscode.Uri): Uint8Array {
    return this.bytesOf(path);
  }
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.files.set(uri.path, content);
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  delete({ path }: vscode.Uri): void {
    this.files.delete(path);
  }
  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  private bytesOf(path: string): Uint8Array {
    const bytes = this.files.get(path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return bytes;
  }
}
