/**
 * Measures what a streamed 12 kB reply costs in the panel of a real VS Code: processor time of the
 * window, the browser and the extension host, for Markdown and for plain text of the same length. With CORE_CHAT_BENCH_BASE, the package of that commit is measured in the same run. Reads /proc, so Linux
 * only.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { run as runProgram } from "../../support/runner/programs.mjs";
import { measuringOf } from "../measuring.mjs";
import { replyText } from "../render/text.mjs";

export const title = "processor time of a streamed reply in the panel";

const LENGTH = 12_000;

/** @param {{log: (line: string) => void}} options */
export async function run({ log }) {
  const folder = resolve("out/bench/stream");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = [{ name: "this tree", vsix: await packaged(resolve("."), folder, "own") }];
  const base = process.env["CORE_CHAT_BENCH_BASE"];
  if (base) {
    const tree = join(folder, "base");
    execFileSync("git", ["worktree", "add", "--detach", tree, base], { stdio: "ignore" });
    try {
      symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
      packages.push({ name: base, vsix: await packaged(tree, folder, "base") });
    } finally {
      execFileSync("git", ["worktree", "remove", "--force", tree]);
    }
  }
  const { measure } = await measuringOf("stream");
  const markdown = replyText(LENGTH);
  await measure(packages, { Markdown: markdown, "plain text": plainText() }, log);
}

/** Returns words in paragraphs. */
function plainText() {
  const words = replyText(3 * LENGTH).match(/[\p{L}\p{N}.,]+/gu) ?? [];
  const spaced = words.map((word, index) => word + (index % 60 === 59 ? "\n\n" : " "));
  return spaced.join("").slice(0, LENGTH);
}

/**
 * @param {string} tree
 * @param {string} folder
 * @param {string} name
 */
async function packaged(tree, folder, name) {
  const vsix = join(folder, `${name}.vsix`);
  await runProgram("npm", ["run", "package", "--", "--out", vsix], { cwd: tree });
  return vsix;
}
