/**
 * Measures waiting for a service that is silent for 310 s, before the first byte and again during
 * thinking. Node's own fetch stops waiting after 300 s; a reply must arrive within the limits of
 * the settings.
 */
import { measuringOf } from "../measuring.mjs";

export const title = "a silence of 310 s";

export async function run({ log }) {
  const { measure } = await measuringOf("waiting");
  await measure(log);
}
