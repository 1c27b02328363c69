/**
 * Measures the memory of a day's use in quick motion: 50 conversations are opened and closed, with a reply for
 * each minute of eight hours. The chat session and its history run in a process of their own, without VS Code.
 */
import { measuringOf } from "../measuring.mjs";
import { replyText } from "../render/text.mjs";

export const title = "the memory of a day";

/** Lengths of the replies in turn, in UTF-16 units. */
const LENGTHS = [400, 1_200, 2_500, 5_000, 12_000];

/** @param {{log: (line: string) => void}} options */
export async function run({ log }) {
  const { measure } = await measuringOf("day");
  await measure(
    LENGTHS.map((length) => replyText(length)),
    log,
  );
}
