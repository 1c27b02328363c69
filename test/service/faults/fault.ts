/**
 * What a fault is: a row of the project's list of faults, a sentence, and a way to answer.
 * Families are faults whose name holds a value, such as `status-503` or `retry-after-61`.
 */
import type { Reply } from "../exchange";

/** How a client should name the end of the reply; "runs" ends by Stop or by a time limit. */
export type ExpectedEnding =
  "complete" | "cut-short" | "cut-off" | "withheld" | "tool-calls" | "failed" | "runs";

export interface Fault {
  /** Row of the list of faults, e.g. "S7". */
  readonly row: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly ending: ExpectedEnding;
  readonly reply: Reply;
}

export interface FaultFamily {
  /** The name with its value in capitals, e.g. `status-NNN`. */
  readonly listedAs: string;
  /** Names that belong to the family, at least one. */
  readonly examples: readonly string[];
  /** The fault of that name, or undefined when the name is not of this family. */
  find(name: string): Fault | undefined;
}

export type FaultTable = Readonly<Record<string, Fault>>;

/** A family of names that match `pattern` as a whole; its groups are the values. */
export function family(
  listedAs: string,
  examples: readonly string[],
  pattern: RegExp,
  make: (...values: (string | undefined)[]) => Fault | undefined,
): FaultFamily {
  const whole = new RegExp(`^(?:${pattern.source})$`);
  return {
    listedAs,
    examples,
    find: (name) => {
      const match = whole.exec(name);
      return match === null ? undefined : make(...match.slice(1));
    },
  };
}
