/**
 * Measures Take Screenshot from the end of the system's tool to the frame that shows the picture's
 * chip. A program on PATH replaces the tool: it copies a picture and records when it ends.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workbench } from "../../support/vscode/workbench.mjs";
import { drawScreenshot } from "./screenshot";

const ROUNDS = 6;

/** Logs the durations for a picture of 4K. @param programs first folder on VS Code's PATH */
export async function measureRegionTool(
  window: Workbench,
  programs: string,
  log: (line: string) => void,
): Promise<void> {
  const { png } = await drawScreenshot(window.context, 3840, 2160);
  const endedAt = replaceRegionTool(programs, png);
  const durations: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(endedAt, { force: true });
    const chips = window.panel.getByRole("list", { name: "Attachments" });
    const box = window.panel.getByRole("textbox", { name: "Message", exact: true });
    const shown = box.evaluate(untilChip);
    await window.panel.getByRole("button", { name: "Take screenshot", exact: true }).click();
    const shownAtMs = await shown;
    durations.push(shownAtMs - Number(readFileSync(endedAt, "utf8")) / 1e6);
    await window.panel.locator(".chip-remove").first().click();
    await chips.getByRole("listitem").waitFor({ state: "detached" });
  }
  const [first, ...later] = durations;
  later.sort((a, b) => a - b);
  const [median, worst] = [later[later.length >> 1]!, later.at(-1)!];
  log(
    `region tool's end to chip, 3840×2160: the first ${first!.toFixed(0)} ms, later median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms (limit 300)`,
  );
}

/** Writes the stand-in program. @returns path of the file with its end, in nanoseconds since 1970 */
export function replaceRegionTool(programs: string, png: Buffer): string {
  const [picture, endedAt] = [join(programs, "made.png"), join(programs, "ended")];
  writeFileSync(picture, png);
  const program = join(programs, "scrot");
  const copy = `for file in "$@"; do :; done\ncp "${picture}" "$file"`;
  writeFileSync(program, `#!/bin/sh\n${copy}\ndate +%s%N > "${endedAt}"\n`);
  chmodSync(program, 0o755);
  return endedAt;
}

/** Runs in the panel: resolves with the time since 1970 of the frame that shows a chip's picture. */
function untilChip(): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(".attachment .thumbnail") === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
    };
    look();
  });
}
