/** Twin of node/appendLine.ts. A browser writes no files of the disk. */

export function appendLine(): Promise<void> {
  return Promise.reject(new Error("a browser writes no files of the disk"));
}
