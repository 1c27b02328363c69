/** Half a surrogate pair of a reply or a question is neither kept nor sent: strict services refuse it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { WellFormedText } from "../../../src/base/wellFormed";
import { encodeRequest } from "../../../src/service/chatCompletions";
import { StreamDecoder } from "../../../src/service/decodeStream";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { openJournal } from "../history/openJournal";
import { question } from "../history/turns";
import { askReplay, askService, delta, DONE, finish, replay, requestOf } from "./asking";

const HALF = "\ud83d";
const OTHER_HALF = "\ude00";
const END = finish() + DONE;
const URL = "https://example.test";

const block = (fields: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields }] })}\n\n`;

/** Text of any characters, whole pairs and half pairs. */
const foreignText = fc
  .array(fc.constantFrom("a", " ", "é", "世", "😀", HALF, OTHER_HALF, "<think>", "![", "\\ud83d"))
  .map((pieces) => pieces.join(""));

describe("a reply with half a surrogate pair", () => {
  for (const [name, pieces, text] of [
    ["at its end", ["done ", HALF], "done \ufffd"],
    ["in the middle", [`a${HALF}`, "b"], "a\ufffdb"],
    ["that begins the reply", [`${OTHER_HALF}a`], "\ufffda"],
    ["whose other half is in the next delta", [`a${HALF}`, `${OTHER_HALF}b`], "a😀b"],
    ["of a whole character, which stays", ["a😀", "b"], "a😀b"],
  ] as const) {
    it(`is well-formed: ${name}`, async () => {
      const stream = replay(pieces.map(delta).concat(END));
      assert.equal((await askService(URL, "x", { fetch: stream })).text, text);
      const thinking = pieces.map((piece) => block({ reasoning_content: piece }));
      const thought = await askReplay([...thinking, delta("answer"), END]);
      assert.equal(
        thought.events
          .flatMap((event) => (event.type === "reasoning-delta" ? event.text : []))
          .join(""),
        text,
      );
      const whole = JSON.stringify({
        choices: [{ index: 0, message: { content: pieces.join("") } }],
      });
      const json = replay([whole], { headers: { "content-type": "application/json" } });
      assert.equal((await askService(URL, "x", { fetch: json })).text, text);
    });
  }

  it("has well-formed calls of tools", async () => {
    const [id, name] = [`id${HALF}`, `say${HALF}`];
    const call = (more: object) => block({ tool_calls: [{ index: 0, ...more }] });
    const pieces = [
      call({ id, function: { name, arguments: `{"a":"${HALF}` } }),
      call({ function: { arguments: `${OTHER_HALF} ${HALF}"}` } }),
    ];
    const { calls } = await askReplay([...pieces, END]);
    assert.deepEqual(calls, [
      { id: "id\ufffd", name: "say\ufffd", argumentsText: '{"a":"😀 \ufffd"}' },
    ]);
  });

  it("has only whole characters in each piece, so that a checkpoint or the page cuts none", () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const cut = fc.array(foreignText, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(cut, (pieces) => {
        const decoder = new StreamDecoder((text) => text);
        const encoder = new TextEncoder();
        const received = [...pieces.map(delta), END].map((event) =>
          decoder.push(encoder.encode(event)),
        );
        received.push(decoder.finish());
        for (const { text, reasoning } of received) {
          assert.ok(text.isWellFormed() && reasoning.isWellFormed(), JSON.stringify(text));
        }
        const collected = new WellFormedText();
        const joined = pieces.map((piece) => collected.push(piece)).join("") + collected.end();
        assert.equal(joined, pieces.join("").toWellFormed());
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe("a request with half a surrogate pair", () => {
  it("is well-formed in every text and name", () => {
    const parts = [{ type: "text", text: `a${HALF} \\ud83d "😀"` }] as const;
    const calls = [{ id: HALF, name: HALF, argumentsText: `{"a":"${HALF}"}` }];
    for (const kind of ["llm", "vl"] as const) {
      const encoded = encodeRequest({
        ...requestOf("x"),
        kind,
        modelCode: `m${HALF}`,
        messages: [
          { role: "system", parts },
          { role: "user", parts },
          { role: "assistant", parts, toolCalls: calls },
          { role: "tool", parts, toolCallId: HALF },
        ],
        tools: [{ name: HALF, description: HALF, parameters: { [`p${HALF}`]: HALF } }],
      });
      assert.ok(encoded.ok);
      assert.doesNotMatch(encoded.json, /[^\\]\\u[dD]/);
      const sent = JSON.stringify(JSON.parse(encoded.json));
      assert.ok(sent.includes('a\ufffd \\\\ud83d \\"😀\\"'), sent);
      assert.ok(sent.includes('"p\ufffd":"\ufffd"'), sent);
      assert.equal(JSON.stringify(JSON.parse(sent)), encoded.json);
    }
  });
});

describe("a record with half a surrogate pair", () => {
  it("is well-formed in the journal", async () => {
    const files = new MemoryFileSystem();
    const journal = openJournal(files);
    const created = { kind: "created", id: "c1", atMs: 1 } as const;
    await journal.append("c1", [created, question("q", null, `a${HALF}`)]);
    const text = Buffer.from(files.files.get("conversations/c1.jsonl")!).toString();
    assert.doesNotMatch(text, /\\ud83d/);
    assert.ok(text.includes('"a\ufffd"'), text);
  });
});
