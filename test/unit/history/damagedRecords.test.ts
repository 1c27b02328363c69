/** A damaged record loses only its own content: everything else is shown, exported and imported. */
import assert from "node:assert/strict";
import { sha256 } from "../../../src/base/sha256";
import { silentLog } from "../../support/fakes/silentLog";
import type { Conversation, Step } from "../../../src/conversation/conversation";
import { shownPath } from "../../../src/conversation/paths";
import { titleOf } from "../../../src/conversation/title";
import { exportJson } from "../../../src/conversation/exportJson";
import { exportMarkdown } from "../../../src/conversation/exportMarkdown";
import { importExported } from "../../../src/conversation/importExported";
import { EXPORT_WORDS } from "../../support/conversation/exportWords";
import { SLICE } from "../../support/conversation/slices";
import type { Message } from "../../../src/conversation/message";
import { ConversationList } from "../../../src/search/conversationList";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";
import { openJournal } from "./openJournal";
import { ended, grown, question, replyStarted, turn } from "./turns";

const PATH = "conversations/c1.jsonl";
const TURNS = 6;

/** Writes a conversation of several turns, each turn after the previous turn. */
async function writtenTurns(more: readonly Step[] = []): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  const journal = openJournal(files);
  const steps: Step[] = [{ kind: "created", id: "c1", atMs: 1 }];
  for (let at = 0; at < TURNS; at++) {
    steps.push(...turn(`t${at}`, at === 0 ? null : `t${at - 1}-r`, `asked ${at}`, `said ${at}`));
  }
  await journal.append("c1", [...steps, ...more]);
  return files;
}

/** Flips a bit in the first record that contains `text`. */
function damage(files: MemoryFileSystem, text: string): void {
  const bytes = files.files.get(PATH)!;
  const at = Buffer.from(bytes).indexOf(text);
  assert.notEqual(at, -1, text);
  bytes[at] = bytes[at]! ^ 1;
}

async function load(files: MemoryFileSystem): Promise<Conversation> {
  return (await openJournal(files).load("c1"))!.conversation;
}

function textOf(message: Message): string {
  if (message.role === "assistant") return message.text;
  return message.parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

async function imported(json: string): Promise<Conversation> {
  const result = await importExported(json, {
    slice: SLICE,
    newId: () => "c1",
    cleanPicture: () => undefined,
    hashOf: sha256,
  });
  assert.equal(result.kind, "imported");
  const files = new MemoryFileSystem();
  const journal = openJournal(files);
  await journal.append("c1", result.steps);
  return load(files);
}

const noPictures = () => Promise.resolve(undefined);

describe("a damaged record", () => {
  it("of a message hides only that message, and reports its position", async () => {
    for (const hit of [0, 3, TURNS - 1]) {
      for (const kind of ["q", "r"] as const) {
        const files = await writtenTurns();
        damage(files, `"role":"${kind === "q" ? "user" : "assistant"}","id":"t${hit}-${kind}"`);
        const conversation = await load(files);
        const shown = shownPath(conversation);
        const expected = Array.from({ length: TURNS }, (_, at) => [`asked ${at}`, `said ${at}`])
          .flat()
          .filter((text) => text !== `${kind === "q" ? "asked" : "said"} ${hit}`);
        assert.deepEqual(shown.map(textOf), expected);
        const marked = shown.filter(({ followsGap }) => followsGap).map(textOf);
        const nextText = kind === "q" ? `said ${hit}` : `asked ${hit + 1}`;
        assert.deepEqual(marked, hit === TURNS - 1 && kind === "r" ? [] : [nextText]);
      }
    }
  });

  it("of a message still allows complete exports that can be imported", async () => {
    const files = await writtenTurns();
    damage(files, '"role":"user","id":"t3-q"');
    const conversation = await load(files);
    const { markdown } = await exportMarkdown(conversation, "pictures", EXPORT_WORDS, noPictures);
    assert.match(markdown, /asked 0[^]*said 2\n\n\*Messages are missing\\\.\*[^]*said 3[^]*said 5/);
    const again = await imported(await exportJson(conversation, noPictures));
    assert.deepEqual(shownPath(again).map(textOf), shownPath(conversation).map(textOf));
    assert.equal(
      shownPath(again).find((message) => textOf(message) === "said 3")?.followsGap,
      true,
    );
  });

  it("in the middle of a reply is marked there and moves no later text", async () => {
    const id = `t${TURNS - 1}-r`;
    const files = await writtenTurns([
      question("x-q", id, "asked x"),
      replyStarted("x-r", "x-q"),
      grown("x-r", 0, "Delete the old table only "),
      grown("x-r", 26, "after the backup. Never "),
      grown("x-r", 50, "run this on the production server."),
      ended("x-r"),
    ]);
    damage(files, "after the backup");
    const conversation = await load(files);
    const reply = shownPath(conversation).at(-1)!;
    assert.equal(
      textOf(reply).replaceAll(/ +/g, " "),
      "Delete the old table only […] run this on the production server.",
    );
    assert.equal(textOf(reply).indexOf("run this"), 50);
    assert.ok(reply.role === "assistant" && reply.hasGap);
    const { markdown } = await exportMarkdown(conversation, "pictures", EXPORT_WORDS, noPictures);
    assert.match(markdown, /production server\.\n\n\*Text is missing\\\.\*/);
    const again = shownPath(await imported(await exportJson(conversation, noPictures))).at(-1);
    assert.ok(again?.role === "assistant" && again.hasGap);
  });

  it("does not separate the versions of one question", async () => {
    const files = await writtenTurns([
      question("other", "t2-r", "asked otherwise"),
      ...turn("end", "other", "asked after that", "said after that"),
    ]);
    damage(files, '"role":"assistant","id":"t2-r"');
    const { messages, children } = await load(files);
    const { parentId } = messages.get("other")!;
    assert.equal(parentId, "t2-q");
    assert.deepEqual(children.get(parentId), ["t3-q", "other"]);
  });

  it("of the first question leaves the conversation the title of the next", async () => {
    const files = await writtenTurns();
    damage(files, "asked 0");
    assert.equal(titleOf(await load(files)), "asked 1");
  });

  it("of the creation leaves the conversation in the list of each workspace", async () => {
    const files = await writtenTurns();
    const listed = async () => {
      const index = new ConversationList(files, new ManualClock(), silentLog);
      await index.refresh();
      index.dispose();
      return index.list({ workspace: "shop" }).map(({ id }) => id);
    };
    assert.deepEqual(await listed(), []);
    damage(files, '"kind":"created"');
    assert.deepEqual(await listed(), ["c1"]);
  });

  for (const [name, change] of [
    ["CRLF line ends", (text: string) => text.replaceAll("\n", "\r\n")],
    ["a byte order mark", (text: string) => `\u00ef\u00bb\u00bf${text}`],
    [
      "a byte order mark in its first record",
      (text: string) => `\u00ef\u00bb\u00bf${text.slice(1)}`,
    ],
  ] as const) {
    it(`is not a record of a file with ${name}`, async () => {
      const files = await writtenTurns();
      const before = await load(files);
      const changed = change(Buffer.from(files.files.get(PATH)!).toString("latin1"));
      files.files.set(PATH, new Uint8Array(Buffer.from(changed, "latin1")));
      const loaded = await openJournal(files).load("c1");
      assert.deepEqual(loaded?.conversation, before);
      assert.equal(loaded.damagedRecords, 0);
    });
  }

  const seed = firstSeed();
  const title = `keeps every intact message reachable after damage anywhere (CORE_CHAT_SEED=${seed})`;
  itWithRounds(title, { quick: 60, all: 300 }, async (rounds) => {
    for (let round = 0; round < rounds; round++) {
      const random = randomOf(seed + round);
      const files = await writtenTurns([
        question("v-q", "t1-r", "another version"),
        replyStarted("v-r", "v-q"),
        grown("v-r", 0, "its reply"),
        ended("v-r"),
      ]);
      const bytes = files.files.get(PATH)!;
      for (let hits = 1 + random(3); hits > 0; hits--) {
        const at = random(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << random(7));
      }
      const conversation = await load(files);
      const { messages, children } = conversation;
      const reached = new Set<string>();
      const next = [...(children.get(null) ?? [])];
      for (let id = next.pop(); id !== undefined; id = next.pop()) {
        reached.add(id);
        next.push(...(children.get(id) ?? []));
      }
      assert.deepEqual(
        [...messages.keys()].filter((id) => !reached.has(id)),
        [],
        `${seed + round}`,
      );
      if (messages.size === 0) continue;
      const again = await imported(await exportJson(conversation, noPictures));
      assert.equal(again.messages.size, messages.size, `CORE_CHAT_SEED=${seed + round}`);
    }
  });
});
