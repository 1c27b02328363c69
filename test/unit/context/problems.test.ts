import assert from "node:assert/strict";
import { problemsText } from "../../../src/context/problems";

describe("problemsText", () => {
  const problem = {
    severity: "warning",
    startLine: 3,
    message: "unused\n  value",
    source: "ts 6133",
  };

  it("lists the most severe first, one per line", () => {
    const text = problemsText([
      { ...problem, severity: "warning" },
      { severity: "error", startLine: 9, message: "no such name", source: "" },
    ]);
    assert.equal(text, "- line 9: error: no such name\n- line 3: warning (ts 6133): unused value");
  });

  it("counts the problems that it does not list", () => {
    const many = Array.from({ length: 60 }, () => ({ ...problem, severity: "hint" as const }));
    assert.equal(problemsText(many).split("\n").at(-1), "- and 10 more");
  });
});
