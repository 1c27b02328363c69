/**
 * Made-up conversations, the same for the same seed: English and Chinese, code, accents and a few
 * words that are rare.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WORDS =
  "the function returns a promise which the caller awaits before writing to disk so nothing is lost when window closes because every record has its own checksum and number of message index search café naïve résumé implementation interface module testing quality".split(
    " ",
  );
const CHINESE =
  "这个函数返回一个承诺调用者等待它写入磁盘所以窗口关闭时什么都不会丢失每条记录都有校验和";
const START_MS = 1_700_000_000_000;
const MINUTE_MS = 60_000;

/** Words found everywhere, rarely, together, as a part, in Chinese, and nowhere. */
export const queries = [
  "the",
  "needle4711",
  "resume checksum promise",
  "plementati",
  "写入磁盘",
  "e zzqx",
  '"writing to disk"',
  "nowhere to be found",
];

/** Writes `count` journal files below `root`. */
export async function fillConversations(room, root, count, seed) {
  const random = randomFrom(seed);
  mkdirSync(join(root, "conversations"), { recursive: true });
  let bytes = 0;
  let messages = 0;
  for (let number = 0; number < count; number++) {
    const id = `c${String(number).padStart(6, "0")}`;
    const turns = 2 + Math.floor(random() * 9);
    const steps = conversationSteps(id, START_MS + number * MINUTE_MS, turns, random, number);
    messages += turns * 2;
    const file = Buffer.concat(steps.map((step, at) => room.encodeRecord(`${id}-${at}`, step)));
    writeFileSync(join(root, "conversations", `${id}.jsonl`), file);
    bytes += file.length;
  }
  return { bytes, messages };
}

/** The steps of one conversation of `messages` messages. */
export function longConversation(messages, seed) {
  return conversationSteps("long", START_MS, messages / 2, randomFrom(seed), 0);
}

function conversationSteps(id, atMs, turns, random, number) {
  const steps = [{ kind: "created", id, atMs, workspace: `workspace ${number % 7}` }];
  let parentId = null;
  for (let turn = 0; turn < turns; turn++) {
    const question = { kind: "text", text: `Question ${turn}: ${sentence(random, 15)}` };
    const asked = { role: "user", id: `q${turn}`, parentId, parts: [question], sentAtMs: atMs };
    const rare = number % 500 === 17 && turn === 0 ? " needle4711" : "";
    const text = sentence(random, 60 + Math.floor(random() * 140)) + rare;
    const half = text.length >> 1;
    const reply = { role: "assistant", id: `r${turn}`, parentId: `q${turn}`, text: "" };
    const messageId = reply.id;
    Object.assign(reply, { modelKind: "llm", modelCode: "core_llm", startedAtMs: atMs });
    steps.push(
      { kind: "message-added", message: asked },
      { kind: "message-added", message: reply },
    );
    steps.push({ kind: "reply-grown", messageId, offset: 0, text: text.slice(0, half), atMs });
    steps.push({ kind: "reply-grown", messageId, offset: half, text: text.slice(half), atMs });
    steps.push({ kind: "reply-ended", messageId, atMs, ending: { kind: "complete" } });
    parentId = messageId;
  }
  return steps;
}

function sentence(random, length) {
  if (random() < 0.1) return CHINESE.repeat(1 + Math.floor(length / 20));
  const words = [];
  for (let count = 0; count < length; count++) {
    words.push(
      random() < 0.05
        ? Math.floor(random() * 36 ** 6).toString(36)
        : WORDS[Math.floor(random() * WORDS.length)],
    );
  }
  return words.join(" ");
}

/** Mulberry32: small, and the same on every machine. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
