/**
 * The thinking of a model is separated from its answer: in separate fields, in content parts, and
 * between tags, at every cut.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { separateThinking, ThinkingTags } from "../../../src/service/thinkingTags";
import { askReplay, type AskResult, askService, delta, DONE, finish, replay } from "./asking";

const SERVICE = "https://service.test";

interface Separated {
  readonly reasoning: string;
  readonly text: string;
}

/** Returns the reply as the user finally sees it, with text that was reclassified as thinking. */
function shown({ events }: AskResult): Separated {
  let reasoning = "";
  let text = "";
  for (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "reasoning-delta") reasoning += event.text;
    if (event.type === "text-was-reasoning") {
      reasoning += text;
      text = "";
    }
  }
  return { reasoning, text };
}

function separate(pieces: readonly string[]): Separated {
  const tags = new ThinkingTags();
  let reasoning = "";
  let text = "";
  for (const part of [...pieces.map((piece) => tags.push(piece)), tags.end()]) {
    if (part.isEarlierTextReasoning) {
      reasoning += text;
      text = "";
    }
    reasoning += part.reasoning;
    text += part.text;
  }
  return { reasoning: reasoning.trim(), text };
}

const event = (fields: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...fields }] })}\n\n`;
const ANSWER = "The answer is 4.";

/** Contents with thinking, and the thinking of each. */
const TAGGED: readonly (readonly [name: string, content: string, reasoning: string])[] = [
  ["<think>", `<think>\nTwo and two.\n</think>\n\n${ANSWER}`, "Two and two."],
  ["<thinking>", `<thinking>Two and two.</thinking>${ANSWER}`, "Two and two."],
  [
    "tags around the answer",
    `<think>\nTwo and two.\n</think>\n<answer>\n${ANSWER}</answer>`,
    "Two and two.",
  ],
  ["blanks before the tag", `\n  <think>Two and two.</think>\n${ANSWER}`, "Two and two."],
  ["a namespace", `<seed:think>Two and two.</seed:think>${ANSWER}`, "Two and two."],
  ["brackets", `[THINK]Two and two.[/THINK]${ANSWER}`, "Two and two."],
  ["triangles", `◁think▷Two and two.◁/think▷${ANSWER}`, "Two and two."],
  ["tokens", `<|begin_of_thought|>Two and two.<|end_of_thought|>\n\n${ANSWER}`, "Two and two."],
  [
    "channels",
    `<|channel|>analysis<|message|>Two and two.<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
    "Two and two.",
  ],
  ["two blocks", `<think>Two</think>\n<think>and two.</think>\n${ANSWER}`, "Two\n\nand two."],
  ["an empty block", `<think>\n\n</think>\n\n${ANSWER}`, ""],
  ["no opening tag", `Two and two.\n</think>\n\n${ANSWER}`, "Two and two."],
  ["no opening tag, nothing thought", `</think>\n\n${ANSWER}`, ""],
  ["no opening bracket", `Two and two.\n[/THINK]\n${ANSWER}`, "Two and two."],
  [
    "a quotation at the end of the thinking",
    `<think>They said "four"</think>${ANSWER}`,
    'They said "four"',
  ],
];

/** Formats of models and relays; the sources are in thinkingTags.ts. */
const FORMATS: typeof TAGGED = [
  ["Gemma", `<|channel>thought\nTwo and two.\n<channel|>${ANSWER}`, "Two and two."],
  [
    "harmony commentary",
    `<|channel|>commentary<|message|>Two and two.<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
    "Two and two.",
  ],
  [
    "an opening tag twice",
    `<think>\n<think>\nTwo and two.\n</think>\n${ANSWER}`,
    "<think>\nTwo and two.",
  ],
  [
    "tokens around the answer",
    `<think>Two and two.</think><|begin_of_box|>${ANSWER}<|end_of_box|>`,
    "Two and two.",
  ],
];

/** Contents without thinking. */
const PLAIN: readonly (readonly [name: string, content: string])[] = [
  ["an XML element named answer", "<answer>42</answer>"],
  ["a tag later in the text", "First text.\n<think>not thinking</think>\nMore."],
  ["a tag in inline code", "Models write `<think>` and `</think>`."],
  ["a closing tag in inline code", "The end is `</think>` and then comes the answer."],
  ["a closing tag in a code block", "Like this:\n```\nthinking\n</think>\nanswer\n```\nDone."],
  ["a block in a code block", "Like this:\n\n~~~xml\n<think>\na\n</think>\n~~~\n"],
  ["a closing tag at the end of a line", "First they think.</think>\n\nThen they answer."],
  ["a closing tag in a sentence", "The tag </think> ends it."],
  ["a closing tag in Chinese", "模型在思考结束时会输出</think>标签，然后开始回答。"],
  ["a closing tag before a line end", "Models end their thoughts with </think>\nand then answer."],
  ["a closing tag in indented code", "Like this:\n\n    </think>\n\nDone."],
  ["another tag at the start", "<thinker>is an element</thinker>"],
  ["blanks around", "\n\n  Hello.\n\n"],
  ["nothing", ""],
];

describe("thinking between tags", () => {
  for (const [name, content, reasoning] of [...TAGGED, ...FORMATS]) {
    const expected = { reasoning, text: ANSWER };

    it(`is not part of the answer, at every cut: ${name}`, () => {
      assert.deepEqual(separate([content]), expected);
      assert.deepEqual(separate(Array.from(content)), expected, "one character at a time");
      for (let firstCut = 0; firstCut <= content.length; firstCut++) {
        const rest = content.slice(firstCut);
        assert.deepEqual(separate([content.slice(0, firstCut), rest]), expected, `cut ${firstCut}`);
        const secondCut = Math.floor(rest.length / 2);
        const three = [content.slice(0, firstCut), rest.slice(0, secondCut), rest.slice(secondCut)];
        assert.deepEqual(separate(three), expected, `cuts ${firstCut} and ${firstCut + secondCut}`);
      }
    });

    it(`never contains the answer's text when the reply ends early: ${name}`, () => {
      for (let end = 0; end <= content.length; end++) {
        const separated = separate([content.slice(0, end)]);
        assert.ok(!separated.reasoning.includes("The answer"), `ends at ${end}`);
      }
    });
  }

  for (const [name, content] of PLAIN) {
    it(`is not found in ${name}, at any cut`, () => {
      const expected = { reasoning: "", text: content };
      for (let firstCut = 0; firstCut <= content.length; firstCut++) {
        assert.deepEqual(separate([content.slice(0, firstCut), content.slice(firstCut)]), expected);
      }
      assert.deepEqual(separate(Array.from(content)), expected);
      assert.deepEqual(separateThinking(content), expected);
    });
  }

  it("does not begin later in the text, also in lines of their own, at any cut", () => {
    const content = "First.\n\n<think>\nTwo.\n</think>\n\nMore.\n\n<think>\nand\n</think>\n\nEnd.";
    const expected = { reasoning: "", text: content };
    for (let cut = 0; cut <= content.length; cut++) {
      assert.deepEqual(
        separate([content.slice(0, cut), content.slice(cut)]),
        expected,
        `cut ${cut}`,
      );
    }
    assert.deepEqual(separate(Array.from(content)), expected);
  });

  it("ends at the first closing tag, also in quotation marks and in code", () => {
    assert.deepEqual(separate(["<think>They ask about `</think>`.</think>4"]), {
      reasoning: "They ask about `",
      text: "`.</think>4",
    });
  });

  it("is all text after a tag that is never closed", () => {
    assert.deepEqual(separate(["<think>Two and", " two."]), {
      reasoning: "Two and two.",
      text: "",
    });
  });

  it("does not change text without a tag, with the same result at every cut", () => {
    const piece = fc.constantFrom(
      ..."<think> </think> <thinking> [THINK] [/THINK] ``` ` ~~~ < > </ a b. \n \n\n".split(" "),
      " ",
      "\n",
      ..."<|return|> <|end|> <|begin_of_box|> <\\/think> </details> analysis assistantfinal **".split(
        " ",
      ),
      "</think >",
      "\n\n<think>\n",
      '<details type="reasoning">',
      "Here is my thought process:",
      "Here is my response:",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.infiniteStream(fc.nat(7)),
        (parts, cuts) => {
          const content = parts.join("");
          const pieces: string[] = [];
          for (let at = 0; at < content.length; at += pieces.at(-1)?.length ?? 1) {
            pieces.push(content.slice(at, at + 1 + (cuts.next().value as number)));
          }
          assert.deepEqual(separate(pieces), separate([content]));
        },
      ),
      { seed: 20261122, numRuns: 4000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (content) => {
        if (/[<[◁]/.test(content)) return;
        assert.deepEqual(separateThinking(content), { reasoning: "", text: content });
      }),
      { seed: 20261122 },
    );
  });

  it("is reported with its model if it begins without an opening tag", async () => {
    const models: string[] = [];
    const onThinkingFirst = (...learned: unknown[]) => void models.push(learned.join(" "));
    const inside = [delta("Two and "), delta("two.\n</think>\n\n4"), finish() + DONE];
    await askService(SERVICE, "x", { fetch: replay(inside), onThinkingFirst });
    assert.deepEqual(models, ["service.test core_llm true"]);
    const tagged = [delta("<think>Two and "), delta("two.\n</think>\n\n4"), finish() + DONE];
    await askService(SERVICE, "x", { fetch: replay(tagged), onThinkingFirst });
    assert.deepEqual(models.slice(1), ["service.test core_llm false"]);
  });
});

/** Formats of a block or a message with thinking. */
const FIELDS: readonly (readonly [name: string, fields: (text: string) => object])[] = [
  ["reasoning_content", (text) => ({ reasoning_content: text })],
  ["reasoning", (text) => ({ reasoning: text })],
  ["thinking", (text) => ({ thinking: text })],
  ["reasoning_details", (text) => ({ reasoning_details: [{ type: "reasoning.text", text }] })],
  ["a summary", (text) => ({ reasoning_details: [{ type: "reasoning.summary", summary: text }] })],
  [
    "two fields with the same text",
    (text) => ({ reasoning: text, reasoning_details: [{ type: "reasoning.text", text }] }),
  ],
  ["an object", (text) => ({ reasoning: { content: text } })],
  [
    "parts of the content",
    (text) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }),
  ],
];

describe("thinking in its own field", () => {
  for (const [name, fields] of FIELDS) {
    it(`is read while it streams: ${name}`, async () => {
      const pieces = [
        event({ delta: { role: "assistant", content: "" } }),
        event({ delta: { content: null, ...fields("Two ") } }),
        event({ delta: fields("and two.") }),
        event({ delta: { content: ANSWER, reasoning: null, reasoning_content: "" } }),
        finish() + DONE,
      ];
      const result = await askReplay(pieces);
      assert.deepEqual(shown(result), { reasoning: "Two and two.", text: ANSWER });
      assert.equal(result.ended?.finishReason, "stop");
    });

    it(`is read in a message that repeats it: ${name}`, async () => {
      const whole = { role: "assistant", content: ANSWER, ...fields("Two and two.") };
      if (Array.isArray(whole.content)) return;
      const pieces = [
        event({ delta: fields("Two and two.") }),
        delta(ANSWER),
        event({ message: whole, finish_reason: "stop" }),
        DONE,
      ];
      const result = await askReplay(pieces);
      assert.deepEqual(shown(result), { reasoning: "Two and two.", text: ANSWER });
    });

    it(`is read without a stream: ${name}`, async () => {
      const thinkingMessage = fields("Two and two.") as { content?: unknown[] };
      const content = thinkingMessage.content
        ? [...thinkingMessage.content, { type: "text", text: ANSWER }]
        : ANSWER;
      const message = { role: "assistant", ...thinkingMessage, content };
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
      const result = await askService(SERVICE, "x", {
        fetch: replay([body], { headers: { "content-type": "application/json" } }),
        request: { stream: false },
      });
      assert.deepEqual(shown(result), { reasoning: "Two and two.", text: ANSWER });
    });
  }

  it("is followed by tags and blanks that are not part of the answer", async () => {
    for (const content of [`\n\n${ANSWER}`, `</think>\n\n${ANSWER}`]) {
      const pieces = [event({ delta: { reasoning: "Two." } }), delta(content), finish(), DONE];
      const result = await askReplay(pieces);
      assert.deepEqual(shown(result), { reasoning: "Two.", text: ANSWER });
    }
  });

  it("is kept when the stream is cut off, and counts as content", async () => {
    for (const pieces of [
      [event({ delta: { reasoning: "Two." } })],
      ["data: x\n\n", delta("<think>Two.")],
    ]) {
      const result = await askReplay(pieces);
      assert.equal(shown(result).reasoning, "Two.");
      assert.equal(result.failure?.kind, "truncated");
    }
  });

  it("has its own token counts", async () => {
    const usage = {
      prompt_tokens: 5,
      completion_tokens: 30,
      total_tokens: 35,
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    const pieces = [
      delta("a"),
      finish(),
      `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
      DONE,
    ];
    const result = await askReplay(pieces);
    assert.equal(result.usage?.reasoningTokens, 20);
    assert.equal(result.usage.completionTokens, 30);
  });
});
