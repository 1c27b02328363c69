/**
 * The keys this window has seen, so that they can be taken out of whatever is said by value.
 */
import { createRedactor, createValueRedactor } from "../base/redact";
import type { Log } from "../base/log";

/** Values to take out; kept in memory alone. */
export class KnownSecrets {
  private readonly values = new Set<string>();

  /** Remembers a value from now on. */
  add(value: string): void {
    this.values.add(value);
  }

  /** Takes every known value, and whatever looks like a key, out of a text. */
  readonly redact = (text: string): string => createRedactor([...this.values])(text);

  /** Takes every known value out of a text that must stay as it is otherwise. */
  readonly redactValues = (text: string): string => createValueRedactor([...this.values])(text);
}

/** A log that never says a key, whoever writes to it. */
export function redactedLog(log: Log, redact: (text: string) => string): Log {
  return {
    info: (message) => log.info(redact(message)),
    warn: (message) => log.warn(redact(message)),
    error: (message) => log.error(redact(message)),
  };
}
