/** Files of the parts of a question, and their removal where the organization never sends them. */
import assert from "node:assert/strict";
import { filesOf, withoutNeverSent } from "../../../src/conversation/filesOf";
import { partSchema, type ExcerptPart, type Part } from "../../../src/conversation/message";

const excerpt = (name: string): ExcerptPart => ({
  kind: "excerpt",
  path: name,
  uri: `file:///${name}`,
  languageId: "ts",
  startLine: 3,
  endLine: 4,
  problems: `problems of ${name}`,
  text: `text of ${name}`,
});
const PICTURE: Part = {
  kind: "image",
  hash: "a".repeat(64),
  mediaType: "image/png",
  widthPx: 1,
  heightPx: 1,
  bytes: 1,
  name: "a.png",
};
/** One part of each kind. */
const PARTS: readonly Part[] = [
  { kind: "text", text: "Why?" },
  { kind: "note", source: "text", label: "a", text: "a" },
  PICTURE,
  { kind: "image-address", url: "https://pictures.example/a.png" },
  excerpt("secret.ts"),
  { kind: "related", relation: "callers", items: [excerpt("open.ts"), excerpt("secret.ts")] },
];

describe("filesOf", () => {
  it("returns the excerpts of each kind of part", () => {
    const kinds = partSchema.def.options.map((option) => option.def.shape.kind.def.values[0]);
    assert.deepEqual(PARTS.map(({ kind }) => kind).sort(), kinds.sort());
    assert.deepEqual(
      PARTS.map((part) => filesOf(part).map(({ path }) => path)),
      [[], [], [], [], ["secret.ts"], ["open.ts", "secret.ts"]],
    );
  });
});

describe("withoutNeverSent", () => {
  it("removes text and problems of a file in every part that has it, and nothing else", () => {
    const neverSent = new Set(["file:///secret.ts"]);
    const allowed = PARTS.map((part) => withoutNeverSent(part, neverSent));
    assert.doesNotMatch(JSON.stringify(allowed), /(?:text|problems) of secret/);
    assert.match(JSON.stringify(allowed), /text of open\.ts/);
    assert.deepEqual(allowed.slice(0, 4), PARTS.slice(0, 4));
  });
});
