/** Line numbers that a model copied from the question. */

/** Returns lines without the line numbers that a model copied from the question. */
export function withoutLineNumbers(
  lines: readonly string[],
  target: readonly string[],
): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const numbers = filled.map((line) => Number(LINE_NUMBER.exec(line)?.[1] ?? NaN));
  const first = numbers[0] ?? NaN;
  if (filled.length < 2 || !numbers.every((number, at) => number === first + at)) return lines;
  if (target.some(hasLineNumber)) return lines;
  return lines.map((line) => line.replace(LINE_NUMBER, ""));
}

export function hasLineNumber(line: string): boolean {
  return LINE_NUMBER.test(line);
}

const LINE_NUMBER = /^\s*(\d{1,6})(?: ?[|│→]|:(?=\s|$)|\t)(?: |$)?/;
