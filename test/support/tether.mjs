/**
 * Runs the program it is given and ends it, with all it started, as soon as its own standard input
 * closes: so nothing keeps running when whoever started it was killed and could not clean up.
 */
import { spawn } from "node:child_process";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

child.once("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
child.once("exit", (code) => process.exit(code ?? 1));

// The program gets these too and ends in its own way; we follow it.
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
  process.on(signal, () => child.kill(signal));
}

process.stdin.resume().once("close", () => {
  child.kill("SIGKILL");
  // `start` made this process the leader of a group that holds all the program started.
  if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
});
