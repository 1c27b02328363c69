/**
 * Moving the history to another folder: merged by id, deleted only after reading it back, and
 * repeatable after the process ended at any call.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { History } from "../../../src/history/history";
import { copyHistory, removeCopied, type MoveProgress } from "../../../src/history/moveHistory";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { question, turn } from "./turns";

const NEVER = new AbortController().signal;
const LATER_MS = 1_700_000_000_000 + 3_600_000;

async function write(files: MemoryFileSystem, name: string): Promise<void> {
  const history = new History(files, new ManualClock(), silentLog);
  await history.journal.append("both", [question(`${name}-both`, null, `in both, from ${name}`)]);
  await history.journal.append(name, turn("t", null, `only ${name}`, "reply"));
  await history.pictures.store(new TextEncoder().encode("the same picture"));
  await history.pictures.store(new TextEncoder().encode(`picture of ${name}`));
  history.drafts.save(name, { text: `draft of ${name}` });
  await history.close();
}

async function move(
  from: MemoryFileSystem,
  to: MemoryFileSystem,
  nowMs = LATER_MS,
): Promise<number> {
  await copyHistory(from, to, () => undefined, NEVER);
  return removeCopied(from, to, new ManualClock(nowMs), NEVER);
}

/** Returns everything that a window shows of a history. */
async function contentOf(files: MemoryFileSystem): Promise<unknown> {
  const history = new History(files, new ManualClock(), silentLog);
  const content: Record<string, unknown> = {};
  for (const id of (await history.journal.list()).sort()) {
    const loaded = await history.journal.load(id);
    content[id] = {
      messages: [...loaded!.conversation.messages.keys()].sort(),
      damagedRecords: loaded!.damagedRecords,
    };
  }
  for (const id of ["old", "new"]) content[`draft ${id}`] = (await history.drafts.load(id)).text;
  content["pictures"] = [...files.files.keys()].filter((path) => path.startsWith("images/")).sort();
  return content;
}

async function disks(): Promise<readonly [MemoryFileSystem, MemoryFileSystem]> {
  const from = new MemoryFileSystem();
  const to = new MemoryFileSystem();
  await write(from, "old");
  await write(to, "new");
  return [from, to];
}

describe("moving the history", () => {
  it("merges conversations by id, pictures and drafts, and empties the old folder", async () => {
    const [from, to] = await disks();
    assert.equal(await move(from, to), 0);
    assert.deepEqual([...from.files.keys()], []);
    const content = (await contentOf(to)) as Record<string, { messages: string[] }>;
    assert.deepEqual(content["both"]?.messages, ["new-both", "old-both"]);
    assert.deepEqual(content["old"]?.messages, ["t-q", "t-r"]);
    assert.equal(content["draft old"], "draft of old");
    assert.equal((content["pictures"] as unknown as string[]).length, 3);
  });

  it("leaves no text of a write that a crash interrupted", async () => {
    const [from, to] = await disks();
    const left = "drafts/0mwrhrw8766d9ms7zp1.0mwrhrw8766d9ms7zp2.json.4711-1-0.tmp";
    await from.replace(left, new TextEncoder().encode('{"text":"half a draft'));
    assert.equal(await move(from, to, 1_700_000_000_000), from.files.size, "may be in use");
    assert.ok(from.files.has(left));
    assert.equal(await move(from, to), 0);
    assert.deepEqual([...from.files.keys()], []);
    assert.equal(to.files.has(left), false);
  });

  it("writes no file that the new folder has, and reports each file", async () => {
    const [from, to] = await disks();
    const progress: MoveProgress[] = [];
    await copyHistory(from, to, (step) => progress.push(step), NEVER);
    assert.deepEqual(progress.slice(0, 1), [{ done: 1, total: progress.length }]);
    assert.deepEqual(progress.at(-1), { done: progress.length, total: from.files.size });
    const refuse = () => Promise.reject(new Error("EROFS"));
    Object.assign(to, { append: refuse, replace: refuse });
    await copyHistory(from, to, () => undefined, NEVER);
  });

  it("keeps everything in one of the folders if it is interrupted at any call, and can be repeated", async () => {
    const [initialFrom, initialTo] = await disks();
    const callsBefore = [initialFrom.calls, initialTo.calls] as const;
    await move(initialFrom, initialTo);
    const expected = await contentOf(initialTo);
    for (const [index, initial] of [initialFrom, initialTo].entries()) {
      const total = initial.calls - callsBefore[index]!;
      for (let call = 0; call < total; call++) {
        const pair = await disks();
        const [from, to] = pair;
        const disk = pair[index]!;
        disk.fault = { atCall: disk.calls + call, kind: "die", writtenBytes: 3 };
        await move(from, to).catch(() => undefined);
        disk.fault = undefined;
        await move(from, to);
        const context = `${index === 0 ? "old" : "new"} folder, call ${call}`;
        assert.deepEqual([...from.files.keys()], [], context);
        // An incomplete record stays in the file, before an intact copy.
        assert.deepEqual(await contentOf(to), expected, context);
      }
    }
  });

  it("removes nothing if the new folder does not contain the written data", async () => {
    const [from, to] = await disks();
    const before = new Map(from.files);
    const replace = to.replace.bind(to);
    to.replace = (path, bytes) =>
      replace(
        path,
        bytes.map((byte) => byte ^ 1),
      );
    await assert.rejects(move(from, to));
    assert.deepEqual(from.files, before);
  });

  it("keeps files that a window has just written, and merges their content each time", async () => {
    const [from, to] = await disks();
    const count = from.files.size;
    assert.equal(await move(from, to, 1_700_000_000_000 + 5_000), count);
    const first = await contentOf(to);
    assert.equal(from.files.size, count);
    assert.equal(await move(from, to), 0);
    assert.deepEqual(await contentOf(to), first);
  });

  it("keeps both drafts of the same name", async () => {
    const [from, to] = await disks();
    const draft = (text: string) => new TextEncoder().encode(JSON.stringify({ text }));
    await from.replace("drafts/c1.json", draft("here"));
    await to.replace("drafts/c1.json", draft("there"));
    await move(from, to);
    await write(from, "old");
    const history = new History(to, new ManualClock(), silentLog);
    await history.drafts.load("c1");
    const { text, other } = history.drafts.current("c1");
    assert.deepEqual([text, other].sort(), ["here", "there"]);
  });
});
