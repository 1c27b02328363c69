/**
 * A pasted screenshot on its way: in the packaged extension in a real VS Code, from paste to chip and
 * to the request; and what two peers' rules would have sent of it.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run as runProgram } from "../../support/programs.mjs";
import { measuringOf } from "../measuring.mjs";

export const title = "a pasted screenshot of 3840×2160";

export async function run({ log }) {
  const folder = join("out", "bench");
  mkdirSync(folder, { recursive: true });
  const vsix = join(process.cwd(), folder, "core-chat.vsix");
  await runProgram("npm", ["run", "package", "--", "--out", vsix], {});
  process.env["CORE_CHAT_VSIX"] = vsix;
  const { measure } = await measuringOf("pictures");
  await measure(log);
}
