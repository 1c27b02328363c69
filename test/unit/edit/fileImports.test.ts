/** Imports that are sent with an edit further down in the file. */
import assert from "node:assert/strict";
import { editQuestion } from "../../../src/edit/editPrompt";
import { importsAbove } from "../../../src/edit/fileImports";

function source(...lines: string[]) {
  return { path: "a.ts", uri: "file:///a.ts", languageId: "typescript", lines };
}

describe("importsAbove", () => {
  it("finds the imports of common languages, with the lines between them", () => {
    for (const [first, last] of [
      ["import a from 'a';", "} from 'b';"],
      ["import os", "from b import c"],
      ["#include <stdio.h>", '#include "b.h"'],
      ["using System;", "using A.B;"],
      ["use std::io;", "use crate::{a, b};"],
      ["const a = require('a');", "const b = require('b');"],
    ] as const) {
      const part = importsAbove(source("// licence", first, "", last, "code", "more"), 5);
      assert.equal(part?.text, [first, "", last].join("\n"));
      assert.deepEqual([part.startLine, part.endLine], [2, 4]);
    }
  });

  it("returns no imports from the included lines or from a file without imports", () => {
    assert.equal(importsAbove(source("a", "import b"), 2), undefined);
    assert.equal(importsAbove(source("important()", "user = 1"), 3), undefined);
  });

  it("returns imports that come first in the question of an edit", () => {
    const file = source("import a from 'a';", "x", "y");
    const imports = importsAbove(file, 3);
    const { path, uri, languageId } = file;
    const place = { path, uri, languageId, startLine: 3, endLine: 3 };
    const target = { kind: "excerpt", ...place, text: "y" } as const;
    const instruction = "shout";
    const parts = editQuestion({
      kind: "rewrite",
      instruction,
      target,
      problems: "",
      ...(imports && { imports }),
    });
    assert.deepEqual(
      parts.flatMap((part) => (part.kind === "excerpt" ? part.text : [])),
      ["import a from 'a';", "y"],
    );
  });
});
