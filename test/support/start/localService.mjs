/**
 * Starts the local reference service (test/service) in a separate Node process, for the tests and
 * for `npm start`. Needs a build: the service runs from out/.
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { start, stop } from "../runner/programs.mjs";
import { outFolder } from "../runner/project.mjs";

/** Time limit for the service to print its address, in milliseconds. */
const START_LIMIT_MS = 60_000;

/**
 * Resolves when the service has printed its JSON line, `{"url": "http://127.0.0.1:PORT"}`, which
 * means that it listens. Throws an error if the service ends or prints nothing.
 *
 * @param {{port?: number, delayMs?: number}} [options] port 0, the default, selects a free port;
 *   `delayMs` passes between the blocks of a reply, by default about as at a real service
 * @returns {Promise<{url: string, stop: () => Promise<void>}>} owned by the caller
 */
export async function startLocalService({ port = 0, delayMs } = {}) {
  const program = join(outFolder, "test/service/main.mjs");
  const delay = delayMs === undefined ? [] : ["--delay", String(delayMs)];
  const child = start(process.execPath, [program, "--port", String(port), "--json", ...delay], {
    endsWithParent: true,
  });
  let errorOutput = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    errorOutput = (errorOutput + text).slice(-2_000);
  });
  try {
    const url = await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error("The local reference service did not print its address.")),
        START_LIMIT_MS,
      );
      child.once("exit", (code) =>
        reject(
          new Error(`The local reference service ended with code ${code}.\n${errorOutput}`.trim()),
        ),
      );
      if (!child.stdout) throw new Error("The service's output is not piped.");
      // Continues to read after the first line, so that the service never waits for its reader.
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = readUrl(line);
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    });
    return { url, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** @param {string} line */
function readUrl(line) {
  try {
    const { url } = JSON.parse(line);
    return typeof url === "string" ? url.replace(/\/$/, "") : undefined;
  } catch {
    return undefined; // A readable line without JSON.
  }
}
