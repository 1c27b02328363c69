/** Twin of node/realPath.ts: the browser has no symbolic links. */

export function realPath(path: string): Promise<string> {
  return Promise.resolve(path);
}

/** The file systems of a browser tell letters of another case apart. */
export function foldCase(path: string): string {
  return path;
}
