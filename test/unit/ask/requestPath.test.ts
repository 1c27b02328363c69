import assert from "node:assert/strict";
import { chooseModel } from "../../../src/ask/ask";
import { requestPath, type RequestPath } from "../../../src/ask/requestPath";
import { total } from "../../../src/context/budget";
import { picture } from "./longConversation";
import type { ExcerptPart, Message, Part, UserMessage } from "../../../src/conversation/message";

const LINES = Array.from({ length: 40 }, (_unused, index) => `  const line${index} = ${index};`);

function excerpt(startLine: number, endLine: number, rest: Partial<ExcerptPart> = {}): ExcerptPart {
  return {
    kind: "excerpt",
    path: "src/a.ts",
    uri: "file:///p/src/a.ts",
    languageId: "typescript",
    startLine,
    endLine,
    text: LINES.slice(startLine - 1, endLine).join("\n"),
    ...rest,
  };
}

function question(id: string, parts: Part[], rest: Partial<UserMessage> = {}): UserMessage {
  const text: Part = { kind: "text", text: `question ${id}` };
  return { role: "user", id, parentId: null, parts: [text, ...parts], sentAtMs: 0, ...rest };
}

function reply(id: string, status?: number): Message {
  return {
    role: "assistant",
    id,
    parentId: null,
    text: status === undefined ? "word ".repeat(50) : "",
    modelKind: "vl",
    modelCode: "core_vl",
    startedAtMs: 0,
    ...(status !== undefined && {
      ending: {
        kind: "failed" as const,
        failure: { kind: "rejected" as const, status, url: "", message: "invalid image" },
      },
    }),
  };
}

function request(path: readonly Message[], budgetTokens = 32_000): RequestPath {
  return requestPath(path, { takesPictures: true, otherTokens: 0, budgetTokens });
}

function partsOf({ path }: { path: readonly Message[] }) {
  return path.flatMap((message) =>
    message.role === "user" ? message.parts.map((part) => ({ id: message.id, part })) : [],
  );
}

function picturesOf(sent: RequestPath): string[] {
  return partsOf(sent).flatMap(({ part }) => (part.kind === "image" ? [part.name] : []));
}

function excerptsOf(sent: RequestPath): string[] {
  return partsOf(sent).flatMap(({ id, part }) => (part.kind === "excerpt" ? [id] : []));
}

describe("pictures of a request", () => {
  const accepted = [question("a", [picture("a.png")]), reply("ra")];
  const refused = [question("b", [picture("b.png")]), reply("rb", 400)];

  it("include those of earlier questions, so the model stays the vision model", () => {
    const path = [...accepted, question("z", [])];
    assert.deepEqual(picturesOf(request(path)), ["a.png"]);
    assert.equal(chooseModel("auto", path), "vl");
  });

  it("exclude those of a rejected request, which does not change the model", () => {
    const both = [...accepted, ...refused, question("z", [])];
    assert.deepEqual(picturesOf(request(both)), ["a.png"]);
    assert.equal(chooseModel("auto", both), "vl");
    const path = [...refused, question("z", [])];
    assert.deepEqual(picturesOf(request(path)), []);
    assert.equal(request(path).picturesLeftOut, 1);
    assert.equal(chooseModel("auto", path), "vl");
  });

  it("exclude those that the user removed, which selects the text model", () => {
    const key = "a.png".padEnd(64, "0");
    for (const left of [{ leavesPictures: [key] }, { leavesOlderPictures: true }]) {
      const path = [...accepted, question("y", [], left), reply("ry"), question("z", [])];
      assert.deepEqual(picturesOf(request(path)), []);
      assert.equal(request(path).picturesLeftOut, 1);
      assert.equal(chooseModel("auto", path), "llm", JSON.stringify(left));
    }
  });

  it("do not change the model when they are left out of one question or by the budget", () => {
    const once = [...accepted, question("z", [], { goesWithoutOlderPictures: true })];
    assert.deepEqual(picturesOf(request(once)), []);
    assert.equal(chooseModel("auto", once), "vl");
    const path = [...accepted, question("z", [])];
    assert.equal(request(path, 1).path.length, 3);
    assert.equal(chooseModel("auto", path), "vl");
  });
});

describe("excerpts of a request", () => {
  it("are sent once while they do not change", () => {
    const path = ["a", "b", "c"].flatMap((id) => [question(id, [excerpt(3, 20)]), reply(`r${id}`)]);
    const sentRequest = request(path.slice(0, -1));
    assert.deepEqual(excerptsOf(sentRequest), ["a"]);
    assert.equal(sentRequest.excerptsSentBefore, 1);
    const last = sentRequest.path.at(-1);
    assert.ok(last?.role === "user");
    const reference = last.parts.at(-1);
    assert.ok(reference?.kind === "note" && reference.text.startsWith("src/a.ts (lines 3-20)"));
  });

  it("are sent once also if an earlier one contains more lines", () => {
    const path = [question("a", [excerpt(1, 40)]), reply("ra"), question("b", [excerpt(3, 20)])];
    assert.deepEqual(excerptsOf(request(path)), ["a"]);
  });

  it("are sent again if their text, lines or problems differ", () => {
    const first = excerpt(3, 20);
    const changes: Partial<ExcerptPart>[] = [
      { text: `${first.text} // changed` },
      { startLine: 4, endLine: 21 },
      { problems: "- line 3: error: x" },
      { uri: "file:///q/src/a.ts" },
    ];
    for (const change of changes) {
      const path = [
        ...[question("a", [first]), reply("ra")],
        question("b", [{ ...first, ...change }]),
      ];
      assert.deepEqual(excerptsOf(request(path)), ["a", "b"], JSON.stringify(change));
      assert.equal(request(path).excerptsSentBefore, 0);
    }
  });

  it("are sent again if the lines changed in between and changed back", () => {
    const changed = excerpt(3, 20, { text: "changed" });
    const path = [
      ...[question("a", [excerpt(3, 20)]), reply("ra"), question("b", [changed]), reply("rb")],
      question("c", [excerpt(3, 20)]),
    ];
    assert.deepEqual(excerptsOf(request(path)), ["a", "b", "c"]);
  });

  it("are sent again if the budget leaves out the turn that contained them", () => {
    const turns = ["a", "b", "c", "d"].flatMap((id) => [
      question(id, [excerpt(3, 20)]),
      reply(`r${id}`),
    ]);
    const path = turns.slice(0, -1);
    const most = total(request(path).cost);
    for (let budget = 1; budget <= most; budget += 7) {
      const sentRequest = request(path, budget);
      assert.equal(excerptsOf(sentRequest).length, 1, `budget ${budget}`);
      assert.equal(excerptsOf(sentRequest)[0], sentRequest.path[0]?.id, `budget ${budget}`);
      assert.equal(
        sentRequest.path.filter(({ role }) => role === "user").length + sentRequest.turnsLeftOut,
        4,
      );
    }
  });
});
