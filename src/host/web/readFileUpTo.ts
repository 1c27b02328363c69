/**
 * The browser's twin of node/readFileUpTo.ts: files of this machine's disk are not to be had.
 */

/** Always rejects; files of other schemes are read by VS Code. */
export function readFileUpTo(): Promise<never> {
  return Promise.reject(new Error("a browser reads no files of the disk"));
}
