/**
 * A service that says nothing for 310 s, before the first byte and again between two thoughts. Node's
 * own fetch gives up after 300 s; a reply must arrive within the limits of the settings.
 */
import { measuringOf } from "../measuring.mjs";

export const title = "a silence of 310 s";

export async function run({ log }) {
  const { measure } = await measuringOf("waiting");
  await measure(log);
}
