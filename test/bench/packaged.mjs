/** Packages the extension and measures the package in a real VS Code. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run as runProgram } from "../support/runner/programs.mjs";
import { measuringOf } from "./measuring.mjs";

/**
 * @param {string} name the benchmark's folder below test/bench
 * @param {(line: string) => void} log
 */
export async function measurePackaged(name, log) {
  const folder = join("out", "bench");
  mkdirSync(folder, { recursive: true });
  const vsix = join(process.cwd(), folder, "core-chat.vsix");
  await runProgram("npm", ["run", "package", "--", "--out", vsix], {});
  process.env["CORE_CHAT_VSIX"] = vsix;
  const { measure } = await measuringOf(name);
  await measure(log);
}
