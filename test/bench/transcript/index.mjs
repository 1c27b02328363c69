/**
 * Measures a long conversation in the production page, in headless Chromium: opening, scrolling,
 * typing and memory.
 */
import { measuringOf } from "../measuring.mjs";

export const title = "5,000 messages with 100 pictures";

export async function run({ log }) {
  const { measure } = await measuringOf("transcript");
  await measure(log);
}
