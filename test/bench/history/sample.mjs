/**
 * Conversations of 24 kB of text on average, the same for the same seed and files, cut from texts at hand:
 * prose and code of the packages in node_modules, and German and Chinese from the message catalogs of
 * TypeScript and axe-core, Vim's tutorials and Core Chat's own catalog. They are written once per size into
 * the system's temporary folder, because that takes minutes.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { randomFrom } from "../random.mjs";

/** Version in the folder's name; change it with the texts. */
const VERSION = 4;
export const SEED = 20_251_121;

const START_MS = 1_700_000_000_000;
const DAYS = 730;
const DAY_MS = 86_400_000;
const MIN_UNITS = 3_300;
const MAX_UNITS = 51_500;
/** Text between two checkpoints of a reply, in UTF-16 units. */
const CHECKPOINT_UNITS = 400;

const MAX_SOURCE_BYTES = 60_000_000;
const MAX_FILE_UNITS = 400_000;

/** Files of each kind of text. */
const SOURCES = {
  prose: { roots: ["node_modules"], ending: /\.md$/i },
  code: { roots: ["node_modules"], ending: /(?<!\.min)\.(?:[cm]?[jt]s|tsx|css)$/ },
  german: {
    files: [
      "node_modules/typescript/lib/de/diagnosticMessages.generated.json",
      "node_modules/axe-core/locales/de.json",
      "/usr/share/vim/vim90/tutor/tutor.de.utf-8",
    ],
  },
  chinese: {
    files: [
      "node_modules/typescript/lib/zh-cn/diagnosticMessages.generated.json",
      "node_modules/typescript/lib/zh-tw/diagnosticMessages.generated.json",
      "node_modules/axe-core/locales/zh_CN.json",
      "/usr/share/vim/vim90/tutor/tutor.zh_cn.utf-8",
      "l10n/bundle.l10n.zh-cn.json",
    ],
  },
};

/** Searches while typing: common and rare words of these texts, parts of words, phrases, code, Chinese. */
export const queries = [
  ..."station contest contender restore container element question implementation".split(" "),
  ..."the with return function constant string undefined interface module".split(" "),
  ..."strass grammar asynchronous serialize typescript diagnostic zebra quicksort".split(" "),
  ..."typ klasse eigenschaft".split(" "),
  ..."needle4711 config.json e.g. ".trim().split(" "),
  ..."函数 类型参数 写入磁盘 的".split(" "),
  "the value error",
  '"of the"',
  '"return the"',
  "=== undefined) return",
];

/**
 * Returns the folder with `count` conversations and the size of their texts in UTF-8; writes them unless
 * they are there.
 */
export async function conversations(bundle, count) {
  const root = join(tmpdir(), `core-chat-bench-history-${VERSION}-${count}`);
  const mark = join(root, "complete");
  if (!existsSync(mark)) {
    const { encodeRecord } = await import(pathToFileURL(bundle).href);
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, "conversations"), { recursive: true });
    const random = randomFrom(SEED);
    const texts = sourceTexts();
    let textBytes = 0;
    for (let number = 0; number < count; number++) {
      const id = `c${String(number).padStart(6, "0")}`;
      const atMs = Math.floor(START_MS + (number / count) * DAYS * DAY_MS);
      const units = MIN_UNITS + random() ** 2 * (MAX_UNITS - MIN_UNITS);
      const steps = conversationSteps(id, atMs, units, random, texts, number);
      for (const { message, text } of steps)
        textBytes += Buffer.byteLength(text ?? message?.parts?.[0].text ?? "");
      const records = steps.map((step, at) => encodeRecord(`${id}-${at}`, step));
      writeFileSync(join(root, "conversations", `${id}.jsonl`), Buffer.concat(records));
    }
    writeFileSync(mark, String(textBytes));
  }
  return { root, textBytes: Number(readFileSync(mark, "utf8")) };
}

/** Returns the steps of a conversation of `messages` messages. */
export function longConversation(messages) {
  const random = randomFrom(SEED);
  return conversationSteps("long", START_MS, messages * 560, random, sourceTexts(), 0, messages);
}

function conversationSteps(id, atMs, units, random, texts, number, messages = Infinity) {
  const steps = [{ kind: "created", id, atMs, workspace: `workspace ${number % 7}` }];
  const language = ["prose", "prose", "prose", "prose", "prose", "german", "chinese", "chinese"][
    Math.floor(random() * 8)
  ];
  let parentId = null;
  let left = units;
  for (let turn = 0; left > 0 && turn * 2 < messages; turn++) {
    const question = { kind: "text", text: cut(random, texts[language], 20 + random() * 120) };
    const asked = { role: "user", id: `q${turn}`, parentId, parts: [question], sentAtMs: atMs };
    const rare = number % 500 === 17 && turn === 0 ? " needle4711 写入磁盘" : "";
    const length = messages === Infinity ? Math.min(left, 400 + random() * 3_000) : 1_000;
    const text = replyText(random, texts, language, length) + rare;
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

function replyText(random, texts, language, units) {
  let text = "";
  while (text.length < units) {
    text += `${cut(random, texts[language], 200 + random() * 400)}\n\n`;
    if (random() < 0.5)
      text += `\`\`\`ts\n${cut(random, texts.code, 100 + random() * 300)}\n\`\`\`\n\n`;
  }
  return text.slice(0, units);
}

/** Returns a part of a text, from a line or word on. */
function cut(random, text, units) {
  const at = Math.floor(random() * (text.length - units));
  const start = text.slice(at, at + 100).search(/\s/) + 1;
  return text.slice(at + start, at + start + units);
}

function sourceTexts() {
  return Object.fromEntries(
    Object.entries(SOURCES).map(([kind, source]) => [kind, sourceText(source)]),
  );
}

function sourceText({ roots = [], ending, files = [] }) {
  const paths = files.filter(existsSync);
  for (const root of roots)
    for (const name of readdirSync(root, { recursive: true }).sort())
      if (ending.test(name)) paths.push(join(root, name));
  const texts = [];
  let units = 0;
  for (const path of paths) {
    if (units > MAX_SOURCE_BYTES) break;
    const text = readText(path).slice(0, MAX_FILE_UNITS);
    texts.push(text);
    units += text.length;
  }
  return texts.join("\n");
}

/** Returns the text of a file; of a catalog the messages without their keys. */
function readText(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return "";
  }
  return path.endsWith(".json")
    ? Array.from(text.matchAll(/: "((?:[^"\\]|\\.)*)"/g), ([, own]) => own).join("\n")
    : text;
}
