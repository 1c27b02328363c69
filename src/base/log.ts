/** Log for kinds, statuses and ids; never for content or keys. */

/** Log with levels. The host provides VS Code's, tests a list. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Returns the name and message of any thrown value in a single line. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
