/**
 * Installs the project's npm packages if they are missing or differ from the lock file, and builds.
 * Imports only Node built-ins, because this runs before packages are installed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./programs.mjs";
import { withProgress } from "./progress.mjs";
import { projectFolder } from "./project.mjs";

/** Oldest Node that the project's tools support. */
const OLDEST_NODE = [20, 19];

/** Installs the packages of package-lock.json, unless they are installed already. */
export async function ensureDependencies() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new Error(
      `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join(".")} or newer.`,
    );
  }
  if (isInstalled()) return;
  await withProgress("The project's packages", packagesPresent, () =>
    run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: projectFolder }),
  );
}

/** Builds the extension, the panel and the tests. */
export async function build() {
  await withProgress(
    "The build",
    () => "",
    () => run(process.execPath, ["esbuild.mjs"], { cwd: projectFolder }),
  );
}

/** Returns how many of the packages are unpacked. */
function packagesPresent() {
  const paths = Object.entries(readPackages("package-lock.json")).flatMap(([path, { optional }]) =>
    path === "" || optional === true ? [] : [path],
  );
  const present = paths.filter((path) => existsSync(join(projectFolder, path, "package.json")));
  return `${present.length} of ${paths.length}`;
}

/**
 * Returns true if npm's own list in node_modules, which npm writes last, matches the lock file.
 * Dates are not reliable: git and npm both touch the lock file without changing it.
 */
function isInstalled() {
  try {
    const wanted = readPackages("package-lock.json");
    const installed = readPackages("node_modules/.package-lock.json");
    return Object.entries(wanted).every(([path, { version, optional }]) => {
      if (path === "") return true; // The project itself.
      return path in installed ? installed[path]?.version === version : optional === true;
    });
  } catch {
    return false;
  }
}

/**
 * @param {string} path of a lock file, inside the project
 * @returns {Record<string, {version?: string, optional?: boolean}>}
 */
function readPackages(path) {
  return JSON.parse(readFileSync(join(projectFolder, path), "utf8")).packages;
}
