/**
 * The keys this window has seen, so that they can be taken out of whatever is said by value.
 */
import { createRedactor, createValueRedactor } from "../../base/redact";
import type { Log } from "../../base/log";

/** Values to take out; kept in memory alone. */
export class KnownSecrets {
  private readonly values = new Set<string>();
  private redactor = createRedactor([]);
  private valueRedactor = createValueRedactor([]);

  /** Takes `value` out of whatever is redacted from now on. */
  add(value: string): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    this.redactor = createRedactor([...this.values]);
    this.valueRedactor = createValueRedactor([...this.values]);
  }

  /** For logs and errors: takes out every known value and whatever looks like a key. */
  readonly redact = (text: string): string => this.redactor(text);

  /** For text that must stay as it is otherwise: takes out values that are no ordinary word. */
  readonly redactValues = (text: string): string => this.valueRedactor(text);
}

/** A log that never says a key, whoever writes to it. */
export function redactedLog(log: Log, redact: (text: string) => string): Log {
  return {
    info: (message) => log.info(redact(message)),
    warn: (message) => log.warn(redact(message)),
    error: (message) => log.error(redact(message)),
  };
}
