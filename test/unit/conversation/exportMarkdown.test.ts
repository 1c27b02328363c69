/**
 * The exported Markdown document: its content, and that hostile text stays text when another
 * program renders it with HTML allowed.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../../src/conversation/conversation";
import type { Ending } from "../../../src/conversation/ending";
import { exportMarkdown } from "../../../src/conversation/exportMarkdown";
import { plainMarkdown } from "../../../src/conversation/markdownText";
import type { ExcerptPart, Part } from "../../../src/conversation/message";
import { EXPORT_WORDS } from "../../support/conversation/exportWords";
import { itWithRounds } from "../../support/depth";
import { question } from "../history/turns";
import { anyConversation, HOSTILE } from "./conversationArbitrary";

const HASH = "0123456789abcdef".repeat(4);
const BYTES = new Uint8Array([1, 2, 3]);
const IMAGE: Part = {
  kind: "image",
  hash: HASH,
  mediaType: "image/png",
  widthPx: 1,
  heightPx: 1,
  bytes: 3,
  name: "a ](x) <b>.png",
};

function conversation(
  parts: Part[],
  reply: string,
  ending: Ending = { kind: "complete" },
  title?: string,
): Conversation {
  const kinds = { modelKind: "llm" as const, modelCode: "x", startedAtMs: 1 };
  const steps: Step[] = [
    {
      kind: "message-added",
      message: { role: "user", id: "q", parentId: null, parts, sentAtMs: 1 },
    },
    {
      kind: "message-added",
      message: { role: "assistant", id: "r", parentId: "q", text: reply, ...kinds, ending },
    },
  ];
  if (title !== undefined) steps.push({ kind: "titled", title });
  return applySteps(emptyConversation("c1", 0), steps);
}

async function markdownOf(exported: Conversation): Promise<string> {
  const { markdown } = await exportMarkdown(exported, "pictures", EXPORT_WORDS, () =>
    Promise.resolve(BYTES),
  );
  return markdown;
}

const EXCERPT: ExcerptPart = {
  kind: "excerpt",
  path: "src/a.ts",
  uri: "",
  languageId: "typescript",
  text: "const a = `1`;\n```",
};
const text = (value: string): Part => ({ kind: "text", text: value });

describe("exportMarkdown", () => {
  it("exports a text of half a million lines", () => {
    assert.equal(plainMarkdown("a\n".repeat(500_000)).split("\n").length, 500_001);
  });

  it("writes title, questions, excerpts and replies of the shown path", async () => {
    const exported = conversation(
      [text("Why?\nReally"), { ...EXCERPT, startLine: 3, endLine: 4 }],
      "Because `<b>`:\n\n```ts\n<T>\n```",
    );
    assert.equal(
      await markdownOf(exported),
      [
        "# Why? Really",
        "## You",
        "> Why?\n> Really",
        "` src/a.ts:3-4 `",
        "````typescript\nconst a = `1`;\n```\n````",
        "## Assistant",
        "Because `<b>`:\n\n```ts\n<T>\n```\n",
      ].join("\n\n"),
    );
  });

  it("has the summary in use below the messages that it replaces, until it is undone", async () => {
    const covers = [{ messageId: "q" }, { messageId: "r" }];
    const summarized = applySteps(conversation([text("Why?")], "Because."), [
      question("q2", "r", "On"),
      { kind: "summary-used", id: "s1", atId: "r", covers, text: "He asked <b>why</b>." },
    ]);
    assert.equal(
      await markdownOf(summarized),
      "# Why?\n\n## You\n\n> Why?\n\n## Assistant\n\nBecause.\n\n" +
        "## Summary of 2\n\n> He asked \\<b>why\\</b>.\n\n## You\n\n> On\n",
    );
    const undone = applySteps(summarized, [{ kind: "sending-undone", id: "s1" }]);
    assert.doesNotMatch(await markdownOf(undone), /Summary/);
  });

  it("links to pictures in a folder next to the document", async () => {
    const exported = conversation([IMAGE], "x");
    const withFiles = await exportMarkdown(exported, "../my chat/ü", EXPORT_WORDS, () =>
      Promise.resolve(BYTES),
    );
    assert.deepEqual(withFiles.files, [{ path: "my-chat-ü/0123456789abcdef.png", bytes: BYTES }]);
    assert.match(withFiles.markdown, /\]\(my-chat-%C3%BC\/0123456789abcdef\.png\)/);
  });

  it("puts thinking before its reply under a heading, only if asked to", async () => {
    const exported = applySteps(conversation([text("2 + 2?")], "4"), [
      { kind: "reply-thought", messageId: "r", offset: 0, text: "Two **and** two.", durationMs: 9 },
    ]);
    assert.ok(!(await markdownOf(exported)).includes("Two"));
    const source = () => Promise.resolve(undefined);
    const { markdown } = await exportMarkdown(exported, "pictures", EXPORT_WORDS, source, true);
    assert.match(markdown, /## Assistant\n\n> \*Thinking\*\n>\n> Two \*\*and\*\* two\.\n\n4\n$/);
  });

  it("reports missing pictures, blocked replies and incomplete replies", async () => {
    const missing = await exportMarkdown(conversation([IMAGE], "x"), "pictures", EXPORT_WORDS, () =>
      Promise.resolve(undefined),
    );
    assert.match(missing.markdown, /The picture a .* is missing/);
    const withheld = await markdownOf(
      conversation([], "secret", { kind: "withheld", isTextKept: false }),
    );
    assert.ok(!withheld.includes("secret") && withheld.includes("withheld"));
    assert.match(
      await markdownOf(conversation([], "half", { kind: "stopped" })),
      /half\n\n\*This reply did not come whole\\\.\*/,
    );
  });

  const parsers = [
    new MarkdownIt({ html: true, linkify: true }),
    new MarkdownIt("commonmark", { html: true }),
  ];

  /** Checks that there is no HTML and no foreign picture, and that the reply has its heading. */
  function checkHarmless(markdown: string, name: string): void {
    for (const parser of parsers) {
      const tokens = parser.parse(markdown, {});
      for (const token of tokens) {
        for (const part of [token, ...(token.children ?? [])]) {
          assert.ok(!part.type.startsWith("html"), `${name}: ${part.content}\n${markdown}`);
          const source = part.type === "image" ? String(part.attrGet("src")) : undefined;
          assert.match(
            source ?? "pictures/0123456789abcdef.png",
            /^pictures\/[0-9a-f]{16}\.png$/,
            name,
          );
        }
      }
      const hasReply = tokens.some(
        ({ type, level, content }, at) =>
          type === "inline" &&
          level === 1 &&
          content === "Assistant" &&
          tokens[at - 1]?.tag === "h2",
      );
      assert.ok(hasReply, `${name}: the question swallowed the reply\n${markdown}`);
    }
  }

  for (const hostile of HOSTILE) {
    it(`keeps ${JSON.stringify(hostile)} as text at any position`, async () => {
      const exported = [
        conversation([text(hostile)], "reply"),
        conversation([text("q")], hostile),
        conversation([text("q")], `Before.\n\n${hostile}\n\nBehind <img src=x>`),
        conversation([text("q")], `Before\n${hostile}\nBehind <img src=x>`),
        conversation([text("q")], "reply", { kind: "complete" }, hostile),
        conversation([{ ...IMAGE, name: hostile }], "reply"),
        conversation([{ kind: "image-address", url: hostile }], "reply"),
        conversation(
          [{ kind: "excerpt", path: hostile, uri: hostile, languageId: hostile, text: hostile }],
          "reply",
        ),
      ];
      for (const madeConversation of exported)
        checkHarmless(await markdownOf(madeConversation), hostile);
    });
  }

  const mixtures = { quick: 300, all: 2_000 };
  const title = "makes any combination of Markdown's special characters harmless";
  itWithRounds(title, mixtures, async (numRuns) => {
    const piece = fc.constantFrom(
      ..."`|``|```|~~~|\n|\n\n|<img src=x>|<|>|![|](x)|\\|    |  |\t|- |1. |> |# |a|b|\\||[x]: y|</b>|<!--".split(
        "|",
      ),
      "|",
    );
    const markdown = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(markdown, markdown, async (questionText, replyText) => {
        checkHarmless(await markdownOf(conversation([text(questionText)], replyText)), "a mixture");
      }),
      { numRuns },
    );
  });

  it("creates a document of any conversation", async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (exported) => {
        assert.match(await markdownOf(exported), /^# [^\n]+\n/);
      }),
    );
  });
});
