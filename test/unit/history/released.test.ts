/**
 * Files of released versions, which all later versions must read completely. Never regenerate a
 * fixture; a release with a changed format adds a folder.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";

const FOLDER = "test/fixtures/released";

interface Expected {
  readonly conversation: Record<string, unknown> & { readonly id: string };
  readonly draft: unknown;
}

/** Converts a value as JSON does. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the history of a released version", () => {
  for (const version of readdirSync(FOLDER)) {
    /** Opens a copy, so that the fixture cannot change. */
    async function open() {
      const disk = nodeFileSystem(`${FOLDER}/${version}/history`);
      const files = new MemoryFileSystem();
      for (const folder of ["conversations", "drafts", "images"]) {
        for (const name of await disk.list(folder)) {
          files.files.set(`${folder}/${name}`, (await disk.read(`${folder}/${name}`))!);
        }
      }
      const text = readFileSync(`${FOLDER}/${version}/expected.json`, "utf8");
      return { files, expected: JSON.parse(text) as Expected };
    }

    it(`is read completely (${version})`, async () => {
      const { files, expected } = await open();
      const history = new IndexedHistory(files, systemClock, silentLog);
      const { id } = expected.conversation;
      const loaded = await history.journal.load(id);
      assert.ok(loaded);
      assert.deepEqual([loaded.damagedRecords, loaded.newerRecords], [0, 0]);
      const { messages, children } = loaded.conversation;
      const lists = { messages: [...messages.values()], children: [...children] };
      const found = { ...loaded.conversation, ...lists, turns: undefined };
      assert.deepEqual(plain(found), expected.conversation);
      assert.deepEqual(plain(await history.drafts.load(id)), expected.draft);
      for (const message of messages.values()) {
        if (message.role !== "user") continue;
        for (const part of message.parts) {
          if (part.kind !== "image") continue;
          const read = await history.pictures.readUrl(part.hash, part.mediaType);
          assert.ok("url" in read && read.url.startsWith("data:image/png;base64,"));
        }
      }
      await (await history.fullIndex.list()).refresh();
      assert.deepEqual(
        (await history.fullIndex.list()).list().map((entry) => entry.id),
        [id],
      );
    });

    it(`is continued and keeps every existing byte (${version})`, async () => {
      const { files, expected } = await open();
      const before = new Map(files.files);
      const history = new IndexedHistory(files, systemClock, silentLog);
      const { id } = expected.conversation;
      await history.journal.append(id, [{ kind: "titled", title: "Gone on with" }]);
      history.drafts.save(id, { text: "another draft" });
      await history.close();
      const path = `conversations/${id}.jsonl`;
      const old = before.get(path)!;
      const now = files.files.get(path)!;
      assert.ok(Buffer.from(now.subarray(0, old.length)).equals(old));
      assert.ok(now.length > old.length);
      const next = new IndexedHistory(files, systemClock, silentLog);
      assert.equal((await next.journal.load(id))?.conversation.title, "Gone on with");
      assert.deepEqual(plain(await next.drafts.load(id)), {
        ...(expected.draft as object),
        text: "another draft",
      });
    });
  }
});
