/** Conflict copies of sync programs: they become part of their conversation once they are complete. */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { copyHistory, removeCopied } from "../../../src/history/moveHistory";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { question, turn } from "./turns";

const ID = "0mwrhrw8766d9ms7zp1";
const PATH = `conversations/${ID}.jsonl`;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Names after the id. Programs that wait for a free number or a date have an example of their documents. */
const NAMES = {
  // https://help.dropbox.com/organize/conflicted-copy
  Dropbox: " (Anna's conflicted copy 2026-01-31).jsonl",
  "Dropbox in German": " (In Konflikt stehende Kopie von Anna 2026-01-31).jsonl",
  // https://docs.nextcloud.com/desktop/latest/conflicts.html
  Nextcloud: " (conflicted copy 2026-01-31 120000).jsonl",
  // https://github.com/owncloud/android/issues/815
  ownCloud: "_conflict-20260131-120000.jsonl",
  // https://docs.syncthing.net/users/syncing.html
  Syncthing: ".sync-conflict-20260131-120000-ABCDEFG.jsonl",
  // https://docs.syncthing.net/users/versioning.html
  "Syncthing versions": "~20260131-120000.jsonl",
  // https://help.resilio.com/hc/en-us/articles/204753629-Conflict-files-in-Sync
  "Resilio Sync": ".Conflict.jsonl",
  // https://www.seafile.com/en/help/conflicts/
  Seafile: " (SFConflict anna@example.com 2026-01-31-12-00-00).jsonl",
  "Seafile, after the extension": ".jsonl (SFConflict 2026-01-31-12-00-00)",
  // https://kb.synology.com/en-eu/DSM/tutorial/Synology_Drive_file_conflict_resolution
  "Synology Drive": "_Andy-PC_Jan-03-0901-2013_CaseConflict_1.jsonl",
  // https://rclone.org/bisync/
  "rclone bisync": ".jsonl.conflict1",
  "rclone bisync before 1.66": ".jsonl..path2",
  // https://git-scm.com/docs/git-mergetool
  "git mergetool": ".jsonl.orig",
  "git mergetool while running": "_REMOTE_4711.jsonl",
  // https://svnbook.red-bean.com/en/1.7/svn.tour.cycle.html
  Subversion: ".jsonl.mine",
  "Subversion, the other side": ".jsonl.r12",
  OneDrive: "-DESKTOP-1AB2.jsonl",
  "OneDrive with a number": "-DESKTOP-1AB2-2.jsonl",
  "iCloud Drive": " 2.jsonl",
  "Google Drive": " (1).jsonl",
  pCloud: " [conflicted].jsonl",
  "a browser's download": "(1).jsonl",
  "Windows Explorer": " - Copy (2).jsonl",
  "macOS Finder": " copy.jsonl",
  "Core Chat on a folder without append": ".3.0mwrhrw8766d9ms7zp2.4711.jsonl",
} as const;

/** Files of other programs that have the content of a conversation, complete or in part. */
const OTHER_FILES = [
  `${ID}.jsonl.part`,
  `${ID}.jsonl.tmp`,
  `${ID}.jsonl~`,
  `.${ID}.jsonl.AbCdEf`,
  `.syncthing.${ID}.jsonl.tmp`,
  `${ID}.jsonl.crdownload`,
];

interface Opened {
  readonly files: MemoryFileSystem;
  readonly clock: ManualClock;
  readonly history: IndexedHistory;
}

/** Opens a history with a conversation, and returns the bytes of a copy with another question. */
async function openWithCopy(): Promise<Opened & { readonly copy: Uint8Array }> {
  const files = new MemoryFileSystem();
  const clock = new ManualClock();
  files.nowMs = () => clock.nowMs();
  const history = new IndexedHistory(files, clock, silentLog);
  await history.journal.append(ID, [question("common", null, "common")]);
  const elsewhere = new MemoryFileSystem();
  await elsewhere.append(PATH, files.files.get(PATH)!);
  const other = new IndexedHistory(elsewhere, clock, silentLog);
  await other.journal.append(ID, turn("theirs", "common", "written elsewhere", "a reply"));
  await history.journal.append(ID, [question("mine", "common", "written here")]);
  return { files, clock, history, copy: elsewhere.files.get(PATH)! };
}

/** Opens it with a copy under this name, written a minute ago. */
async function openWithFile(
  program: keyof typeof NAMES,
  change = (copy: Uint8Array): Uint8Array => copy,
) {
  const opened = await openWithCopy();
  const path = `conversations/${ID}${NAMES[program]}`;
  await opened.files.replace(path, change(opened.copy));
  opened.clock.advance(MINUTE_MS);
  return { ...opened, path };
}

async function refresh({ history }: Opened): Promise<void> {
  await (await history.fullIndex.list()).refresh();
}

/** Returns the messages of the conversation and the number of damaged records. */
async function stateOf({ history }: Opened): Promise<readonly [string[], number]> {
  const { conversation, damagedRecords } = (await history.journal.load(ID))!;
  return [[...conversation.messages.keys()].sort(), damagedRecords];
}

const OWN = ["common", "mine"];
const ALL = ["common", "mine", "theirs-q", "theirs-r"];

describe("conflict copies of sync programs", () => {
  for (const program of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    it(`are merged and removed: ${program}`, async () => {
      const opened = await openWithFile(program);
      const { files, history } = opened;
      await refresh(opened);
      const listed = (await history.fullIndex.list()).list().map(({ id }) => id);
      assert.deepEqual(listed, [ID]);
      assert.deepEqual(await stateOf(opened), [ALL, 0]);
      assert.deepEqual(await files.list("conversations"), [`${ID}.jsonl`]);
    });
  }

  it("lose nothing and damage nothing when they are cut at 40 places and completed later", async () => {
    for (let cut = 0; cut < 40; cut++) {
      const opened = await openWithCopy();
      const { files, clock, copy } = opened;
      const path = `conversations/${ID}${NAMES.OneDrive}`;
      const partBytes = Math.floor((copy.length * cut) / 40);
      await files.replace(path, copy.subarray(0, partBytes));
      await refresh(opened);
      assert.deepEqual(await stateOf(opened), [OWN, 0], `cut at ${partBytes}, just written`);
      assert.ok(files.files.has(path), `removed while it is written, ${partBytes}`);
      clock.advance(10 * MINUTE_MS);
      await refresh(opened);
      assert.equal((await stateOf(opened))[1], 0, `cut at ${partBytes}, after a pause`);
      await files.replace(path, copy);
      clock.advance(MINUTE_MS);
      await refresh(opened);
      assert.deepEqual(await stateOf(opened), [ALL, 0], `cut at ${partBytes}, completed`);
      assert.deepEqual(await files.list("conversations"), [`${ID}.jsonl`]);
    }
  });

  it("stay if they change while they are merged", async () => {
    const opened = await openWithFile("Dropbox");
    const { files, clock, copy, path } = opened;
    const append = files.append.bind(files);
    files.append = async (appended, bytes) => {
      files.append = append;
      await append(path, copy);
      return append(appended, bytes);
    };
    await refresh(opened);
    assert.ok(files.files.has(path));
    clock.advance(MINUTE_MS);
    await refresh(opened);
    assert.ok(!files.files.has(path));
    assert.deepEqual(await stateOf(opened), [ALL, 0]);
  });

  it("stay after a day if they are damaged, and their intact records are shown", async () => {
    const marks = new TextEncoder().encode("<<<<<<< HEAD\n");
    const withMarks = (copy: Uint8Array) => new Uint8Array([...marks, ...copy]);
    const opened = await openWithFile("git mergetool", withMarks);
    const { files, clock, path } = opened;
    clock.advance(DAY_MS - MINUTE_MS - 1);
    await refresh(opened);
    assert.deepEqual(await stateOf(opened), [OWN, 0]);
    clock.advance(1);
    await refresh(opened);
    assert.deepEqual(await stateOf(opened), [ALL, 0]);
    assert.ok(files.files.has(path));
  });

  it("are merged when their time is in the future, or their lines end as on Windows", async () => {
    const opened = await openWithCopy();
    const { files, clock, copy } = opened;
    const path = `conversations/${ID}${NAMES.Nextcloud}`;
    const text = new TextDecoder().decode(copy).replaceAll("\n", "\r\n");
    files.nowMs = () => clock.nowMs() + 3_600_000;
    await files.replace(path, new TextEncoder().encode(`\uFEFF${text}`));
    await refresh(opened);
    assert.deepEqual(await stateOf(opened), [ALL, 0]);
    assert.ok(!files.files.has(path));
  });

  it("are kept while they cannot be merged", async () => {
    const opened = await openWithFile("Dropbox");
    const { files, path } = opened;
    files.append = () => Promise.reject(new Error("read-only"));
    await refresh(opened);
    assert.ok(files.files.has(path));
  });

  it("move with the history when they are complete", async () => {
    const opened = await openWithFile("Dropbox", (copy) => copy.subarray(0, copy.length - 9));
    const { files: from, clock, copy, path } = opened;
    const to = new MemoryFileSystem();
    const never = new AbortController().signal;
    await copyHistory(from, to, () => undefined, never);
    assert.equal(await removeCopied(from, to, clock, never), 1);
    assert.deepEqual([...from.files.keys()], [path]);
    await from.replace(path, copy);
    clock.advance(MINUTE_MS);
    assert.equal(await removeCopied(from, to, clock, never), 0);
    const moved = new IndexedHistory(to, clock, silentLog);
    assert.deepEqual(await stateOf({ ...opened, history: moved }), [ALL, 0]);
  });

  it("are not files that only begin or end like one", async () => {
    const opened = await openWithCopy();
    const { files, clock, copy } = opened;
    const others = [...OTHER_FILES, "notes (1).jsonl"];
    for (const name of others) await files.replace(`conversations/${name}`, copy);
    clock.advance(DAY_MS);
    await refresh(opened);
    assert.deepEqual(await stateOf(opened), [OWN, 0]);
    const names = await files.list("conversations");
    assert.deepEqual(names.filter((name) => others.includes(name)).length, others.length);
  });

  it("are removed for ever under any name, and only those of the conversation", async () => {
    const opened = await openWithCopy();
    const { files, history, copy } = opened;
    const kept = ["notes (1).jsonl", `${ID.replace("1", "2")}.jsonl~`, `x${ID}.jsonl`];
    for (const name of [...OTHER_FILES, ...kept])
      await files.replace(`conversations/${name}`, copy);
    await (await history.deletion()).removeConversations([ID]);
    assert.deepEqual([...(await files.list("conversations"))].sort(), [...kept].sort());
  });
});
