/**
 * Reads the organization's policy from the system's folder. Twin: web/policyFile.ts.
 *
 * The folders are those of other tools with files of an administrator: VS Code reads
 * /etc/vscode/policy.json, Claude Code /etc/claude-code, /Library/Application Support/ClaudeCode and
 * C:\Program Files\ClaudeCode. Sources: https://code.visualstudio.com/docs/setup/enterprise and
 * https://code.claude.com/docs/en/settings
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { unwatchFile, watchFile } from "node:fs";
import { dirname } from "node:path";

/** Upper limit of a policy, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Interval between two looks at the file, in milliseconds. Works for a file that does not exist yet. */
const WATCH_MS = 2_000;

/** Permission of the group or of others to write. */
const OTHERS_WRITE = 0o022;

/** Text of a policy, or the reason why the file does not count. */
export type PolicyText =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly problem: "unreadable" | "owner" | "mode" | "worker" };

/** Files of which the first that exists is the policy, and their owner on POSIX systems. */
export interface PolicyFiles {
  readonly paths: readonly string[];
  /** Undefined where the system has no owners and modes that Node shows. */
  readonly ownerId: number | undefined;
}

export function systemPolicyFiles(platform: string = process.platform): PolicyFiles {
  if (platform === "win32") {
    // The user can change the variable, so the usual folder comes first.
    const folders = ["C:\\Program Files", process.env["ProgramW6432"], process.env["ProgramFiles"]];
    const roots = [...new Set(folders.filter((folder) => folder !== undefined && folder !== ""))];
    return { paths: roots.map((one) => `${one}\\CoreChat\\policy.json`), ownerId: undefined };
  }
  const folder = platform === "darwin" ? "/Library/Application Support/CoreChat" : "/etc/core-chat";
  return { paths: [`${folder}/policy.json`], ownerId: 0 };
}

/** Reads the policy; undefined if there is none. Synchronous: each use sees the file as it is now. */
export function readPolicyFile({ paths, ownerId }: PolicyFiles): PolicyText | undefined {
  for (const path of paths) {
    const content = readIfExists(path, ownerId);
    if (content !== undefined) return content;
  }
  return undefined;
}

function readIfExists(path: string, ownerId: number | undefined): PolicyText | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    // A link leads to a folder whose owner is not checked; a pipe must not block.
    const handle = openSync(path, constants.O_RDONLY | flag("O_NOFOLLOW") | flag("O_NONBLOCK"));
    try {
      const file = fstatSync(handle);
      const folder = lstatSync(dirname(path));
      if (!file.isFile() || file.size > MAX_BYTES) return { path, problem: "unreadable" };
      if (ownerId !== undefined) {
        if (file.uid !== ownerId || folder.uid !== ownerId) return { path, problem: "owner" };
        if (((file.mode | folder.mode) & OTHERS_WRITE) !== 0) return { path, problem: "mode" };
      }
      return { path, text: readFileSync(handle, "utf8") };
    } finally {
      closeSync(handle);
    }
  } catch {
    return { path, problem: "unreadable" };
  }
}

/** Returns a flag of open(2); 0 on Windows, which has none of these. */
function flag(name: "O_NOFOLLOW" | "O_NONBLOCK"): number {
  return (constants as Readonly<Record<string, number | undefined>>)[name] ?? 0;
}

/** Calls `onChange` after the policy was written, changed or removed, until `dispose`. */
export function watchPolicyFile({ paths }: PolicyFiles, onChange: () => void) {
  const options = { interval: WATCH_MS, persistent: false };
  for (const path of paths) watchFile(path, options, onChange);
  return { dispose: () => paths.forEach((path) => unwatchFile(path, onChange)) };
}
