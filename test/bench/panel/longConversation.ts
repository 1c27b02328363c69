/** Measures from the choice of a conversation of 2,000 turns in the list to the frame with its last reply. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newId } from "../../../src/base/id";
import { stepSchema } from "../../../src/conversation/conversation";
import { encodeRecord } from "../../../src/history/record";
import type { Workbench } from "../../support/vscode/workbench.mjs";

/** Conversations, each opened once; the host then has it in memory. */
const CONVERSATIONS = 5;
const TURNS = 2_000;
/** Turns of the wheel, which pass some sixty messages. */
const WHEEL_STEPS = 60;
/** Text between two checkpoints of a reply, in UTF-16 units. */
const CHECKPOINT_UNITS = 450;
const PARAGRAPH =
  "The function returns the sum of all rows, so subtract the discount first. Use `total(rows)`.\n\n";
const REPLY = PARAGRAPH.repeat(14);

/** Writes the conversations into a history folder. */
export function writeLongConversations(folder: string): void {
  mkdirSync(join(folder, "conversations"), { recursive: true });
  for (let index = 0; index < CONVERSATIONS; index++) {
    const id = newId(Date.now() - 60_000);
    const records = stepsOf(id, `Long ${index}`).map((step) =>
      encodeRecord(newId(Date.now()), stepSchema.parse(step)),
    );
    writeFileSync(join(folder, "conversations", `${id}.jsonl`), Buffer.concat(records));
  }
}

function* turn(index: number, parentId: string | null, question: string) {
  const [questionId, messageId, atMs] = [`q${index}`, `r${index}`, 1_700_000_000_000 + index];
  const added = { kind: "message-added" };
  const parts = [{ kind: "text", text: question }];
  yield { ...added, message: { role: "user", id: questionId, parentId, parts, sentAtMs: atMs } };
  const model = { modelKind: "llm", modelCode: "core_llm", startedAtMs: atMs };
  const reply = { role: "assistant", id: messageId, parentId: questionId, text: "", ...model };
  yield { ...added, message: reply };
  for (let offset = 0; offset < REPLY.length; offset += CHECKPOINT_UNITS) {
    const text = REPLY.slice(offset, offset + CHECKPOINT_UNITS);
    yield { kind: "reply-grown", messageId, offset, text, atMs };
  }
  yield { kind: "reply-ended", messageId, atMs, ending: { kind: "complete" } };
}

function stepsOf(id: string, title: string): unknown[] {
  const turns = Array.from({ length: TURNS }, (_, index) => [
    ...turn(index, index === 0 ? null : `r${index - 1}`, index === 0 ? title : "And the next?"),
  ]);
  return [{ kind: "created", id, atMs: 1, workspace: "workspace" }, ...turns.flat()];
}

/** Returns milliseconds: until the end of each conversation is painted, and of tasks while it scrolls. */
export async function timeLongConversations(window: Workbench) {
  const durations: number[] = [];
  const longTasks: number[] = [];
  for (let index = 0; index < CONVERSATIONS; index++) {
    await window.runCommand("Core Chat: Show History");
    const row = window.panel.getByRole("option", { name: `Long ${index}` });
    durations.push(await row.evaluate(openAndWait, `r${TURNS - 1}`));
    longTasks.push(...(await scrollUp(window)));
    await window.runCommand("Core Chat: New Conversation");
    await window.panel.locator(`[data-message-id="r${TURNS - 1}"]`).waitFor({ state: "detached" });
  }
  return { durations, longTasks };
}

/** Returns the durations of tasks of 50 ms or more in the page, as the browser reports them. */
async function scrollUp(window: Workbench): Promise<number[]> {
  const log = window.panel.getByRole("log", { name: "Conversation", exact: true });
  await log.hover();
  const tasks = await log.evaluateHandle(() => {
    const reported: number[] = [];
    const add = (list: PerformanceObserverEntryList) =>
      reported.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    new PerformanceObserver(add).observe({ type: "longtask" });
    return reported;
  });
  for (let step = 0; step < WHEEL_STEPS; step++) {
    await window.page.mouse.wheel(0, -600);
    await delay(30);
  }
  return await tasks.jsonValue();
}

/** Runs in the page: opens the row's conversation, and resolves once a frame shows the message. */
function openAndWait(row: HTMLElement | SVGElement, id: string): Promise<number> {
  const started = Date.now();
  row.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return new Promise((resolve) => {
    const look = () => {
      const reply = document.querySelector(`[data-message-id="${id}"] .reply-body p`);
      // A task queued in an animation frame runs after that frame was painted.
      if (reply?.checkVisibility()) setTimeout(() => resolve(Date.now() - started), 0);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
