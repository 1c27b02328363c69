/**
 * What a room may say to the log: kinds, statuses and ids, never content and never a key.
 */

/** A log with levels; the host gives VS Code's, tests give a list. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** For callers that have nothing to say. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** The name and message of anything thrown, in one line. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
