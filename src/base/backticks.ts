export function longestBackticks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Returns a Markdown fence that is longer than any run of backticks in the code. */
export function fenceFor(code: string): string {
  return "`".repeat(Math.max(3, longestBackticks(code) + 1));
}
