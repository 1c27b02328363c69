/**
 * Starts other programs: programs that end on their own (`run`) and servers (`start`, `stop`).
 * Imports only Node built-ins, because `npm start` uses this before packages are installed.
 */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { projectFolder } from "./project.mjs";

/** Time limit for a program to end after SIGTERM, in milliseconds, before SIGKILL. */
const GRACE_MS = 3_000;

/** Script that ends a program together with this process. */
const endWithParent = join(projectFolder, "test/support/runner/endWithParent.mjs");

/** Running programs of this process; none may outlive it. @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
process.on("exit", () => {
  for (const child of running) signal(child, "SIGKILL");
});

/**
 * Runs a program to its end. `inherit` shows its output live; otherwise the output is collected.
 * Throws an error with the last lines of output if the program fails, cannot be started or takes
 * longer than `limitMs`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, inherit?: boolean, limitMs?: number}} [options]
 * @returns {Promise<string>} standard output; empty with `inherit`
 */
export async function run(command, args, options = {}) {
  const { code, output, stdout, timedOut } = await finish(command, args, options);
  if (timedOut) {
    throw new Error(
      `\`${command} ${args[0] ?? ""}\` took too long and was stopped.${tail(output)}`,
    );
  }
  if (code !== 0) {
    throw new Error(`\`${command} ${args.join(" ")}\` ended with code ${code}.${tail(output)}`);
  }
  return stdout;
}

/**
 * Runs a program to its end and returns its exit code. With `linePrefix`, the output is shown live,
 * each line with this prefix.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, inherit?: boolean, linePrefix?: string | undefined, limitMs?: number}} [options]
 * @returns {Promise<{code: number, output: string, stdout: string, timedOut: boolean}>}
 */
export async function finish(command, args, options = {}) {
  const child = start(command, args, options);
  let output = "";
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => ((output += text), (stdout += text)));
  child.stderr?.setEncoding("utf8").on("data", (text) => (output += text));
  if (options.linePrefix !== undefined) {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      const lines = createInterface({ input: stream });
      lines.on("line", (line) => console.log(`${options.linePrefix}${line}`));
    }
  }
  let timedOut = false;
  const timer =
    options.limitMs === undefined
      ? undefined
      : setTimeout(() => ((timedOut = true), void stop(child)), options.limitMs);
  /** @type {number} */
  const code = await new Promise((resolve, reject) => {
    child.once("error", (error) =>
      reject(new Error(`\`${command}\` cannot be started: ${error.message}`)),
    );
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  }).finally(() => clearTimeout(timer));
  return { code, output, stdout, timedOut };
}

/**
 * Starts a program in its own process group, so that `stop` also ends its children and Ctrl+C
 * interrupts only this process. The program never outlives this process. Servers should set
 * `endsWithParent`, so that they end even if this process is killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, inherit?: boolean, endsWithParent?: boolean}} [options]
 */
export function start(command, args, options = {}) {
  const output = options.inherit ? "inherit" : "pipe";
  const child = spawn(
    options.endsWithParent ? process.execPath : command,
    options.endsWithParent ? [endWithParent, command, ...args] : args,
    {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env ?? process.env,
      detached: process.platform !== "win32",
      shell: process.platform === "win32" && !options.endsWithParent && !command.endsWith(".exe"),
      stdio: [options.endsWithParent ? "pipe" : "ignore", output, output],
    },
  );
  running.add(child);
  const forget = () => running.delete(child);
  child.once("exit", forget).once("error", forget);
  return child;
}

/**
 * Stops a program and its children, and resolves when it has ended. Stopping twice is harmless.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
export async function stop(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  signal(child, "SIGTERM");
  const timer = setTimeout(() => signal(child, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
  signal(child, "SIGKILL"); // Ends remaining processes of the group.
}

/**
 * Returns the full path of a program on PATH, or undefined.
 *
 * @param {string} name
 */
export function findProgram(name) {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter).filter(Boolean)) {
    for (const ending of process.platform === "win32" ? [".cmd", ".exe"] : [""]) {
      const path = join(folder, name + ending);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} name
 */
function signal(child, name) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // The process has ended already.
  }
}

/** @param {string} output */
function tail(output) {
  const lines = output.trim().split("\n").slice(-15).join("\n");
  return lines === "" ? "" : ` Its last lines:\n${lines}`;
}
