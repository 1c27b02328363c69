/**
 * A journal of the first format version, which all later versions must read: every kind of step, a
 * duplicate record, and an incomplete record. Never regenerate this fixture.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../../src/base/log";
import { Journal } from "../../../src/history/journal";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
import { Retries } from "../../../src/history/retries";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";

const FOLDER = "test/fixtures/journal/v1";
const ID = "0mgi6xkn4v1fixture01";

describe("a journal of format 1", () => {
  it("is read as it was written", async () => {
    const bytes = await nodeFileSystem(FOLDER).read(`${ID}.jsonl`);
    const files = new MemoryFileSystem();
    files.files.set(`conversations/${ID}.jsonl`, bytes!);
    const loaded = await new Journal(files, systemClock, silentLog, new Retries(systemClock)).load(
      ID,
    );
    const { messages, children, ...rest } = loaded!.conversation;
    const found = { ...rest, messages: [...messages.values()], children: [...children] };
    const expected: unknown = JSON.parse(readFileSync(`${FOLDER}/expected.json`, "utf8"));
    assert.deepEqual(JSON.parse(JSON.stringify(found)), expected);
    assert.equal(loaded!.damagedRecords, 0, "the incomplete record has an intact copy");
    assert.equal(loaded!.newerRecords, 0);
  });
});
