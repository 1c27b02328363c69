/** Twin of node/captureScreen.ts: a browser starts no programs. */

/** Always reports that there is no tool. */
export function captureScreen(): Promise<{ readonly kind: "no-tool" }> {
  return Promise.resolve({ kind: "no-tool" });
}
