/**
 * Runs the system's own tools for a screenshot of a region: `screencapture` on macOS, on Linux
 * the tools on PATH. Windows has no tool that writes a file.
 */
import { spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFileUpTo } from "./readFileUpTo";

export type ScreenCapture =
  | { readonly kind: "captured"; readonly bytes: Uint8Array }
  /** The user closed the tool without a picture, or the signal was aborted. */
  | { readonly kind: "canceled" }
  | { readonly kind: "no-tool" }
  | { readonly kind: "failed"; readonly tool: string };

/** Environment of the tools; tests pass their own. */
interface CaptureOptions {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly maxBytes: number;
}

/** Program that writes the selected region to a PNG file. */
interface RegionTool {
  readonly command: string;
  /** @param region output of `selector`; empty without one */
  readonly args: (file: string, region: string) => readonly string[];
  /** Program that asks for the region and prints the region. */
  readonly selector?: string;
}

const MAC_TOOLS: readonly RegionTool[] = [
  { command: "screencapture", args: (file) => ["-i", "-x", "-t", "png", file] },
];

/** Tools in the order of their desktops' share; each does nothing on a foreign desktop but fail. */
const LINUX_TOOLS: readonly RegionTool[] = [
  { command: "spectacle", args: (file) => ["-b", "-n", "-r", "-o", file] },
  { command: "gnome-screenshot", args: (file) => ["-a", "-f", file] },
  { command: "grim", selector: "slurp", args: (file, region) => ["-g", region, file] },
  { command: "scrot", args: (file) => ["-s", file] },
];

/** Output of tools after the user pressed a key or Escape instead of selecting a region. */
const CANCELED_OUTPUT = /cancel|abort/i;

/** Time between the request to end a tool and its forced end, in milliseconds. */
const KILL_AFTER_MS = 2_000;

/** Upper limit of the output that is read, in UTF-16 units. */
const MAX_OUTPUT_LENGTH = 4_000;

/** Tries the tools in their order until the user has captured a region or canceled. */
export async function captureRegion(
  options: CaptureOptions,
  signal: AbortSignal,
): Promise<ScreenCapture> {
  const isMac = options.platform === "darwin";
  let failed: ScreenCapture = { kind: "no-tool" };
  for (const tool of isMac ? MAC_TOOLS : LINUX_TOOLS) {
    if (signal.aborted) return { kind: "canceled" };
    const capture = await runTool(tool, options, signal);
    if (capture.kind === "captured" || capture.kind === "canceled") return capture;
    if (failed.kind === "no-tool") failed = capture;
  }
  return failed;
}

/** Runs a tool with a file in a folder of its own, which is removed afterwards. */
async function runTool(
  { command, selector, args }: RegionTool,
  { env, maxBytes }: CaptureOptions,
  signal: AbortSignal,
): Promise<ScreenCapture> {
  const folder = await mkdtemp(join(tmpdir(), "core-chat-"));
  try {
    const file = join(folder, "screenshot.png");
    let region = "";
    if (selector !== undefined) {
      const selected = await run(selector, [], folder, env, signal);
      region = selected.output.trim();
      if (selected.code === undefined) return { kind: "no-tool" };
      if (selected.isCanceled) return { kind: "canceled" };
      if (selected.code !== 0 || region === "") return { kind: "failed", tool: selector };
    }
    const { code, isCanceled } = await run(command, args(file, region), folder, env, signal);
    if (code === undefined) return { kind: "no-tool" };
    if (isCanceled) return { kind: "canceled" };
    const bytes = await readFileUpTo(file, maxBytes).catch(() => undefined);
    if (code !== 0) return { kind: "failed", tool: command };
    if (bytes === undefined) return { kind: "canceled" };
    const isPicture = typeof bytes !== "string" && bytes.length > 0;
    return isPicture ? { kind: "captured", bytes } : { kind: "failed", tool: command };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface ProgramResult {
  /** Null after a signal; undefined if the program could not be started, as it is not installed. */
  readonly code: number | null | undefined;
  /** True if the user canceled, or the signal was aborted. */
  readonly isCanceled: boolean;
  readonly output: string;
}

/**
 * Runs a program to its end. Its output goes to files: a pipe would stay open for as long as a process
 * that the program started.
 */
async function run(
  command: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const [outputFile, errorFile] = [join(folder, "output"), join(folder, "errors")];
  const [output, errors] = [await open(outputFile, "w"), await open(errorFile, "w")];
  let code: ProgramResult["code"];
  try {
    code = await untilExit(command, args, { env, stdio: [output.fd, errors.fd] }, signal);
  } finally {
    await Promise.all([output.close(), errors.close()]);
  }
  const texts = await Promise.all([readFile(outputFile, "utf8"), readFile(errorFile, "utf8")]);
  const [printed, complaint] = texts.map((text) => text.slice(0, MAX_OUTPUT_LENGTH));
  // Tools have no common exit code for Escape. Most exit with 1 and print nothing, or print the reason.
  const isSilent = code === 1 && complaint?.trim() === "";
  const isReported = !!code && CANCELED_OUTPUT.test(complaint ?? "");
  return { code, isCanceled: signal.aborted || isSilent || isReported, output: printed ?? "" };
}

/** Starts a program in a process group of its own; an abort ends the whole group. */
function untilExit(
  command: string,
  args: readonly string[],
  { env, stdio }: { readonly env: NodeJS.ProcessEnv; readonly stdio: readonly [number, number] },
  signal: AbortSignal,
): Promise<ProgramResult["code"]> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ["ignore", ...stdio], detached: true });
    const kill = (how: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, how);
      } catch {
        // The group has ended already.
      }
    };
    let killTimer: ReturnType<typeof setTimeout> | undefined;
    const abort = () => {
      kill("SIGTERM");
      killTimer = setTimeout(() => kill("SIGKILL"), KILL_AFTER_MS);
    };
    const end = (code: ProgramResult["code"]) => {
      clearTimeout(killTimer);
      signal.removeEventListener("abort", abort);
      resolve(code);
    };
    child.once("exit", end);
    child.once("error", () => end(undefined));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
