/**
 * Texts designed to keep a program busy: replies, file names and pictures are untrusted, so reading
 * them must take linear time. A pattern that backtracks would not finish here.
 */
import assert from "node:assert/strict";
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
import { linkKind } from "../../src/markdown/linkPolicy";
import { cleanHiddenCharacters } from "../../src/markdown/hiddenCharacters";
import { mayHideText, shownText } from "../../src/markdown/unshownText";
import { previewRole } from "../../src/markdown/previewCode";
import { findMentions } from "../../src/markdown/fileMentions";
import { readBaseUrl } from "../../src/service/baseUrl";
import { countingPoints } from "../../src/pointing/placePointing";
import { PointingReader, writtenPoints } from "../../src/pointing/readPointing";
import { separateThinking } from "../../src/service/thinkingTags";
import { shortPlainText } from "../../src/service/plainText";
import { statusFailure } from "../../src/service/readFailure";
import { SpokenText } from "../../src/webview/state/spokenText";
import { shownLines } from "../../src/renderer/draftLines";
import { completeInline } from "../../src/renderer/inlineDraft";

/** A file for a reply with code. */
const EDITED: ReplyOptions = {
  before: ["import one"],
  target: ["function two() {", "}"],
  after: ["const three = 3;"],
  languageId: "typescript",
  isProse: false,
};

/** Lengths of the texts; several readers ignore texts over a limit, 160 to 20,000 units. */
const LENGTHS = [120, 900, 4_000, 9_900, 19_900, 50_000];

/** Maximum processor time of each test, in seconds. Other programs are not counted. */
const MAX_SECONDS = 100;

/** Reads the texts and fails when the maximum time is exceeded. */
function readAll(texts: Iterable<string>, read: (text: string) => unknown): void {
  const before = process.cpuUsage();
  for (const text of texts) {
    read(text);
    const { user, system } = process.cpuUsage(before);
    const shown = JSON.stringify(text.slice(0, 40));
    assert.ok((user + system) / 1e6 < MAX_SECONDS, `over ${MAX_SECONDS} s at ${shown}`);
  }
}

function* repeatedTexts(): Generator<string> {
  for (const before of BEFORE) {
    for (const repeated of REPEATED) {
      for (const length of LENGTHS) {
        yield `${before}${repeated.repeat(length / repeated.length)}\u0001`;
      }
    }
  }
}

/** Repeated texts, and optional prefixes. */
const REPEATED = [
  ...[" ", "\t", "-", "- ", "1. ", "`", "~", "=", "_", "*", "**", "*a", "a*", "_a ", ">", "> "],
  ...["|", " |", "[", "![", "[a](", "\\", "&", "...", "… rest", "/", "a/", "a.", "\n", "\r"],
  ...["<!---->", "<!DOCTYPE ", "<?x?>", "<a ", "<a '", '<a "', "<g>", 'href="#', "url(#", "src="],
];
const BEFORE = ["", " ", "```", "~~~", "// ...", "[", "https://a.example/", "<svg "];

const LIMITS = { maxSidePx: 8000, maxBytes: 10_485_760 };

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "the validation of pictures": (text) => validateImage(new TextEncoder().encode(text), LIMITS),
  "links to pictures": imageLinks,
  "placeholders for omitted code": isLeftOut,
  "code in a streamed answer": (text) => {
    const reader = new ReplyReader(EDITED);
    return [reader.push(text), reader.end()];
  },
  "commit messages": (text) => [commitReply(text, true), commitReply(text, false)],
  "mentions of files": findMentions,
  "escaping of exported text": plainMarkdown,
  "redaction of logged text": redactPatterns,
  "redaction of a key": createRedactor(["\\\\\\&&&&%%%%aaaa", "sk-0123456789abcdef"]),
  "messages of failures": (body) =>
    statusFailure(400, "https://service.test", body, undefined, (text) => text),
  "base URLs": readBaseUrl,
  "text that is read aloud": (text) => {
    const spoken = new SpokenText("en");
    return [spoken.push(text), spoken.end()];
  },
  "incomplete lines": (text) => shownLines([], text, undefined),
  "incomplete markup": completeInline,
};

/** Texts of formats that only some readers know, up to a megabyte. */
const OWN_TEXTS: Readonly<Record<string, readonly string[]>> = {
  "mentions of files": ["../", "a:1", "/".repeat(10), "a\\"],
  "redaction of logged text": [
    ...["bearer ", "api_key=", "eyJaaaaaaaa.", "sk-", 'authorization: "', "a".repeat(50)],
  ],
  "redaction of a key": ["\\", "&amp;", "%25", "a", "&#0", "Zm9v\\/"],
  "messages of failures": ["<script", "<style>", "<html><script", "&lt;", '{"a":', "bearer "],
};

/** Readers of text that a workspace, a service or a program supplies, of any length. */
const RECOGNIZERS: Readonly<Record<string, (text: string) => unknown>> = {
  "the search for secrets": secretIn,
  "the removal of secrets": withoutSecrets,
  "the names of secret files": mayHoldSecrets,
  "the kinds of sensitive files": sensitivityOf,
  "the guard of diffs": (text) => [
    guardedDiff(text, [["a.ts"]]),
    guardedDiff(`diff --git a/x b/x\n--- "a/${text}"\n+++ "b/${text}"\n@@ -1 +1 @@\n+${text}`, []),
  ],
  "hidden characters": cleanHiddenCharacters,
  "redaction of a key": createRedactor(["sk-0123456789abcdef"]),
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
  "the escaping of exported text": (text) => [plainMarkdown(text), quoted(text), oneLine(text)],
  "text that a preview hides": (text) => [shownText(text), mayHideText(text)],
  "previews of code": (text) => previewRole("html", text),
  "mentions of files": findMentions,
  "tags of thinking": separateThinking,
  "coordinates in replies": writtenPoints,
  links: linkKind,
};

const HOSTILE = [
  ...[
    "-eyJ",
    "eyJa.",
    "密码：",
    "kind: Secret\n",
    '\\"',
    '"\\',
    '"kty":',
    '"d":"a',
    "pwd=",
    "pwd=a ",
  ],
  ...[
    "host=a ",
    "curl ",
    "password: ",
    "password: a\n",
    "a:5432:",
    "://a:",
    "://",
    "mysql -p",
    " -p",
  ],
  ...[
    "machine a ",
    "diff --git a/x b/x\n",
    "@@ -1 +1 @@\n",
    "-----BEGIN PRIVATE KEY-----\n",
    "MII",
  ],
  ...[
    "A",
    "AAAA=",
    "|password|\n|-|\n",
    "authorization: ",
    "cookie: a=",
    "basic ",
    "[",
    "]",
    "/",
    "\\",
  ],
  ...["\u{e0061}", "\u{1f3f4}", "\u{1f3f4}\u{e0061}", "字\u{e0100}", "\u200d", "क\u200d", "\u3000"],
  ...[
    "<!--",
    "<!-- -->",
    "{",
    '{"a":',
    "key=",
    "PASSWORD=a ",
    " # ",
    "x=y\n",
    "\n",
    "- a\n",
    "a,",
    "a/",
  ],
  ...[
    "**/",
    "*a",
    "{a,",
    "{a}",
    "[a",
    "(",
    "`",
    "$(",
    '<rules file="a">\n',
    "\n</rules>",
    "<think",
    "</",
  ],
  ...[
    "\u001b]",
    "\u001b[",
    "\r",
    "/a/b",
    "file:///a",
    "&amp;",
    "%25",
    "secret ",
    ".env/",
    ".git/",
    "a.b@",
  ],
  ...[
    '"token":"a",',
    "API_KEY=",
    "\u0001",
    "a\u00a0",
    "0:AA",
    "8Q~",
    "a\ufe0f",
    "password=",
    "\n`",
    "[a]: b\n",
    "<a id=",
    "<?",
    "<!a ",
    "a`",
  ],
];

/** Time from which a growth is significant, in milliseconds of processor time. */
const MIN_MS = 3;

/** Upper limit of the growth for a text that is 8 times as long; 64 is quadratic. */
const MAX_GROWTH = 24;

/** Returns the pieces that take more than linear time if they are repeated. */
function slowPieces(
  pieces: readonly string[],
  read: (text: string) => unknown,
  length = 64_000,
): string[] {
  return pieces.filter((piece) => {
    const text = (units: number) => piece.repeat(Math.ceil(units / piece.length));
    const isSlow = () => {
      const long = processorMs(() => read(text(length)));
      if (long < MAX_GROWTH * MIN_MS) return false;
      return long > MAX_GROWTH * processorMs(() => read(text(length / 8)));
    };
    // Other programs can disturb a measurement, but not each time.
    return isSlow() && isSlow() && isSlow();
  });
}

function processorMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}

describe("texts designed to be slow", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`do not block ${name}`, () => {
      const ownTexts = (OWN_TEXTS[name] ?? []).flatMap((piece) =>
        [...LENGTHS, 1_000_000].map((length) => piece.repeat(length / piece.length)),
      );
      readAll([...repeatedTexts(), ...ownTexts], read);
    });
  }

  for (const [name, read] of Object.entries(RECOGNIZERS)) {
    it(`take linear time in ${name}`, () => {
      assert.deepEqual(slowPieces(HOSTILE, read), []);
    });
  }

  it("take linear time in the export of a line with many code spans", () => {
    assert.deepEqual(slowPieces(["`a"], plainMarkdown, 512_000), []);
  });

  // V8 limits the arguments of a call, and so a spread array, to about 120,000.
  it("do not end the reading of code with many lines or positions by a stack overflow", () => {
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
