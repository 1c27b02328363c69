/** Formats a number of tokens as "40", "0.9k", "2.1k" or "32k". */
export function shortCount(count: number): string {
  if (count < 500) return String(Math.round(count));
  const thousands = count / 1000;
  return `${thousands < 10 ? Number(thousands.toFixed(1)) : Math.round(thousands)}k`;
}
