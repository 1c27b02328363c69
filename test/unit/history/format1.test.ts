/**
 * A journal of the first format version, which all later versions must read: every kind of step, a
 * duplicate record, and an incomplete record. Never regenerate this fixture.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { openJournal } from "./openJournal";

const FOLDER = "test/fixtures/journal/v1";
const ID = "0mgi6xkn4v1fixture01";

describe("a journal of format 1", () => {
  it("is read as it was written", async () => {
    const bytes = await nodeFileSystem(FOLDER).read(`${ID}.jsonl`);
    const files = new MemoryFileSystem();
    files.files.set(`conversations/${ID}.jsonl`, bytes!);
    const loaded = await openJournal(files).load(ID);
    const { messages, children, ...rest } = loaded!.conversation;
    const found = { ...rest, messages: [...messages.values()], children: [...children] };
    const expected: unknown = JSON.parse(readFileSync(`${FOLDER}/expected.json`, "utf8"));
    assert.deepEqual(JSON.parse(JSON.stringify(found)), expected);
    assert.equal(loaded!.damagedRecords, 0, "the incomplete record has an intact copy");
    assert.equal(loaded!.newerRecords, 0);
  });
});
