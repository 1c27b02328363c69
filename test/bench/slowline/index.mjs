/**
 * Measures a reply over a line on which each message between host and page needs 300 ms, as over SSH or a
 * tunnel: the time from the arrival of text in the host to its appearance in the page, and key presses.
 */
import { measuringOf } from "../measuring.mjs";

export const title = "a reply over a line with 300 ms";

/** @param {{log: (line: string) => void}} options */
export async function run({ log }) {
  const { measure } = await measuringOf("slowline");
  await measure(log);
}
