/** Runs a program of the user and returns what it prints. Twin: web/runCommand.ts. */
import { spawn } from "node:child_process";
import { homedir } from "node:os";

/** Upper limit of the output, in bytes. */
const MAX_OUTPUT_BYTES = 16 * 1024;

/** Time to read what a program wrote before it exited, in milliseconds. */
const PIPE_MS = 250;

/** Output, or the reason why there is none. What the program wrote as an error may hold secrets. */
export type CommandOutput =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly problem: "not-found" | "timed-out" | "too-long" | "failed" };

/** Runs a program without a shell, in the user's home folder, so that no workspace provides a file. */
export function runCommand(
  [program = "", ...args]: readonly string[],
  timeoutMs = 30_000,
): Promise<CommandOutput> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: homedir(),
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    let outputBytes = 0;
    const end = (result: CommandOutput) => {
      for (const timer of timers) clearTimeout(timer);
      child.kill("SIGKILL");
      child.stdout.destroy();
      resolve(result);
    };
    const endExited = () =>
      end(
        child.exitCode === 0
          ? { ok: true, output: Buffer.concat(pieces).toString("utf8") }
          : { ok: false, problem: "failed" },
      );
    const timers = [setTimeout(() => end({ ok: false, problem: "timed-out" }), timeoutMs)];
    child.stdout.on("data", (bytes: Buffer) => {
      pieces.push(bytes);
      outputBytes += bytes.length;
      if (outputBytes > MAX_OUTPUT_BYTES) end({ ok: false, problem: "too-long" });
    });
    // A process that the program started may keep the pipe open, so `close` may never come.
    child.once("exit", () => timers.push(setTimeout(endExited, PIPE_MS)));
    child.once("close", endExited);
    child.once("error", (error: NodeJS.ErrnoException) =>
      end({ ok: false, problem: error.code === "ENOENT" ? "not-found" : "failed" }),
    );
  });
}
