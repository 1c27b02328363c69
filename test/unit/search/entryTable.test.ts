/** The table of entries against a map, beyond its first capacity and with all kinds of values. */
import assert from "node:assert/strict";
import { EntryTable } from "../../../src/search/entryTable";
import type { IndexEntry } from "../../../src/search/indexEntry";
import { randomOf, type Random } from "../../support/fakes/seeded";

const TITLES = [undefined, "", "A title", "猫头鹰 🦉", "\ufeffé", "x".repeat(300)];
const WORKSPACES = [undefined, "", "w", "other"];
const MODELS = [[], ["core_llm"], ["core_vlm", "core_llm"]];
const TIMES = [0, 1, 1_700_000_000_123.5, Number.MAX_SAFE_INTEGER];

function randomEntry(random: Random, id: string): IndexEntry {
  const one = <T>(values: readonly T[]) => values[random(values.length)] as T;
  const title = one(TITLES);
  const workspace = one(WORKSPACES);
  const deletedAtMs = one([undefined, ...TIMES]);
  return {
    id,
    ...(title !== undefined && { title }),
    ...(workspace !== undefined && { workspace }),
    createdAtMs: one(TIMES),
    changedAtMs: one(TIMES),
    messageCount: random(100),
    modelCodes: one(MODELS),
    pictureCount: random(100),
    isPinned: one([true, false]),
    ...(deletedAtMs !== undefined && { deletedAtMs }),
    damagedRecords: random(3),
    newerRecords: random(3),
    isUnreadable: one([true, false]),
    fileBytes: one([-1, 0, 5_000_000_000]),
    fileChangedAtMs: one(TIMES),
  };
}

/** Checks every entry of a table, and its answers for one field. */
function check(table: EntryTable, expected: ReadonlyMap<string, IndexEntry>): void {
  assert.equal(table.size, expected.size);
  for (const [id, entry] of expected) {
    const row = table.rowOf(id)!;
    assert.deepEqual(table.entry(row), entry);
    const fields = [table.isPinned(row), table.isUnreadable(row), table.isDeleted(row)];
    assert.deepEqual(fields, [entry.isPinned, entry.isUnreadable, "deletedAtMs" in entry]);
    assert.ok(table.isOfFile(row, entry.fileBytes, entry.fileChangedAtMs));
    assert.ok(!table.isOfFile(row, entry.fileBytes + 1, entry.fileChangedAtMs));
    assert.ok(!table.isOfFile(row, entry.fileBytes, entry.fileChangedAtMs + 1024));
    assert.equal(table.isOf(row, "w"), entry.createdAtMs === 0 || entry.workspace === "w");
  }
}

/** Sets and removes entries at random. Returns the expected entries. */
function change(table: EntryTable, random: Random): Map<string, IndexEntry> {
  const expected = new Map<string, IndexEntry>();
  for (let step = 0; step < 8_000; step++) {
    const id = `${"c".repeat(random(3))}${random(2_500)}`;
    const row = table.rowOf(id);
    assert.equal(row !== undefined, expected.has(id), id);
    if (row !== undefined && random(3) === 0) {
      table.remove(row);
      table.remove(row);
      expected.delete(id);
    } else {
      const entry = randomEntry(random, id);
      const newRow = table.set(entry);
      if (row !== undefined) assert.equal(newRow, row);
      expected.set(id, entry);
    }
  }
  return expected;
}

describe("EntryTable", () => {
  it("has the last entry of each id after thousands of changes", () => {
    const table = new EntryTable();
    check(table, change(table, randomOf(1)));
    assert.equal(table.rowOf("missing"), undefined);
    assert.equal(table.rowOf("c".repeat(65)), undefined);
  });

  it("adds the columns of another table, except for ids that it has", () => {
    const other = new EntryTable();
    const otherEntries = change(other, randomOf(2));
    const columns = other.columnsOf([...otherEntries.keys()].map((id) => other.rowOf(id)!));
    const table = new EntryTable();
    const own = change(table, randomOf(3));
    const added = table.addColumns(columns);
    check(table, new Map([...otherEntries, ...own]));
    const newIds = [...otherEntries.keys()].filter((id) => !own.has(id));
    assert.deepEqual(
      added.map((row) => table.id(row)),
      newIds,
    );
  });
});
