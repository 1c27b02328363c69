/**
 * Texts designed to keep a program busy: replies, file names and pictures are untrusted, so reading
 * them must take linear time. A pattern that backtracks would not finish here.
 */
import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock";
import { concatBytes } from "../../src/base/concatBytes";
import { messageViews } from "../../src/chat/view/toView";
import { asidesOf } from "../../src/conversation/asides";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../src/conversation/conversation";
import { joinOrphans } from "../../src/conversation/orphans";
import type { ImagePart, Receipt } from "../../src/conversation/message";
import { shownPath } from "../../src/conversation/paths";
import { toSteps } from "../../src/conversation/toSteps";
import { readSteps } from "../../src/history/readConversation";
import { encodeRecord } from "../../src/history/record";
import { TimeSlice } from "../../src/base/timeSlice";
import { panelMessages } from "../../src/host/messages/panelMessages";
import { declarationOf } from "../../src/replyCode/items";
import { createRedactor, redactPatterns } from "../../src/base/redact";
import { globMatcher, splitGlobs } from "../../src/context/glob";
import { guardedDiff } from "../../src/secrets/guardedDiff";
import { ignoreListOf } from "../../src/context/ignoreList";
import { readFrontMatter } from "../../src/context/instructionFile";
import { plainOutput, withoutFolders } from "../../src/context/programText";
import { rulesOnce } from "../../src/context/projectRules";
import { mayHoldSecrets } from "../../src/secrets/secretNames";
import { secretIn, withoutSecrets } from "../../src/secrets/secretText";
import { sensitivityOf } from "../../src/secrets/sensitivePath";
import { validateImage } from "../../src/pictures/validateImage";
import { oneLine, plainMarkdown, quoted } from "../../src/conversation/markdownText";
import { imageLinks } from "../../src/host/pictures/imageLinks";
import { isLeftOut } from "../../src/replyCode/placeholders";
import { commitReply } from "../../src/replyCode/commitReply";
import { ReplyReader, type ReplyOptions } from "../../src/replyCode/readReply";
import { codeBlocks } from "../../src/markdown/codeBlocks";
import { createParser } from "../../src/markdown/parser";
import { linkKind } from "../../src/markdown/linkPolicy";
import { cleanHiddenCharacters } from "../../src/markdown/hiddenCharacters";
import { mayHideText, shownText } from "../../src/markdown/unshownText";
import { previewRole } from "../../src/markdown/previewCode";
import { findMentions } from "../../src/markdown/fileMentions";
import { readBaseUrl } from "../../src/service/baseUrl";
import { countingPoints } from "../../src/pointing/placePointing";
import { PointingReader, writtenPoints } from "../../src/pointing/readPointing";
import { StreamDecoder } from "../../src/service/decodeStream";
import { separateThinking } from "../../src/service/thinkingTags";
import { shortPlainText } from "../../src/service/plainText";
import { statusFailure } from "../../src/service/readFailure";
import { SpokenText } from "../../src/webview/state/spokenText";
import { shownLines } from "../../src/renderer/draftLines";
import { completeInline } from "../../src/renderer/inlineDraft";
import { ALL, itWithRounds } from "../support/depth";

/** A file for a reply with code. */
const EDITED: ReplyOptions = {
  before: ["import one"],
  target: ["function two() {", "}"],
  after: ["const three = 3;"],
  languageId: "typescript",
  isProse: false,
};

/** Pieces of Markdown and HTML. */
const MARKUP = [
  ...[" ", "\t", "-", "- ", "1. ", "`", "~", "=", "_", "*", "**", "*a", "a*", "_a ", ">", "> "],
  ...["|", " |", "[", "![", "[a](", "\\", "&", "...", "… rest", "/", "a/", "a.", "\n", "\r"],
  ...["<!---->", "<!DOCTYPE ", "<?x?>", "<a ", "<a '", '<a "', "<g>", 'href="#', "url(#", "src="],
];

const parser = createParser();
const LIMITS = { maxSidePx: 8000, maxBytes: 10_485_760 };

/** Readers of text that a workspace, a service or a program supplies, of any length. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "the validation of pictures": (text) => validateImage(new TextEncoder().encode(text), LIMITS),
  "links to pictures": imageLinks,
  "placeholders for omitted code": isLeftOut,
  "code in a streamed answer": (text) => {
    const reader = new ReplyReader(EDITED);
    return [reader.push(text), reader.end()];
  },
  "commit messages": (text) => [commitReply(text, true), commitReply(text, false)],
  "redaction of logged text": redactPatterns,
  "bodies of failures": (body) =>
    statusFailure(400, "https://service.test", body, undefined, (text) => text),
  "base URLs": readBaseUrl,
  "text that is read aloud": (text) => {
    const spoken = new SpokenText("en");
    return [spoken.push(text), spoken.end()];
  },
  "incomplete lines": (text) => shownLines([], text, undefined),
  "incomplete markup": completeInline,
  "the search for secrets": secretIn,
  "the removal of secrets": withoutSecrets,
  "the names of secret files": mayHoldSecrets,
  "the kinds of sensitive files": sensitivityOf,
  "the guard of diffs": async (text) => {
    const slice = new TimeSlice(systemClock, new AbortController().signal);
    const named = `diff --git a/x b/x\n--- "a/${text}"\n+++ "b/${text}"\n@@ -1 +1 @@\n+${text}`;
    await guardedDiff(text, [["a.ts"]], slice);
    await guardedDiff(named, [], slice);
    const hunks = `diff --git a/x b/x\n${"@@ -1 +1 @@\n-a\n+b\n".repeat(100)}`;
    await guardedDiff(hunks, [], slice, { texts: new Map([["x", text]]) });
  },
  "hidden characters": cleanHiddenCharacters,
  "redaction of a key": createRedactor(["\\\\\\&&&&%%%%aaaa", "sk-0123456789abcdef"]),
  "messages of failures": (text) => shortPlainText(text, redactPatterns),
  "globs of rules": (text) => splitGlobs(text).map((glob) => globMatcher(glob)("a/".repeat(200))),
  "paths that globs match": (text) => [
    globMatcher("*a*a*a*a*a*a*a*a*zz")(text),
    globMatcher("**/**/**/**/**/**/**/**/zz")(text),
    globMatcher("{a,{b,*}}{a,*}{a,*}{a,*}{a,*}/[!a]*zz")(text),
  ],
  "lists of ignored files": (text) =>
    ignoreListOf(text.match(/[^]{1,400}/g) ?? [])("a/b1.c/".repeat(100)),
  "front matter": (text) => [
    readFrontMatter(`---\na: ${text}\n- ${text}\n${text}`),
    readFrontMatter(`---\na: [${text}]\n---\n${text}`),
  ],
  "sections of rules": (text) => rulesOnce(text, [text]),
  "output of programs": (text) =>
    withoutFolders(plainOutput(text), [
      { path: "/a/b", shown: "" },
      { path: "/", shown: "x" },
    ]),
  "a streamed reply of single bytes": (text) => {
    const decoder = new StreamDecoder((one) => one);
    for (const byte of new TextEncoder().encode(text)) decoder.push(Uint8Array.of(byte));
  },
  "the escaping of exported text": (text) => [plainMarkdown(text), quoted(text), oneLine(text)],
  "text that a preview hides": (text) => [shownText(text), mayHideText(text)],
  "previews of code": (text) => previewRole("html", text),
  "mentions of files": findMentions,
  "tags of thinking": separateThinking,
  "coordinates in replies": writtenPoints,
  "code blocks": (text) => codeBlocks(`\`\`\`md\n${text}`),
  "text that looks like code": (text) => parser.inline(text),
  links: linkKind,
};

const PIECES = [
  ...MARKUP,
  ...["bearer ", "api_key=", "sk-", 'authorization: "', "&#0", "<script", "<style>", "&lt;"],
  ...[
    "-eyJ",
    "eyJa.",
    'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
    "密码：",
    "kind: Secret\n",
    '\\"',
    '"\\',
    '"kty":',
    '"d":"a',
    "pwd=",
  ],
  ...["pwd=a ", "host=a ", "curl ", "password: ", "password: a\n", "a:5432:", "://a:"],
  ...["://", "mysql -p", " -p", "machine a ", "diff --git a/x b/x\n", "@@ -1 +1 @@\n"],
  ...["-----BEGIN PRIVATE KEY-----\n", "MII", "A", "AAAA=", "|password|\n|-|\n"],
  ...["authorization: ", "cookie: a=", "basic ", "[", "]", "/", "\\", "\u{e0061}"],
  ...["\u{1f3f4}", "\u{1f3f4}\u{e0061}", "字\u{e0100}", "\u200d", "क\u200d", "\u3000"],
  ...["<!--", "<!-- -->", "{", '{"a":', "key=", "PASSWORD=a ", " # ", "x=y\n", "\n"],
  ...["- a\n", "a,", "a/", "**/", "*a", "{a,", "{a}", "[a", "(", "`", "$("],
  ...['<rules file="a">\n', "\n</rules>", "<think", "</", "\u001b]", "\u001b[", "\r"],
  ...["/a/b", "file:///a", "&amp;", "%25", "secret ", ".env/", ".git/", "a.b@"],
  ...['"token":"a",', "API_KEY=", "\u0001", "a\u00a0", "0:AA", "8Q~", "a\ufe0f"],
  ...["```md\n", "```\nx\n", "```js\n", "C:\\", "\\\\a", "__a", "$a", "5*", "/**/"],
  ...["password=", "\n`", "[a]: b\n", "<a id=", "<?", "<!a ", "a`"],
];

/** Time from which a growth is significant, in milliseconds of processor time. */
const MIN_MS = 3;

/** Upper limit of the growth for a text that is 8 times as long; 64 is quadratic. */
const MAX_GROWTH = 24;

/** Lengths of texts. Several readers ignore texts over a limit of some thousand units. */
const LENGTHS = { quick: [9_600], all: [9_600, 64_000] };

/** Returns the pieces that take more than linear time if they are repeated. */
async function slowPieces(
  pieces: readonly string[],
  read: (text: string) => unknown,
  lengths: readonly number[],
): Promise<string[]> {
  const slow: string[] = [];
  for (const piece of pieces) {
    const textOf = (units: number) => piece.repeat(Math.ceil(units / piece.length));
    const isGrowing = (length: number) => isSlow(textOf, read, length);
    // Large arrays cost a step at some length, which is no growth: that is there at four times the length too.
    for (const length of lengths)
      if ((await isGrowing(length)) && (await isGrowing(4 * length))) slow.push(piece);
  }
  return slow;
}

/** Returns true if reading takes more than linear time. */
async function isSlow<T>(
  make: (size: number) => T,
  read: (made: T) => unknown,
  size: number,
): Promise<boolean> {
  const [short, long] = [make(size / 8), make(size)];
  // Other programs and the collection of garbage disturb a measurement, but not each time.
  let [longMs, shortMs] = [Infinity, Infinity];
  for (let attempt = 0; attempt < 12; attempt++) {
    longMs = Math.min(longMs, await processorMs(() => read(long)));
    if (longMs < MAX_GROWTH * MIN_MS) return false;
    shortMs = Math.min(shortMs, await processorMs(() => read(short)));
    if (longMs < MAX_GROWTH * shortMs) return false;
  }
  return true;
}

async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return process.cpuUsage(before).user / 1000;
}

describe("texts designed to be slow", () => {
  for (const [row, [name, read]] of Object.entries(READERS).entries()) {
    // Each reader has other pieces, so that each piece is read by several readers.
    const quickPieces = PIECES.filter((_, at) => at % 8 === row % 8);
    it(`take linear time in ${name}`, async () => {
      assert.deepEqual(await slowPieces(quickPieces, read, LENGTHS.quick), []);
    });

    it(`take linear time in ${name}, with every piece ${ALL}`, async () => {
      assert.deepEqual(await slowPieces(PIECES, read, LENGTHS.all), []);
    });
  }

  it("take linear time in the export of a line with many code spans", async () => {
    assert.deepEqual(await slowPieces(["`a"], plainMarkdown, [512_000]), []);
  });

  // V8 limits the arguments of a call, and so a spread array, to about 120,000.
  it(`do not end the reading of code with many lines or positions by a stack overflow ${ALL}`, () => {
    const code = new ReplyReader(EDITED);
    code.push("x = y\n".repeat(150_000));
    code.push("\n```ts\n");
    code.push("x = y;\n".repeat(150_000));
    code.end();
    const reader = new PointingReader();
    const read = reader.append(`\`\`\`json\n[${'{"bbox_2d":[1,2,3,4]},'.repeat(150_000)}]\n`);
    assert.equal(countingPoints(read, {}).length, 150_000);
    assert.equal(separateThinking(`${"</think>\n".repeat(150_000)}yes`).text.trim(), "yes");
  });

  it("do not block the reading of small chunks without a line ending", () => {
    const reader = new ReplyReader(EDITED);
    reader.push("```\n");
    for (let piece = 0; piece < 100_000; piece++) reader.push("four");
    reader.end();
  });
});

/** Conversations of many messages, and files with many lines. */
const MANY: Readonly<Record<string, (factor: number) => Promise<boolean>>> = {
  "questions asked aside": (factor) =>
    isSlow(
      (count) =>
        conversationOf(count, (_, before) => (before === null ? null : "q0"), "aside-added"),
      asidesOf,
      factor * 4_000,
    ),
  "the views of pictures": (factor) =>
    isSlow((count) => conversationOf(count), allViews, factor * 2_000),
  "messages without a parent": (factor) =>
    isSlow(
      (count) => conversationOf(count, (index, before) => (index % 2 ? `gone${index}` : before)),
      joinOrphans,
      factor * 4_000,
    ),
  "damaged records of a journal": (factor) =>
    isSlow(
      (count) => {
        const steps = toSteps(conversationOf(count));
        const records = steps.map((step, at) => encodeRecord(`a${at}`, step));
        return concatBytes(records.map((record, at) => (at % 2 ? record.toReversed() : record)));
      },
      (bytes) => readSteps(bytes, new TimeSlice(systemClock, new AbortController().signal)),
      factor * 2_000,
    ),
  "the declaration of a name": (factor) =>
    isSlow(
      (count) => Array.from({ length: count }, (_, at) => `${" ".repeat(at % 200)}class A${at} {`),
      (lines) => declarationOf(lines, ["class A1 {", "}"]),
      factor * 4_000,
    ),
};

/** Returns a conversation of questions with a picture each, and of replies that have seen the picture. */
function conversationOf(
  count: number,
  parentOf: (index: number, before: string | null) => string | null = (_, before) => before,
  kind: "aside-added" | "message-added" = "message-added",
): Conversation {
  const steps: Step[] = [];
  let before: string | null = null;
  for (let index = 0; index < count; index++) {
    const hash = String(index).padStart(64, "0");
    const sent = { hash, mediaType: "image/png", widthPx: 9, heightPx: 9, bytes: 9 };
    const image: ImagePart = { kind: "image", ...sent, name: "a.png" };
    const question = { role: "user" as const, id: `q${index}`, parts: [image], sentAtMs: 1 };
    const pictures: Receipt["pictures"] = [{ kind: "bytes", ...sent }];
    const reply = { role: "assistant", id: `r${index}`, parentId: `q${index}`, text: "" } as const;
    const model = { modelKind: "vl", modelCode: "a" } as const;
    const counts = { bodyBytes: 9, messageCount: 1, imageCount: 1, imagesLeftOut: 0 };
    const rest = { host: "a.example", turnsLeftOut: 0, estimatedTokens: 9 };
    const receipt: Receipt = { ...model, ...counts, ...rest, pictures };
    steps.push(
      { kind, message: { ...question, parentId: parentOf(index, before) } },
      { kind, message: { ...reply, ...model, startedAtMs: 1, receipt } },
    );
    before = `r${index}`;
  }
  return applySteps(emptyConversation("a", 1), steps);
}

function allViews(conversation: Conversation): unknown {
  return messageViews(conversation, shownPath(conversation), undefined, panelMessages, () => false);
}

describe("long conversations and files", () => {
  for (const [name, isSlowNow] of Object.entries(MANY)) {
    itWithRounds(`take linear time in ${name}`, { quick: 1, all: 4 }, async (factor) => {
      assert.ok(!(await isSlowNow(factor)));
    });
  }
});
