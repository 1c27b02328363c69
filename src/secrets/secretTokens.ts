/** Patterns of secrets with a shape of their own, from secretTokens.txt. */
import { tableSections, type TableSection } from "./dataTable";
import table from "./secretTokens.txt";

export type SecretKind = "private-key" | "token" | "password" | "vault";

/** Pattern whose match ends with the secret in group 1; without that group, the match is the secret. */
export interface SecretPattern {
  readonly kind: SecretKind;
  /** Text without which the pattern, which takes longer, cannot match. */
  readonly hint: string;
  /** True if a program writes the value: it is no placeholder and may have any signs. */
  readonly isGenerated: boolean;
  readonly pattern: RegExp;
}

/** All patterns, in the order of their kinds. */
export const SECRET_PATTERNS: readonly SecretPattern[] = tableSections(table).map(patternOf);

function patternOf({ heading, rows }: TableSection): SecretPattern {
  const [options = ""] = heading.split(' "', 1);
  const hint = heading.slice(options.length + 2, -1);
  const [kind, flags, ...properties] = options.split(" ");
  const source = properties.includes("word") ? `(?<![\\w-])(?:${rows.join("|")})` : rows.join("|");
  return {
    kind: kind as SecretKind,
    hint,
    isGenerated: properties.includes("generated"),
    // Made of the rows, which the tests pump.
    pattern: new RegExp(source, flags),
  };
}
