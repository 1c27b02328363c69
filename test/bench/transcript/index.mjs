/**
 * A long conversation in the shipped page, in headless Chromium: opening it, scrolling through it,
 * typing beneath it, and what it holds in memory.
 */
import { measuringOf } from "../measuring.mjs";

export const title = "5,000 messages with 100 pictures";

export async function run({ log }) {
  const { measure } = await measuringOf("transcript");
  await measure(log);
}
