/** Twin of node/runCommand.ts. A browser runs no programs. */

export function runCommand() {
  return Promise.resolve({ ok: false, problem: "not-found" } as const);
}
