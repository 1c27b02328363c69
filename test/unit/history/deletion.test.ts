/**
 * What is deleted for ever is in no byte of the storage: journal, drafts, list, search index and pictures,
 * also after a crash at any call, a reload, and with a second window that has everything in memory; on
 * local folders and on folders that only write whole files.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { concatBytes } from "../../../src/base/concatBytes";
import { BIN_MS } from "../../../src/history/cleanup";
import type { FileSystem } from "../../../src/history/fileSystem";
import { SEARCH_FOLDER } from "../../../src/history/paths";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { copyHistory, removeCopied } from "../../../src/history/moveHistory";
import { ManualClock } from "../../support/fakes/manualClock";
import { filesWith } from "../../support/fakes/byteSearch";
import { MemoryFileSystem, ProcessDied } from "../../support/fakes/memoryFileSystem";
import { WholeFileDisk } from "../../support/fakes/wholeFileDisk";
import { ended, grown, question, replyStarted, turn } from "./turns";
import { itWithRounds } from "../../support/depth";

const NEVER = new AbortController().signal;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Words that only the deleted content has, with letters that the search folds. */
const TITLE = "Geheimes Paßwort Übersicht";
const ANSWER = "Antwort mit Zugangsdaten Ärger";
const DRAFT = "Entwurf mit Kennwort Öl";
const FORMER_TITLE = "Kennwort aus der Frage Ü";
const LAST_TITLE = "Zugang aus der Frage Ö";
const PICTURE = new TextEncoder().encode("pixels of the secret picture");
const SHARED_PICTURE = new TextEncoder().encode("pixels of a picture in two conversations");

const RECEIPT = {
  modelKind: "vl",
  modelCode: "core_vl",
  host: "h",
  bodyBytes: 1,
  messageCount: 1,
  imageCount: 1,
  imagesLeftOut: 0,
  turnsLeftOut: 0,
  estimatedTokens: 1,
} as const;

const SECRET_ID = "0secret00000000000a";

class Window {
  readonly history: IndexedHistory;

  constructor(
    readonly files: MemoryFileSystem,
    readonly clock: ManualClock,
  ) {
    files.nowMs = () => clock.nowMs();
    // List and search index of a folder of another scheme are in VS Code's storage.
    this.history = new IndexedHistory(this.openFiles(), clock, silentLog, files);
  }

  /** Uses the list and the search, which fills the caches. */
  async useListAndSearch(text = "number"): Promise<string[]> {
    const { history } = this;
    await history.fullIndex.refresh();
    await history.fullIndex.build();
    const search = await history.fullIndex.search();
    let titles: string[] = [];
    for await (const { hits } of search.search({ text, maxHits: 100 }, NEVER))
      titles = hits.map(({ entry }) => entry.title ?? "");
    await history.close();
    return titles;
  }

  /** Opens the history's folder as another window does. */
  openFiles(): FileSystem {
    return this.files instanceof WholeFileDisk ? this.files.openWindow() : this.files;
  }

  readSecret(): Promise<Uint8Array | undefined> {
    return this.openFiles().read(`conversations/${SECRET_ID}.jsonl`);
  }

  async close(): Promise<void> {
    await this.history.close();
    this.history.dispose();
  }
}

/** Returns a disk with many conversations and a secret one, all in the caches. */
async function preparedDisk(
  files: MemoryFileSystem,
  clock: ManualClock,
): Promise<MemoryFileSystem> {
  const window = new Window(files, clock);
  const { journal, drafts, pictures } = window.history;
  for (let number = 0; number < 70; number++)
    await journal.append(`other${number}`, turn("t", null, `Other number ${number}`, "fine"));
  // The search index writes a file once a mebibyte of texts changed.
  await journal.append("large", turn("t", null, "Large", "large ".repeat(200_000)));
  const own = await pictures.store(PICTURE);
  const shared = await pictures.store(SHARED_PICTURE);
  const size = { mediaType: "image/png", widthPx: 1, heightPx: 1, bytes: 1 };
  const image = (hash: string) => ({ kind: "image" as const, hash, name: "x.png", ...size });
  const atMs = clock.nowMs();
  const asked = {
    role: "user" as const,
    id: "s-q",
    parentId: null,
    sentAtMs: atMs,
    parts: [
      { kind: "text" as const, text: TITLE },
      image(own.hash),
      image(shared.hash),
      { kind: "note" as const, source: "text" as const, label: "pasted", text: `Note: ${TITLE}` },
    ],
  };
  const sent = { kind: "bytes", hash: own.hash, ...size, mediaType: "" } as const;
  await journal.append(SECRET_ID, [
    { kind: "created", id: SECRET_ID, atMs },
    { kind: "message-added", message: asked },
    replyStarted("s-r", "s-q", atMs),
    { kind: "reply-thought", messageId: "s-r", offset: 0, text: ANSWER, durationMs: 1 },
    grown("s-r", 0, ANSWER),
    { kind: "request-sent", messageId: "s-r", receipt: { ...RECEIPT, pictures: [sent] } },
    ended("s-r", atMs),
    question("s-next", "s-r", "A later question", atMs + 1),
  ]);
  await journal.append("other1", [
    { kind: "message-added", message: { ...asked, id: "shared", parts: [image(shared.hash)] } },
  ]);
  drafts.save(SECRET_ID, { text: DRAFT });
  await window.useListAndSearch();
  clock.advance(60_000);
  // A later text makes the indexed one outdated.
  await journal.append(SECRET_ID, [{ kind: "pinned", isPinned: true }]);
  await window.useListAndSearch();
  assert.ok(filesWith(files.files, TITLE).length >= 3, "journal, list and search have the text");
  for (const title of TITLES) {
    clock.advance(60_000);
    await journal.append(SECRET_ID, [{ kind: "titled", title }]);
    await window.useListAndSearch();
  }
  clock.advance(60_000);
  leaveFiles(files);
  return files;
}

/** Adds what windows that were killed while they wrote left in each folder, with texts of the question. */
function leaveFiles({ files }: MemoryFileSystem): void {
  const encoder = new TextEncoder();
  const draft = (replaces: readonly string[]) =>
    encoder.encode(JSON.stringify({ text: TITLE, attached: [], queue: [], replaces }));
  const [name = ""] = [...files.keys()].filter((path) => path.startsWith(`drafts/${SECRET_ID}.`));
  const former = `${SECRET_ID}.0000000000000000aaa.json`;
  files.set(`drafts/${former}`, draft([]));
  const newest = JSON.parse(new TextDecoder().decode(files.get(name))) as { replaces: string[] };
  files.set(name, encoder.encode(JSON.stringify({ ...newest, replaces: [former] })));
  files.set(`drafts/${SECRET_ID}.0000000000000000aab.json.12-34-5.tmp`, draft([]));
  files.set(`drafts/${SECRET_ID}.json.12-34-5.tmp`, draft([]).subarray(0, 60));
  const text = encoder.encode(`${TITLE}\n${ANSWER}\n${LAST_TITLE}`);
  for (const path of [
    "search-3/0a.segment",
    `${SEARCH_FOLDER}/0a.12-34-5.tmp`,
    "index-1.json",
    "index-2.bin",
    `index-3.bin.12-34-5.tmp`,
  ])
    files.set(path, text);
  files.set(`running/${SECRET_ID}`, new Uint8Array());
}

const TITLES = [FORMER_TITLE, LAST_TITLE];
const REMOVED_TEXTS = {
  "Delete Permanently": [TITLE, ANSWER, DRAFT, PICTURE, ...TITLES],
  "Empty Bin": [TITLE, ANSWER, DRAFT, PICTURE, ...TITLES],
  "Forget This Message of a question": [TITLE, PICTURE, ...TITLES],
  "Forget This Message of a reply": [ANSWER, ...TITLES],
  "the cleanup after 31 days": [TITLE, ANSWER, DRAFT, PICTURE, ...TITLES],
};
type Way = keyof typeof REMOVED_TEXTS;

async function remove(way: Way, { history, clock }: Window): Promise<void> {
  const deletion = await history.deletion();
  switch (way) {
    case "Delete Permanently":
      return deletion.removeConversations([SECRET_ID]);
    case "Empty Bin": {
      await history.journal.append(SECRET_ID, [{ kind: "deleted", atMs: clock.nowMs() }]);
      const index = await history.fullIndex.list();
      await index.refresh();
      return deletion.removeConversations(index.list({ isInBin: true }).map(({ id }) => id));
    }
    case "the cleanup after 31 days":
      await history.journal.append(SECRET_ID, [{ kind: "deleted", atMs: clock.nowMs() }]);
      clock.advance(BIN_MS);
      await history.cleanUp(NEVER);
      clock.advance(DAY_MS);
      return history.cleanUp(NEVER);
    default: {
      const { conversation } = (await history.journal.load(SECRET_ID))!;
      const id = way === "Forget This Message of a reply" ? "s-r" : "s-q";
      const forgetting = await deletion.findForgetting(conversation, id);
      return deletion.forget(SECRET_ID, forgetting, async () => {
        if (!(await history.journal.append(SECRET_ID, forgetting.steps))) throw new ProcessDied();
      });
    }
  }
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of a segment that another machine wrote. */
function segmentOfOther({ length }: Uint8Array): string {
  return `conversations/${SECRET_ID}.90.0mwrhrw8766d9ms7zp2.${length}.jsonl`;
}

function assertGone(files: MemoryFileSystem, way: Way, when: string): void {
  for (const needle of REMOVED_TEXTS[way]) {
    const name = typeof needle === "string" ? needle : "the picture";
    assert.deepEqual(filesWith(files.files, needle), [], `${name} after ${way}, ${when}`);
  }
  assert.notDeepEqual(filesWith(files.files, SHARED_PICTURE), [], "the shared picture stays");
}

const FOLDERS = {
  "on a local folder": MemoryFileSystem,
  "on a folder without append": WholeFileDisk,
};

for (const [where, Disk] of Object.entries(FOLDERS))
  describe(`what is deleted for ever ${where}`, function () {
    this.timeout(300_000);
    let disk: MemoryFileSystem;
    const startClock = new ManualClock();
    before(async () => {
      disk = await preparedDisk(new Disk(), startClock);
    });

    /** Opens a window on a copy of the disk. */
    function open() {
      const clock = new ManualClock(startClock.nowMs());
      const files = disk.copy();
      return { clock, files, window: new Window(files, clock) };
    }

    for (const way of Object.keys(REMOVED_TEXTS) as Way[]) {
      it(`is in no byte of the storage after ${way}, nor after list, search and reload`, async () => {
        const { clock, window } = open();
        await window.useListAndSearch();
        await remove(way, window);
        assertGone(window.files, way, "at once");
        const titles = await window.useListAndSearch();
        assert.equal(titles.length, 70, "the other conversations are found");
        const next = new Window(window.files, clock);
        await next.history.finishDeletions();
        await next.useListAndSearch();
        assertGone(window.files, way, "after a reload");
        const kept = await next.history.journal.load(SECRET_ID);
        if (!way.startsWith("Forget")) assert.equal(kept, undefined);
        else {
          assert.equal(kept?.damagedRecords, 0);
          assert.equal(kept.conversation.messages.size, 3);
          assert.equal(kept.conversation.leafId, "s-next");
        }
      });

      // Empty Bin removes conversations by the same call as Delete Permanently.
      if (way === "Empty Bin") continue;

      it(`is not brought back by a second window after ${way}`, async () => {
        const { clock, files, window: first } = open();
        const second = new Window(files, clock);
        await second.useListAndSearch(TITLE);
        await second.history.drafts.load(SECRET_ID);
        await second.history.journal.load(SECRET_ID);
        await first.useListAndSearch();
        await remove(way, first);
        // The second window writes everything it has: its list, its index, the draft and the conversation.
        await second.history.journal.append("other2", [{ kind: "titled", title: "Renamed" }]);
        await (await second.history.fullIndex.list()).refreshOne("other2");
        second.history.drafts.save(SECRET_ID, { fields: ["${input:port}"] });
        if (!way.startsWith("Forget"))
          await second.history.journal.append(SECRET_ID, turn("late", "s-q", TITLE, ANSWER));
        for (let number = 0; number < 70; number++)
          await second.history.journal.append(`new${number}`, [question("q", null, "New number")]);
        await second.useListAndSearch();
        await second.history.close();
        assertGone(files, way, "with a second window");
        const left = [...files.files.keys()].filter((path) => path.includes(SECRET_ID));
        if (!way.startsWith("Forget")) assert.deepEqual(left, []);
      });

      const callCounts = { quick: 3, all: 10_000 };
      const killedTitle = `is gone when the next window has started, if ${way} is killed at a call`;
      itWithRounds(killedTitle, callCounts, async (rounds) => {
        const { window: whole } = open();
        await remove(way, whole);
        const { changingCalls } = whole.files;
        assert.ok(changingCalls.length > 5, `only ${changingCalls.length} calls are tried`);
        const step = Math.ceil(changingCalls.length / rounds);
        const tried = changingCalls.filter((_, at) => at % step === 0);
        for (const atCall of [...tried, whole.files.calls]) {
          const { clock, window } = open();
          // A part of the write reaches the disk.
          window.files.fault = { atCall, kind: "die", writtenBytes: 40 };
          await remove(way, window).catch((error: unknown) => {
            if (!(error instanceof ProcessDied)) throw error;
          });
          window.files.fault = undefined;
          const hasBegun = [...window.files.files].some(
            ([path, bytes]) => path.startsWith("removed/") && isJson(bytes),
          );
          // A segment that is cut off may be in use for a minute.
          if (disk instanceof WholeFileDisk) clock.advance(MINUTE_MS);
          const next = new Window(window.files, clock);
          await next.history.finishDeletions();
          if (hasBegun) assertGone(window.files, way, `killed at call ${atCall}`);
          else assert.notDeepEqual(filesWith(window.files.files, ANSWER), [], "all or nothing");
          const load = await next.history.journal.load(SECRET_ID);
          // A kill in the middle of an append cuts off that record.
          assert.ok((load?.damagedRecords ?? 0) <= 1, `killed at call ${atCall}`);
          await next.useListAndSearch();
          if (hasBegun)
            assertGone(window.files, way, `killed at call ${atCall}, list and search used`);
        }
      });
    }

    it("is removed from the list and the search index by the daily cleanup when texts change", async () => {
      const { window } = open();
      const { journal } = window.history;
      await journal.append("other3", [{ kind: "titled", title: "Former Überschrift" }]);
      for (let number = 0; number < 70; number++)
        await journal.append(`more${number}`, [question("q", null, "More number")]);
      await window.useListAndSearch();
      assert.ok(filesWith(window.files.files, "Former Überschrift").length > 1);
      await journal.append("other3", [{ kind: "titled", title: "New title" }]);
      await window.useListAndSearch();
      await window.history.cleanUp(NEVER);
      const left = filesWith(window.files.files, "Former Überschrift");
      assert.ok(left.length === 1 && left[0]?.startsWith("conversations/other3."), left.join());
    });

    it("leaves a title that was given afterwards, also when a copy brings back former ones", async () => {
      const { clock, files, window } = open();
      const { journal } = window.history;
      const before = (await window.readSecret())!;
      await remove("Forget This Message of a question", window);
      await journal.append(SECRET_ID, [{ kind: "titled", title: "A later title" }]);
      const copyPath = `conversations/${SECRET_ID} (conflicted copy).jsonl`;
      await files.replace(copyPath, before);
      clock.advance(2 * DAY_MS);
      await window.useListAndSearch();
      assert.equal(files.files.has(copyPath), false);
      assertGone(files, "Forget This Message of a question", "with a later title");
      const { conversation } = (await journal.load(SECRET_ID))!;
      assert.equal(conversation.title, "A later title");
      assert.equal(conversation.messages.get("s-q")?.isForgotten, true);
    });

    it("stays removed when a sync program brings back its file", async () => {
      const { clock, files, window } = open();
      const before = (await window.readSecret())!;
      await remove("Delete Permanently", window);
      files.files.set(`conversations/${SECRET_ID}.jsonl`, before);
      files.files.set(segmentOfOther(before), before);
      files.files.set(`conversations/${SECRET_ID} (conflicted copy).jsonl`, before);
      const next = new Window(files, clock);
      await next.history.finishDeletions();
      assertGone(files, "Delete Permanently", "after a sync");
    });

    it("is erased in conflict copies and segments, also damaged and new ones, without losing others", async () => {
      const { clock, files, window } = open();
      const before = (await window.readSecret())!;
      const other = new MemoryFileSystem();
      const elsewhere = new IndexedHistory(other, clock, silentLog);
      await elsewhere.journal.append(SECRET_ID, [question("copied", "s-next", "Only in a copy")]);
      const added = other.files.get(`conversations/${SECRET_ID}.jsonl`)!;
      const copy = concatBytes([before, added, added.subarray(0, 30)]);
      await files.replace(`conversations/${SECRET_ID} (conflicted copy).jsonl`, copy);
      await files.replace(segmentOfOther(copy), copy);
      await remove("Forget This Message of a question", window);
      assertGone(files, "Forget This Message of a question", "in copies");
      clock.advance(2 * DAY_MS);
      await window.useListAndSearch();
      assertGone(files, "Forget This Message of a question", "in copies, merged");
      const { conversation } = (await window.history.journal.load(SECRET_ID))!;
      const ids = ["copied", "s-next", "s-q", "s-r"];
      assert.deepEqual([...conversation.messages.keys()].sort(), ids);
    });

    for (const Target of Object.values(FOLDERS)) {
      it(`stays removed and can be searched after a move to a ${Target.name}`, async () => {
        const { clock, window } = open();
        const target = new Window(new Target(), clock);
        const before = (await window.readSecret())!;
        await remove("Forget This Message of a question", window);
        await (await window.history.deletion()).removeConversations(["other5"]);
        clock.advance(MINUTE_MS);
        target.files.nowMs = () => clock.nowMs();
        const [from, to] = [window.openFiles(), target.openFiles()];
        await to.append(`conversations/${SECRET_ID}.jsonl`, before);
        await to.append(
          "conversations/other5.jsonl",
          (await from.read("conversations/other6.jsonl"))!,
        );
        await copyHistory(from, to, () => undefined, NEVER);
        clock.advance(MINUTE_MS);
        assert.equal(await removeCopied(from, to, clock, NEVER), 0);
        await target.history.finishDeletions();
        assertGone(target.files, "Forget This Message of a question", "after a move");
        assert.deepEqual((await target.history.journal.list()).includes("other5"), false);
        assert.deepEqual(await target.useListAndSearch("later question"), ["A later question"]);
        assert.equal((await target.useListAndSearch()).length, 69);
      });
    }
  });
