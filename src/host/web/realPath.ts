/** Twin of node/realPath.ts: a browser has no symbolic links and no home folder. */

export function realPath(path: string): Promise<string> {
  return Promise.resolve(path);
}

/** The file systems of a browser tell letters of another case apart. */
export function foldCase(path: string): string {
  return path;
}

export function homeFolder(): string | undefined {
  return undefined;
}
