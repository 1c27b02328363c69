/**
 * Generates conversations for property tests: any tree of questions and replies, with ordinary and
 * hostile texts, in a state that a window can create.
 */
import * as fc from "fast-check";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../../src/conversation/conversation";
import type { Ending } from "../../../src/conversation/ending";
import type { Part } from "../../../src/conversation/message";

/** Hostile texts that other programs could interpret as markup. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  '<img src="x" onerror="alert(1)">',
  "![track](https://evil.example/a.png)",
  "![ref][evil]\n\n[evil]: https://evil.example/b.png",
  "```js\nnever closed <img src=x>",
  "- ```\n  <b>in a list\n<img src=x>",
  "   ```\n   code\n```\n<img src=x>",
  "text\n    ```\n\n    <img src=x>\n    ```",
  "\\`<img src=x>`",
  "`a\nb` <img src=x> `c`",
  "| a |\n|---|\n| `x | <img src=x> | y` |",
  "> ```\n> <img src=x>\n<img src=y>",
  "<!-- open comment",
  '<a href="`"><img src=x>`',
  "\\\\<img src=x>",
  "\\![a](https://evil.example/c.png)",
  "\\\\![a](https://evil.example/d.png)",
  "1. ```html\n   <img src=x>\n   ```\n\n<svg/onload=alert(1)>",
  "~~~ `\n<img src=x>\n~~~\n<iframe src=x>",
  "``` `\n<img src=x>",
  "\t```\n<img src=x>",
  "__proto__",
  "\u202egnp.exe",
  "## You\n\nno, not you",
];

/** Creates plain objects, like JSON.parse. */
const PLAIN = { noNullPrototype: true } as const;

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 40 }), fc.constantFrom(...HOSTILE));

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text }, PLAIN),
  fc.record(
    {
      kind: fc.constant("image-address" as const),
      url: text.map((end) => `https://pictures.example/${end}`),
    },
    PLAIN,
  ),
  fc.record(
    {
      kind: fc.constant("excerpt" as const),
      path: text,
      uri: text,
      languageId: text,
      text,
      startLine: fc.nat(),
      endLine: fc.nat(),
    },
    PLAIN,
  ),
);

const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.constantFrom<Ending>(
    { kind: "complete" },
    { kind: "cut-short" },
    { kind: "stopped" },
    { kind: "withheld", isTextKept: true },
    { kind: "failed", failure: { kind: "timed-out", phase: "silence", limitMs: 60_000 } },
  ),
);

/** Operation that builds a conversation; its number selects an existing message. */
const move = fc.oneof(
  fc.record({ kind: fc.constant("ask" as const), at: fc.nat(), parts: fc.array(part) }),
  fc.record({ kind: fc.constant("reply" as const), at: fc.nat(), text, ending }),
  fc.record({ kind: fc.constant("path" as const), at: fc.nat() }),
);

/** Any conversation that is the result of such operations. */
export const anyConversation: fc.Arbitrary<Conversation> = fc
  .record({
    moves: fc.array(move, { minLength: 1, maxLength: 15 }),
    title: fc.option(text, { nil: undefined }),
    workspace: fc.option(text, { nil: undefined }),
    isPinned: fc.boolean(),
  })
  .map(({ moves, title, workspace, isPinned }) => {
    const steps: Step[] = [
      { kind: "created", id: "c1", atMs: 5, ...(workspace !== undefined && { workspace }) },
    ];
    const ids: string[] = [];
    for (const [number, made] of moves.entries()) {
      const parentId = ids[made.at % (ids.length + 1)] ?? null;
      const id = `m${number}`;
      if (made.kind === "path") {
        steps.push({ kind: "path-chosen", leafId: parentId });
        continue;
      }
      ids.push(id);
      if (made.kind === "ask") {
        const { parts } = made;
        const message = { role: "user" as const, id, parentId, parts, sentAtMs: number };
        steps.push({ kind: "message-added", message });
        continue;
      }
      const kinds = { modelKind: "llm" as const, modelCode: "core_llm", startedAtMs: number };
      const reply = { role: "assistant" as const, id, parentId, text: "", ...kinds };
      steps.push({ kind: "message-added", message: reply });
      if (made.text !== "") {
        steps.push({ kind: "reply-grown", messageId: id, offset: 0, text: made.text, atMs: 9 });
      }
      steps.push({ kind: "reply-ended", messageId: id, atMs: 10, ending: made.ending });
    }
    if (title !== undefined) steps.push({ kind: "titled", title });
    if (isPinned) steps.push({ kind: "pinned", isPinned });
    return applySteps(emptyConversation("c1", 0), steps);
  });
