/**
 * The panel in a real VS Code with the packaged extension: activation, time until one can type, and
 * the way of a token from the socket to the screen.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { measuringOf } from "../measuring.mjs";
import { run as runProgram } from "../../support/programs.mjs";

export const title = "activation, opening, and from a token's bytes to its paint";

export async function run({ log }) {
  const folder = join("out", "bench");
  mkdirSync(folder, { recursive: true });
  const vsix = join(process.cwd(), folder, "core-chat.vsix");
  await runProgram("npm", ["run", "package", "--", "--out", vsix], {});
  process.env["CORE_CHAT_VSIX"] = vsix;
  const { measure } = await measuringOf("panel");
  await measure(log);
}
