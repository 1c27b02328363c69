/** Builds the program of window.ts and starts it as a process that a test can kill. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { WindowOptions } from "./window";

/** Lines that a window printed, and the way its process ended. */
export interface WindowEnd {
  readonly lines: readonly string[];
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
}

/** A temporary folder with the built program and the histories of its windows. */
export class WindowPrograms {
  private readonly folder = mkdtempSync(join(tmpdir(), "core-chat-history-"));
  private readonly program = join(this.folder, "window.mjs");
  private rootCount = 0;

  /** Builds the program. Must be called before the first window starts. */
  async build(): Promise<void> {
    await build({
      stdin: {
        contents: `import { runWindow } from "./test/unit/history/window";
          await runWindow(JSON.parse(process.argv[2]));`,
        resolveDir: process.cwd(),
      },
      outfile: this.program,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
    });
  }

  /** Returns the path of a new, empty history. */
  newRoot(): string {
    return join(this.folder, `store-${this.rootCount++}`);
  }

  /**
   * Runs a window until its process ends.
   * @param shouldKill Called with all lines so far after each new line.
   */
  run(
    options: WindowOptions,
    shouldKill: (lines: readonly string[]) => boolean = () => false,
  ): Promise<WindowEnd> {
    const child = spawn(process.execPath, [this.program, JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (shouldKill(linesOf(output))) child.kill("SIGKILL");
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ lines: linesOf(output), code, signal }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function linesOf(output: string): string[] {
  return output.split("\n").slice(0, -1);
}
