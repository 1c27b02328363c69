/**
 * Measures the language of the comments. The limits are those of three projects that read well
 * (vscode-hexeditor, eventsource-parser and openai-node), with some tolerance.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import ts from "typescript";
import { filesBelow } from "../support/source/files";

interface Comment {
  readonly file: string;
  readonly text: string;
}

/** Occurrences of a word in 1,000 words of comments. */
const MAX_PER_1000_WORDS: Readonly<Record<string, number>> = { what: 1, it: 6, one: 3 };

/** Share of comments that may start with a question word, in percent. */
const MAX_QUESTION_WORDS_PERCENT = 1;
const QUESTION_WORD = /^(?:What|Who|Where|How|Whether|Why|Which) /;

/** Metaphors and archaic words with an established technical term. */
const FORBIDDEN =
  /\b(?:anew|beside|tell|tells|told|somebody|nobody|meanwhile|likeness|whoever|wherever|stands|lays|laid|begun|house|rooms?|desk|persons?|front door|any more|by itself|in its place|lets? go|throws? away|fate|became of|news|remembers?|tid(?:y|ies)|teeth|judges?|judgement)\b/i;

const PROGRAM = /\.(?:tsx?|mjs)$/;
const FILES: Readonly<Record<string, readonly string[]>> = {
  src: filesBelow("src", PROGRAM),
  "test and the build": [
    ...filesBelow("test", PROGRAM),
    ...readdirSync(".").filter((name) => name.endsWith(".mjs")),
  ],
};
const NAMES = new Set(
  Object.values(FILES)
    .flat()
    .map((file) => file.split("/").at(-1)),
);

/** Returns the comments of a file; consecutive line comments are joined. */
function commentsOf(file: string): Comment[] {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kindOf(file));
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      ranges.set(range.pos, range);
    }
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) {
      ranges.set(range.pos, range);
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  const found: Comment[] = [];
  let lastEnd = -1;
  for (const { pos, end, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const plain = text
      .slice(pos, end)
      .replace(/^\/\*+|\*\/$/g, "")
      .replace(/^\s*(?:\*|\/\/) ?/gm, "")
      .replace(/\s+/g, " ")
      .trim();
    const isContinued =
      kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      lastEnd !== -1 &&
      /^\s*$/.test(text.slice(lastEnd, pos)) &&
      !text.slice(lastEnd, pos).includes("\n\n");
    const last = found.at(-1);
    if (isContinued && last !== undefined) {
      found[found.length - 1] = { file, text: `${last.text} ${plain}` };
    } else if (plain !== "") found.push({ file, text: plain });
    lastEnd = kind === ts.SyntaxKind.SingleLineCommentTrivia ? end : -1;
  }
  return found;
}

function kindOf(file: string): ts.ScriptKind {
  if (file.endsWith(".mjs")) return ts.ScriptKind.JS;
  return file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

function wordsOf({ text }: Comment): string[] {
  const prose = text.replace(/\{@link [^}]*\}|`[^`]*`/g, " ").toLowerCase();
  return prose.match(/[a-z']+/g) ?? [];
}

for (const [part, files] of Object.entries(FILES)) {
  describe(`the comments of ${part}`, () => {
    const comments = files.flatMap(commentsOf);

    it("are found", () => assert.ok(comments.length > 300, `only ${comments.length} were found`));

    for (const [word, limit] of Object.entries(MAX_PER_1000_WORDS)) {
      it(`contain "${word}" at most ${limit} times in 1,000 words`, () => {
        const words = comments.flatMap(wordsOf);
        const count = words.filter((candidate) => candidate === word).length;
        const perThousand = (1000 * count) / words.length;
        assert.ok(perThousand <= limit, perThousand.toFixed(1));
      });
    }

    it("rarely start with a question word", () => {
      const questions = comments.filter(({ text }) => QUESTION_WORD.test(text));
      const percent = (100 * questions.length) / comments.length;
      assert.ok(percent <= MAX_QUESTION_WORDS_PERCENT, percent.toFixed(1));
    });

    it("use technical terms", () => {
      const metaphors = comments.filter(({ text }) => FORBIDDEN.test(text.replace(/`[^`]*`/g, "")));
      assert.deepEqual(metaphors, []);
    });

    it("name files that exist", () => {
      const missing = comments.flatMap(({ file, text }) =>
        [...text.matchAll(/(?<![\w/.`-])([a-z]\w*\.(?:tsx?|mjs))(?!\w)/g)]
          .map(([, name = ""]) => name)
          .filter((name) => !NAMES.has(name) && !existsSync(name))
          .map((name) => `${file}: ${name}`),
      );
      assert.deepEqual(missing, []);
    });
  });
}
