/** Runs a program of the user and returns what it prints. Twin: web/runCommand.ts. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";

/** Limits of a run: time in milliseconds, output in bytes. */
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 16 * 1024;

/** Output, or the reason why there is none. What the program wrote as an error may hold secrets. */
export type CommandOutput =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly problem: "not-found" | "timed-out" | "too-long" | "failed" };

/** Runs a program without a shell, in the user's home folder, so that no workspace provides a file. */
export function runCommand([program = "", ...args]: readonly string[]): Promise<CommandOutput> {
  const options = {
    cwd: homedir(),
    // Ends the wait too if a program that it started keeps the output open.
    signal: AbortSignal.timeout(TIMEOUT_MS),
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: "SIGKILL" as const,
    windowsHide: true,
    shell: false,
  };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, output) => {
      if (error === null) resolve({ ok: true, output });
      else if (error.code === "ENOENT") resolve({ ok: false, problem: "not-found" });
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
        resolve({ ok: false, problem: "too-long" });
      else resolve({ ok: false, problem: error.name === "AbortError" ? "timed-out" : "failed" });
    });
    child.stdin?.end();
  });
}
