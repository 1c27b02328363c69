/** Secrets that this window has read, for redaction by value. */
import { createRedactor, createValueRedactor } from "../../base/redact";
import type { Log } from "../../base/log";

/** Values to redact; kept in memory only. */
export class KnownSecrets {
  private readonly values = new Set<string>();
  private redactor = createRedactor([]);
  private valueRedactor = createValueRedactor([]);

  /** Redacts `value` from now on. */
  add(value: string): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    this.redactor = createRedactor([...this.values]);
    this.valueRedactor = createValueRedactor([...this.values]);
  }

  /** Removes every known value and all text that looks like a key, for logs and errors. */
  readonly redact = (text: string): string => this.redactor(text);

  /** Removes only distinctive values, for text that must otherwise stay the same. */
  readonly redactValues = (text: string): string => this.valueRedactor(text);
}

/** Wraps a log so that every message is redacted. */
export function redactedLog(log: Log, redact: (text: string) => string): Log {
  return {
    info: (message) => log.info(redact(message)),
    warn: (message) => log.warn(redact(message)),
    error: (message) => log.error(redact(message)),
  };
}
