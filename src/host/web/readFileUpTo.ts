/** Twin of node/readFileUpTo.ts: the browser cannot read local files. */

/** Always rejects; VS Code reads files of other schemes. */
export function readFileUpTo(): Promise<never> {
  return Promise.reject(new Error("a browser reads no files of the disk"));
}
