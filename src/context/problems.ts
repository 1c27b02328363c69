/** Formats the diagnostics of a file for the model: a line each, bounded. */

/** A problem; lines are 1-based. */
export interface Problem {
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly startLine: number;
  readonly message: string;
  /** Source and code, for example "ts 2322"; empty if unknown. */
  readonly source: string;
}

/** Limit of listed problems; further problems are counted. */
const MAX_LISTED = 50;

/** Length limit of a message, in UTF-16 units. */
const MAX_MESSAGE_LENGTH = 500;

const RANK = { error: 0, warning: 1, information: 2, hint: 3 } as const;

/** Returns the problems by severity, then by line; empty for none. */
export function problemsText(problems: readonly Problem[]): string {
  const sorted = problems.toSorted(
    (a, b) => RANK[a.severity] - RANK[b.severity] || a.startLine - b.startLine,
  );
  const lines = sorted.slice(0, MAX_LISTED).map(problemLine);
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

function problemLine({ severity, startLine, message, source }: Problem): string {
  const text = message.replaceAll(/\s+/g, " ").trim();
  const short = text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
  return `- line ${startLine}: ${severity}${source === "" ? "" : ` (${source})`}: ${short}`;
}
