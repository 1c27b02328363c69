/**
 * Runs `npm run verify-release FILE [COMMIT]`: builds the commit again and compares the bytes with the
 * package. Without a commit, takes the tag of the package's version in this checkout, else HEAD.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildCommit, git, sha256 } from "./buildCommit.mjs";

try {
  await verify(process.argv[2], process.argv[3]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * @param {string | undefined} named
 * @param {string | undefined} commit
 */
async function verify(named, commit) {
  if (named === undefined) throw new Error("Usage: npm run verify-release FILE [COMMIT]");
  const file = resolve(process.env["INIT_CWD"] ?? ".", named);
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const built = await git("rev-parse", `${commit ?? (await releasedCommit())}^{commit}`);
  console.log(`Commit ${built}`);
  const { file: own } = await buildCommit(built, "one");
  console.log(`given  SHA-256 ${sha256(file)}\nbuilt  SHA-256 ${sha256(own)}`);
  if (!readFileSync(own).equals(readFileSync(file)))
    throw new Error("The package is not the one of this commit, or was built with other tools.");
  console.log("The same bytes: the package was made from this commit alone.");
}

/** @returns {Promise<string>} */
async function releasedCommit() {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const tag = `v${version}`;
  return (await git("tag", "--list", tag)) === tag ? tag : "HEAD";
}
