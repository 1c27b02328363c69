/**
 * Real processes are killed while they write to a real disk: everything that they reported as saved
 * is there, and the next window can continue. Several windows also write to the same file.
 */
import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
import { firstSeed, randomOf } from "../../support/fakes/seeded";
import { wholeFilesAt } from "../../support/fakes/wholeFileDisk";
import { replyOf } from "./window";
import { WindowPrograms } from "./windowProcess";
import { itWithRounds } from "../../support/depth";

const ID = "c1";
const windows = new WindowPrograms();

/** Folders with append, and those that only write whole files. */
const PLACES = [
  { place: "a local folder", isForeign: false },
  { place: "a folder without append", isForeign: true },
] as const;

function open(root: string, isForeign: boolean): IndexedHistory {
  const files = (isForeign ? wholeFilesAt : nodeFileSystem)(root);
  return new IndexedHistory(files, systemClock, silentLog);
}

describe("a journal whose windows are killed", () => {
  before(() => windows.build());
  after(() => windows.remove());

  for (const { place, isForeign } of PLACES) {
    describe(`in ${place}`, function () {
      this.timeout(300_000);

      const seed = firstSeed();
      const kills = { quick: 2, all: 12 };
      const streamTitle = `keeps everything reported as saved when killed while streaming (seed ${seed})`;
      itWithRounds(streamTitle, kills, async (rounds) => {
        const random = randomOf(seed);
        const root = windows.newRoot();
        for (let round = 0; round < rounds; round++) {
          const name = `w${round}`;
          const atLine = 1 + random(60);
          const options = { root, isForeign, conversationId: ID, name, turns: 1_000 };
          const { lines, signal } = await windows.run(
            options,
            (printed) => printed.length >= atLine,
          );
          assert.equal(signal, "SIGKILL");
          // Incomplete records of all rounds add up, so each round checks its own messages.
          const history = open(root, isForeign);
          // A window that is killed before its first question may have no file.
          const loaded = await history.journal.load(ID);
          const messages = loaded?.conversation.messages ?? new Map<string, never>();
          assert.ok((loaded?.damagedRecords ?? 0) <= round + 1, `seed ${seed}, round ${round}`);
          for (const line of lines) {
            const [kind, number = "", length = "0"] = line.split(" ");
            const reply = messages.get(`${name}-r${number}`);
            const text = reply?.role === "assistant" ? reply.text : "";
            const context = `seed ${seed}, round ${round}, ${line}`;
            if (kind === "picture")
              assert.equal((await history.pictures.read(number)).kind, "found", context);
            if (kind === "asked") assert.ok(messages.has(`${name}-q${number}`), context);
            if (kind === "grown") assert.ok(text.length >= Number(length), context);
            if (kind === "ended") {
              assert.equal(text, replyOf(Number(number)), context);
              assert.ok(reply?.role === "assistant" && reply.ending, context);
            }
            if (reply) assert.ok(replyOf(Number(number)).startsWith(text), context);
          }
          history.dispose();
        }
      });

      it("contains every message exactly once when several windows write the same file", async () => {
        const root = windows.newRoot();
        const names = ["a", "b", "c"];
        const turns = 15;
        const ends = await Promise.all(
          names.map((name) => windows.run({ root, isForeign, conversationId: ID, name, turns })),
        );
        for (const { lines } of ends) assert.equal(lines.at(-1), "done");
        const history = open(root, isForeign);
        const { conversation, damagedRecords } = (await history.journal.load(ID))!;
        assert.equal(damagedRecords, 0);
        assert.equal(conversation.messages.size, names.length * turns * 2);
        for (const name of names) {
          for (let number = 0; number < turns; number++) {
            const reply = conversation.messages.get(`${name}-r${number}`);
            assert.equal(reply?.role === "assistant" && reply.text, replyOf(number));
          }
        }
        history.dispose();
      });
    });
  }
});
