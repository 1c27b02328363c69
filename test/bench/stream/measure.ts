/** Streams replies into the panel, and sums the processor time of all processes, by kind. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { E2eEnvironment } from "../../support/e2e/e2eEnvironment";
import { stopShared } from "../../support/e2e/sharedVscode";
import type { Workbench } from "../../support/vscode/workbench.mjs";

/** Length of a delta and the time between two: about 780 deltas in 26 s, as a fast model sends. */
const DELTA_LENGTH = 15;
const DELTA_EACH_MS = 33;
const ROUNDS = 2;
/** Longest time for a reply, in milliseconds. */
const END_MS = 200_000;
/** Clock ticks of /proc in a second. */
const TICKS = 100;

const KINDS = {
  "window and page": "--type=renderer",
  "extension host": "--type=extensionHost",
  "browser and GPU": "chrom",
} as const;
type Kind = keyof typeof KINDS;
type Times = Record<Kind, number>;

export async function measure(
  packages: readonly { readonly name: string; readonly vsix: string }[],
  texts: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<void> {
  const sums = new Map<string, Times>();
  for (let round = 0; round < ROUNDS; round++) {
    // What runs first in a window or in a run costs more.
    const inTurn = <T>(items: readonly T[]) => (round % 2 === 0 ? items : items.toReversed());
    for (const { name, vsix } of inTurn(packages)) {
      process.env["CORE_CHAT_VSIX"] = vsix;
      const environment = await E2eEnvironment.open();
      environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
      const window = await environment.openWindow();
      await window.openChat();
      // First use loads the renderer and the highlighter.
      for (const text of Object.values(texts)) await inPanel(environment, window, text, 1);
      const add = (row: string, times: Times) => {
        const before = sums.get(row);
        for (const one of Object.keys(times) as Kind[]) times[one] += before?.[one] ?? 0;
        sums.set(row, times);
      };
      for (const [kind, text] of inTurn(Object.entries(texts)))
        add(`${name}, ${kind}`, await inPanel(environment, window, text));
      await environment.close();
      await stopShared();
    }
  }
  for (const [row, times] of sums) {
    const parts = Object.entries(times).map(
      ([kind, seconds]) => `${kind} ${(seconds / ROUNDS).toFixed(2)} s`,
    );
    const all = Object.values(times).reduce((sum, one) => sum + one, 0) / ROUNDS;
    log(`${row}: ${all.toFixed(2)} s (${parts.join(", ")})`);
  }
}

/** Streams a reply into the panel; returns the processor time that it took, in seconds. */
async function inPanel(
  environment: E2eEnvironment,
  window: Workbench,
  text: string,
  deltaEachMs = DELTA_EACH_MS,
): Promise<Times> {
  await window.runCommand("Core Chat: New Conversation");
  await window.panel.getByRole("article").first().waitFor({ state: "detached" });
  environment.service.script({ blocks: deltasOf(text), delayMs: deltaEachMs });
  const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill("Go");
  return timeOf(async () => {
    await composer.press("Enter");
    const running = window.panel.locator('article[aria-busy="true"]');
    await running.waitFor();
    await running.waitFor({ state: "detached", timeout: END_MS });
  });
}

function deltasOf(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${DELTA_LENGTH}}`, "g")) ?? [];
}

/** Returns the processor time that an action took, in seconds. */
async function timeOf(act: () => Promise<void>): Promise<Times> {
  await delay(2_000);
  const before = processorTimes();
  await act();
  await delay(1_000);
  const after = processorTimes();
  for (const kind of Object.keys(after) as Kind[]) after[kind] -= before[kind];
  return after;
}

/** Returns the processor time of this process's descendants by kind, in seconds. */
function processorTimes(): Times {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  const commands = new Map<number, string>();
  for (const name of readdirSync("/proc")) {
    const id = Number(name);
    if (!Number.isInteger(id)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The program's name is in brackets and may contain blanks.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      parents.set(id, Number(fields[1]));
      ticks.set(id, Number(fields[11]) + Number(fields[12]));
      commands.set(id, readFileSync(`/proc/${name}/cmdline`, "utf8"));
    } catch {
      // The process has ended.
    }
  }
  const isOwn = (id: number): boolean => {
    const parent = parents.get(id);
    return parent === process.pid || (parent !== undefined && parent > 1 && isOwn(parent));
  };
  const times: Times = { "window and page": 0, "extension host": 0, "browser and GPU": 0 };
  for (const [id, command] of commands) {
    if (!isOwn(id)) continue;
    const kind = (Object.keys(KINDS) as Kind[]).find((one) => command.includes(KINDS[one]));
    if (kind !== undefined) times[kind] += (ticks.get(id) ?? 0) / TICKS;
  }
  return times;
}
