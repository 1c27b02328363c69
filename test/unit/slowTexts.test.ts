/**
 * Texts designed to keep a program busy: replies, file names and pictures are untrusted, so reading
 * them must take linear time. A pattern that backtracks would not finish here.
 */
import assert from "node:assert/strict";
import { createRedactor, redactPatterns } from "../../src/base/redact";
import { validateImage } from "../../src/context/validateImage";
import { plainMarkdown } from "../../src/conversation/markdownText";
import { imageLinks } from "../../src/host/pictures/imageLinks";
import { isLeftOut } from "../../src/inline/leftOut";
import { firstOption } from "../../src/inline/commitOptions";
import { ReplyFold } from "../../src/inline/replyFold";
import { findMentions } from "../../src/markdown/fileMentions";
import { readBaseUrl } from "../../src/service/baseUrl";
import { statusFailure } from "../../src/service/readFailure";
import { SpokenText } from "../../src/webview/state/spokenText";
import { shownLines } from "../../src/renderer/draftLines";
import { completeInline } from "../../src/renderer/inlineDraft";

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
    const fold = new ReplyFold({ isProse: false });
    return [fold.push(text), fold.end()];
  },
  "options for a commit message": (text) => firstOption(text, true),
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

describe("texts designed to be slow", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`do not block ${name}`, () => {
      const ownTexts = (OWN_TEXTS[name] ?? []).flatMap((piece) =>
        [...LENGTHS, 1_000_000].map((length) => piece.repeat(length / piece.length)),
      );
      readAll([...repeatedTexts(), ...ownTexts], read);
    });
  }

  it("do not block the reading of small chunks without a line ending", () => {
    const fold = new ReplyFold({ isProse: false });
    fold.push("```\n");
    for (let piece = 0; piece < 100_000; piece++) fold.push("four");
    fold.end();
  });
});
