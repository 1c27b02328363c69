/**
 * Generates conversations of 2 to 20 kB of text, the same for the same seed: words as frequent as
 * in real texts, code, three in ten conversations in Chinese, some rare words. They are written
 * once per size into the system's temporary folder, because 100,000 files take a minute.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Version in the folder's name; change it with the texts. */
const VERSION = 1;
export const SEED = 20_251_121;

const START_MS = 1_700_000_000_000;
const DAYS = 730;
const DAY_MS = 86_400_000;
const MIN_UNITS = 2_000;
const MAX_UNITS = 18_000;
/** Text between two checkpoints of a reply, in UTF-16 units. */
const CHECKPOINT_UNITS = 400;

const COMMON =
  "the a to of and in is it you that for on with this be are as not or if can your by from have an we at but will when use all which do there how one so what use file code function value error type return test should class data import implement implementation name list".split(
    " ",
  );
const SYLLABLES =
  "ba co de fi gra hel in ju kor lem mo nest or pli que ran ster ti un ver wic xa yo zen tion ment able ing pre con ex al".split(
    " ",
  );
const CODE = [
  "const {0} = await {1}({2});\n",
  "if ({0}.length === 0) return undefined;\n",
  "export function {0}({1}: string): number {\n",
  "for (const {0} of {1}) {2}.push({0});\n",
  "  this.{0}.{1} = {2} ?? [];\n",
];

/**
 * Searches while typing: frequent and rare words, parts of words, phrases, code, Chinese, a single
 * character, no match.
 */
export const queries = [
  "implementation",
  "needle4711",
  "the value error",
  '"return the"',
  "length === 0) re",
  "mentgra",
  "函数",
  "写入磁盘",
  "的",
  "e",
  "nowhere to be found",
];

/** Searches that are compared with other programs: a rare word, a frequent one, two Chinese characters. */
export const compared = ["needle4711", "implementation", "函数"];

/** Returns the folder with `count` conversations and their size; writes them unless they are there. */
export function conversations(product, count) {
  const root = join(tmpdir(), `core-chat-bench-history-${VERSION}-${count}`);
  const mark = join(root, "complete");
  if (!existsSync(mark)) {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, "conversations"), { recursive: true });
    const random = randomFrom(SEED);
    const words = vocabulary(random);
    for (let number = 0; number < count; number++) {
      const id = `c${String(number).padStart(6, "0")}`;
      const atMs = Math.floor(START_MS + (number / count) * DAYS * DAY_MS);
      const units = MIN_UNITS + random() ** 2 * 2 * (MAX_UNITS - MIN_UNITS) * 0.75;
      const steps = conversationSteps(id, atMs, units, random, words, number);
      const records = steps.map((step, at) => product.encodeRecord(`${id}-${at}`, step));
      writeFileSync(join(root, "conversations", `${id}.jsonl`), Buffer.concat(records));
    }
    writeFileSync(mark, "");
  }
  return root;
}

/** Returns the steps of a conversation of `messages` messages. */
export function longConversation(messages) {
  const random = randomFrom(SEED);
  return conversationSteps(
    "long",
    START_MS,
    messages * 560,
    random,
    vocabulary(random),
    0,
    messages,
  );
}

function conversationSteps(id, atMs, units, random, words, number, messages = Infinity) {
  const steps = [{ kind: "created", id, atMs, workspace: `workspace ${number % 7}` }];
  const isChinese = random() < 0.3;
  let parentId = null;
  let left = units;
  for (let turn = 0; left > 0 && turn * 2 < messages; turn++) {
    const question = { kind: "text", text: prose(random, words, isChinese, 20 + random() * 120) };
    const asked = { role: "user", id: `q${turn}`, parentId, parts: [question], sentAtMs: atMs };
    const rare = number % 500 === 17 && turn === 0 ? " needle4711 写入磁盘" : "";
    const length = messages === Infinity ? Math.min(left, 400 + random() * 3_000) : 1_000;
    const text = replyText(random, words, isChinese, length) + rare;
    const messageId = `r${turn}`;
    const reply = { role: "assistant", id: messageId, parentId: `q${turn}`, text: "" };
    Object.assign(reply, { modelKind: "llm", modelCode: "core_llm", startedAtMs: atMs });
    steps.push(
      { kind: "message-added", message: asked },
      { kind: "message-added", message: reply },
    );
    for (let offset = 0; offset < text.length; offset += CHECKPOINT_UNITS) {
      const piece = text.slice(offset, offset + CHECKPOINT_UNITS);
      steps.push({ kind: "reply-grown", messageId, offset, text: piece, atMs });
    }
    steps.push({ kind: "reply-ended", messageId, atMs, ending: { kind: "complete" } });
    left -= text.length + question.text.length;
    parentId = messageId;
  }
  return steps;
}

function replyText(random, words, isChinese, units) {
  let text = "";
  while (text.length < units) {
    text += `${prose(random, words, isChinese, 200 + random() * 400)}\n\n`;
    if (random() < 0.5) text += `\`\`\`ts\n${code(random, words, 100 + random() * 300)}\`\`\`\n\n`;
  }
  return text.slice(0, units);
}

function prose(random, words, isChinese, units) {
  let text = "";
  while (text.length < units) {
    if (isChinese && random() < 0.9)
      text += zipf(random, words.chinese) + (random() < 0.08 ? "，" : "");
    else text += `${random() < 0.02 ? rareWord(random) : zipf(random, words.english)} `;
  }
  return text.trim();
}

function code(random, words, units) {
  let text = "";
  while (text.length < units) {
    const line = CODE[Math.floor(random() * CODE.length)];
    text += line.replaceAll(/\{\d\}/g, () => zipf(random, words.english));
  }
  return text;
}

/** Words by frequency, the most frequent first. */
function vocabulary(random) {
  const english = [...COMMON];
  while (english.length < 20_000) {
    const count = 2 + Math.floor(random() * 3);
    let word = "";
    for (let at = 0; at < count; at++) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    english.push(word);
  }
  const chinese = [..."的是在了不和有这我中", "函数", "返回", "文件", "代码", "错误", "可以"];
  while (chinese.length < 8_000) {
    const count = random() < 0.2 ? 1 : random() < 0.8 ? 2 : 3;
    let word = "";
    for (let at = 0; at < count; at++)
      word += String.fromCharCode(0x4e00 + Math.floor(random() ** 2 * 3_500));
    chinese.push(word);
  }
  return { english, chinese };
}

/** A word of rank r is selected with a frequency of about 1/r. */
function zipf(random, words) {
  return words[Math.floor(words.length ** random()) - 1] ?? words[0];
}

function rareWord(random) {
  return Math.floor(random() * 36 ** 6).toString(36);
}

/** Returns a Mulberry32 generator: small, and the same on every machine. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
