/** Twin of node/realPath.ts: the browser has no symbolic links. */

export function realPath(path: string): Promise<string> {
  return Promise.resolve(path);
}
