/**
 * Runs the program of its arguments and kills that process group when standard input closes, so
 * that no process remains when the parent is killed.
 */
import { spawn } from "node:child_process";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

child.once("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
child.once("exit", (code) => process.exit(code ?? 1));

// Forwards the signals and exits with the program.
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
  process.on(signal, () => child.kill(signal));
}

process.stdin.resume().once("close", () => {
  child.kill("SIGKILL");
  // `start` made this process the leader of a group that contains all processes of the program.
  if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
});
