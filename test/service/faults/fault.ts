/** Types of faults. The name of a fault in a family includes a value, as in `status-503`. */
import type { Reply } from "../exchange";

/** Expected result in a client. */
export type ExpectedEnding =
  "complete" | "cut-short" | "cut-off" | "withheld" | "tool-calls" | "failed";

export interface Fault {
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
