/**
 * The history after a power failure at any call: directory operations are lost and reordered unless
 * their folder was synced, but all confirmed data is still there. Also covers files that appear
 * late, as with network folders and sync programs.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { PowerFailureDisk } from "../../support/fakes/powerFailureDisk";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";
import { question } from "./turns";

const CONVERSATIONS = 70;
const NEVER = new AbortController().signal;

/** Data that was confirmed to be on disk. */
interface Confirmed {
  readonly conversations: string[];
  readonly pictures: string[];
  draft: string;
}

/** Writes conversations, pictures, drafts, list and search index until the power fails. */
async function writeAll(history: IndexedHistory, confirmed: Confirmed): Promise<void> {
  const { journal, pictures, drafts } = history;
  const index = await history.fullIndex.list();
  drafts.onSaved(() => {
    confirmed.draft = drafts.current("d").text;
  });
  for (let number = 0; number < CONVERSATIONS; number++) {
    const id = `c${number}`;
    if (await journal.append(id, [question("q", null, `needle ${number}`)]))
      confirmed.conversations.push(id);
    if (number % 10 !== 0) continue;
    const { hash, isSaved } = await pictures.store(new TextEncoder().encode(id));
    if (isSaved) confirmed.pictures.push(hash);
    drafts.save("d", { text: `draft ${String(number).padStart(3, "0")}` });
    await drafts.flush();
  }
  await index.refresh();
  await history.fullIndex.build();
  await index.flush();
}

function openOn({ calls }: PowerFailureDisk): IndexedHistory {
  return new IndexedHistory(nodeFileSystem("/store", calls), new ManualClock(), silentLog);
}

async function found(history: IndexedHistory): Promise<string[]> {
  let ids: string[] = [];
  const search = await history.fullIndex.search();
  for await (const { hits } of search.search({ text: "needle", maxHits: 1_000 }, NEVER))
    ids = hits.map(({ entry }) => entry.id);
  return ids.sort();
}

describe("history on a disk whose power fails", function () {
  this.timeout(120_000);
  const seed = firstSeed();

  const title = `has everything that was confirmed, in list and search (seed ${seed})`;
  itWithRounds(title, { quick: 15, all: 60 }, async (rounds) => {
    const random = randomOf(seed);
    const whole = new PowerFailureDisk();
    const all: Confirmed = { conversations: [], pictures: [], draft: "" };
    const initial = openOn(whole);
    await writeAll(initial, all);
    assert.equal(all.conversations.length, CONVERSATIONS);
    assert.ok(all.draft !== "" && all.pictures.length === 7);
    for (let round = 0; round < rounds; round++) {
      const disk = new PowerFailureDisk();
      disk.failsAtCall = random(whole.callCount);
      const confirmed: Confirmed = { conversations: [], pictures: [], draft: "" };
      const before = openOn(disk);
      await writeAll(before, confirmed);
      const context = `seed ${seed}, round ${round}, call ${disk.failsAtCall}`;
      disk.restart(random);

      const after = openOn(disk);
      const index = await after.fullIndex.list();
      await index.refresh();
      const listed = index.list().map(({ id }) => id);
      const conversations = confirmed.conversations.toSorted();
      assert.deepEqual(
        conversations.filter((id) => !listed.includes(id)),
        [],
        `list, ${context}`,
      );
      const hits = await found(after);
      assert.deepEqual(
        conversations.filter((id) => !hits.includes(id)),
        [],
        `search, ${context}`,
      );
      for (const hash of confirmed.pictures)
        assert.equal((await after.pictures.read(hash)).kind, "found", context);
      const draft = await after.drafts.load("d");
      assert.ok(draft.text >= confirmed.draft, `draft, ${context}`);
      await after.fullIndex.build();
      assert.deepEqual(await found(after), hits, `built again, ${context}`);
    }
  });

  it("finds conversations, index and drafts that appear late", async () => {
    const disk = new MemoryFileSystem();
    const writer = new IndexedHistory(disk, new ManualClock(), silentLog);
    await writeAll(writer, { conversations: [], pictures: [], draft: "" });
    const whole = new Map(disk.files);
    const random = randomOf(seed);
    for (let round = 0; round < 20; round++) {
      disk.files.clear();
      const reader = new IndexedHistory(disk, new ManualClock(), silentLog);
      const late = [...whole].filter(([path, bytes]) => {
        const appearsLate = random(2) === 0;
        if (!appearsLate) disk.files.set(path, bytes);
        return appearsLate;
      });
      const index = await reader.fullIndex.list();
      await index.refresh();
      const shown = index.list().length;
      assert.equal((await found(reader)).length, shown);
      await reader.drafts.load("d");
      for (const [path, bytes] of late) disk.files.set(path, bytes);
      await index.refresh();
      assert.equal(index.list().length, CONVERSATIONS, `seed ${seed}, round ${round}`);
      assert.equal((await found(reader)).length, CONVERSATIONS, `seed ${seed}, round ${round}`);
      await reader.drafts.syncFromDisk("d");
      const { text, other } = reader.drafts.current("d");
      assert.ok([text, other].includes("draft 060"), `seed ${seed}, round ${round}: ${text}`);
    }
  });
});
