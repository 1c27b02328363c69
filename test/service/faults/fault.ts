/**
 * Types of faults: a kind, a summary, and a function that replies. A family contains faults whose name
 * includes a value, such as `status-503` or `retry-after-61`.
 */
import type { Reply } from "../exchange";

/** Expected result in a client; "runs" ends with Stop or a time limit. */
export type ExpectedEnding =
  "complete" | "cut-short" | "cut-off" | "withheld" | "tool-calls" | "failed" | "runs";

export interface Fault {
  /** Kind of fault, by which `/faults all` sorts, e.g. "S7". */
  readonly row: string;
  /** Sentence without a full stop. */
  readonly summary: string;
  readonly ending: ExpectedEnding;
  readonly reply: Reply;
}

export interface FaultFamily {
  /** Name with a placeholder in capitals, e.g. `status-NNN`. */
  readonly listedAs: string;
  /** Example names of the family, at least one. */
  readonly examples: readonly string[];
  /** Returns the fault with this name, or undefined if the name is not in the family. */
  find(name: string): Fault | undefined;
}

export type FaultTable = Readonly<Record<string, Fault>>;

/** Returns a family of names that match the whole `pattern`; its groups are passed to `make`. */
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
