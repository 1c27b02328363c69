/**
 * An edit that also changes lines of its file around the lines that were selected, and the indentation of
 * new lines.
 */
import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/ask/ask";
import { EditSession } from "../../../src/edit/editSession";
import { PendingEdit } from "../../../src/edit/pendingEdit";
import { ManualClock } from "../../support/fakes/manualClock";
import { FakeDocument } from "./fakeDocument";

const BEFORE = ['import { one } from "./one";', "", "function first() {", "  return one;", "}", ""];
const TARGET = ["function second() {", "  return 2;", "}"];
const AFTER = ["", "first();", ""];

const FIRST = [
  "```ts",
  'import { two } from "./two";',
  "```",
  "```ts",
  "function second() {",
  "  return two;",
  "}",
  "```",
];
const REFINED = ["```ts", "function second() {", "  return two + one;", "}", "```"];

function open(...replies: (readonly string[])[]) {
  return openAt({ before: BEFORE, lines: TARGET, after: AFTER }, replies);
}

interface Place {
  readonly before: readonly string[];
  readonly lines: readonly string[];
  readonly after: readonly string[];
}

function openAt({ before, lines, after }: Place, replies: (readonly string[])[]) {
  const clock = new ManualClock();
  const document = new FakeDocument("", [...before, ...lines, ...after].join("\n"), "");
  const start = before.join("\n").length + 1;
  const session = new EditSession({ start, lines, eol: "\n", version: 1 }, document, clock);
  document.sessions.push(session);
  const style = {
    indent: { usesTabs: false, size: 2 },
    isProse: false,
    languageId: "typescript",
    before,
    after,
  };
  const edit = new PendingEdit(session, style, {
    async *ask(): AsyncGenerator<TurnEvent> {
      yield { type: "text-delta", text: replies.shift()?.join("\n") ?? "" };
      yield await Promise.resolve({ type: "turn-ended", ending: { kind: "complete" } });
    },
    changed: () => undefined,
    clean: (line) => line,
    nowMs: () => clock.nowMs(),
  });
  const ask = async () => {
    const finished = edit.ask([{ kind: "text", text: "edit" }]);
    let report: Awaited<typeof finished>;
    void finished.then((result) => (report = result));
    while (report === undefined) await document.settle();
    return report;
  };
  return { document, session, edit, ask, clock };
}

describe("an edit that changes its file around the selection", () => {
  const added = [BEFORE[0], 'import { two } from "./two";', ...BEFORE.slice(1)];
  const changed = ["function second() {", "  return two;", "}"];

  it("adds the import of the reply, and one undo removes both", async () => {
    const { document, ask } = open(FIRST);
    const original = document.text;
    await ask();
    assert.equal(document.text, [...added, ...changed, ...AFTER].join("\n"));
    document.undo();
    assert.equal(document.text, original);
  });

  it("never removes lines between, when a write is on its way while the reply ends", async () => {
    const reply = ["```ts", 'import { two } from "./two";', "", ...changed, "```", ""];
    const { document, edit, clock } = open(reply);
    const asking = edit.ask([{ kind: "text", text: "edit" }]);
    let report: Awaited<typeof asking>;
    void asking.then((result) => (report = result));
    let writes = 0;
    while (report === undefined) {
      await Promise.resolve();
      clock.advance(1_000);
      if (document.waitingWrites === 0) continue;
      // The reply goes on while the write is on its way.
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      document.answerWrite();
      writes++;
      assert.ok(document.text.includes(BEFORE.slice(1).join("\n")), document.text);
    }
    assert.ok(writes > 1, `${writes} writes`);
    assert.equal(document.text, [...added, ...changed, ...AFTER].join("\n"));
  });

  it("is discarded as a whole", async () => {
    const { document, session, ask } = open(FIRST);
    const original = document.text;
    await ask();
    const discarding = session.discard();
    await document.settle();
    assert.ok(await discarding);
    assert.equal(document.text, original);
  });

  it("keeps the lines between, when a next reply has the function only", async () => {
    const { document, ask } = open(FIRST, REFINED);
    await ask();
    const report = await ask();
    assert.equal(report.rejection, undefined);
    const refined = ["function second() {", "  return two + one;", "}"];
    assert.equal(document.text, [...added, ...refined, ...AFTER].join("\n"));
  });

  it("writes nothing when the lines around were changed meanwhile", async () => {
    const { document, edit, ask } = open(FIRST);
    document.type(0, 0, "// typed\n");
    document.type(document.text.indexOf("return one;"), 0, "/* typed */ ");
    const before = document.text;
    const report = await ask();
    assert.equal(report.rejection, "diff");
    assert.equal(document.text, before);
    edit.dispose();
  });
});

describe("an edit at a blank line", () => {
  for (const [blank, indent] of [
    ["", "  "],
    ["      ", "      "],
  ]) {
    it(`begins where the line of ${blank?.length} blanks does, or else as the lines around`, async () => {
      const place = {
        before: ["function f() {"],
        lines: [blank ?? ""],
        after: ["  return 1;", "}"],
      };
      const { document, ask } = openAt(place, [["```ts", "log(1);", "```"]]);
      await ask();
      assert.equal(document.text, `function f() {\n${indent}log(1);\n  return 1;\n}`);
    });
  }

  const code = (text: string) => text.split("|");
  for (const [title, before, reply, after, result] of [
    ["between two functions", "f() {|}", "g() {|}", "h() {|}", "f() {|}||g() {|}||h() {|}"],
    ["that is one of two", "f() {|}|", "g() {|}", "h() {|}", "f() {|}||g() {|}||h() {|}"],
    ["above the first function", "class A {", "  g() {|  }", "}", "class A {|  g() {|  }|}"],
    [
      "between statements",
      "f() {|  a();",
      "  if (b) {|  }",
      "  c();|}",
      "f() {|  a();|  if (b) {|  }|  c();|}",
    ],
    ["as far from it as others", "a;|||f() {|}|", "g() {|}", "", "a;|||f() {|}|||g() {|}|"],
  ] as const)
    it(`keeps the empty lines around a declaration ${title}`, async () => {
      const place = { before: code(before), lines: [""], after: code(after) };
      const { document, ask } = openAt(place, [["```ts", ...code(reply), "```"]]);
      await ask();
      assert.deepEqual(document.text.split("\n"), code(result));
    });
});
