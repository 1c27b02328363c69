/** Finds the target range of a reply's code block in a document, and the new text of that range. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isLeftOut, standingForCode } from "../../../src/replyCode/placeholders";
import { isPatch } from "../../../src/replyCode/patch";
import { linesAfterBlock } from "../../../src/replyCode/changeSet";
import { withoutBlankEnds } from "../../../src/replyCode/lines";
import { rangeOfChange, findTargets } from "../../../src/replyCode/findTarget";

const SPACES = { usesTabs: false, size: 2 };

const CART = `import { round } from "./money";

export class Cart {
  private readonly items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  total(): number {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price * item.count;
    }
    return round(sum);
  }

  clear(): void {
    this.items.length = 0;
  }
}
`;

const blockLines = (text: string) => withoutBlankEnds(text.split("\n"));

/** Returns the document with the block applied; undefined if there is no unique target. */
function applied(document: string, block: string, indent = SPACES): string | undefined {
  const lines = document.split("\n");
  const places = findTargets(lines, blockLines(block), indent);
  const [place] = places;
  if (place === undefined || places.length > 1) return undefined;
  const { startLine, endLine } = place;
  return [...lines.slice(0, startLine), ...place.lines, ...lines.slice(endLine)].join("\n");
}

describe("the target range of a block", () => {
  const TOTAL = CART.slice(CART.indexOf("  total()"), CART.indexOf("\n  clear()"));
  const DISCOUNT = "count * (1 - item.discount);";
  const GIFT = "      if (item.isGift) continue;\n      sum +=";
  const CLEAR =
    "class Cart {|  // ...|  clear(): void {|    this.items.length = 0;|    a();|  }|  // ...|}";

  for (const [title, block, old, text] of [
    ["is the existing position of the block if nothing in it is new", TOTAL, "", ""],
    ["is the whole document that it repeats", CART, "", ""],
    [
      "is the function of which it is a different version",
      TOTAL.replace("count;", DISCOUNT),
      "count;",
      DISCOUNT,
    ],
    [
      "is found when the reply indents from the left margin",
      TOTAL.replace("      sum +=", GIFT).replaceAll(/^ {2}/gm, ""),
      "      sum +=",
      GIFT,
    ],
    [
      "keeps each brace's indentation if code is omitted at both ends of a class",
      CLEAR.replaceAll("|", "\n"),
      "length = 0;",
      "length = 0;\n    a();",
    ],
  ] as const)
    it(title, () => {
      const expected = CART.replace(old, text);
      const isClass = block.startsWith("class");
      assert.equal(
        applied(CART, block),
        isClass ? expected.replace("export class", "class") : expected,
      );
    });

  for (const [document, block] of [
    [CART, "def main():\n    print('hello')\n"],
    ["", "a = 1\n"],
    ["a\n", ""],
  ] as const)
    it(`is undefined for code that is new to the document: ${block.slice(0, 5)}`, () => {
      assert.equal(applied(document, block), undefined);
    });

  it("is found if the first line was reworded and the body is different", () => {
    const block = `  async total(currency: string): Promise<number> {
    let sum = 0;
    for (const item of this.items) {
      sum += await convert(item.price * item.count, currency);
    }
    return round(sum);
  }
`;
    const result = applied(CART, block) ?? "";
    assert.equal(result.match(/total\(/g)?.length, 1);
    assert.match(result, /async total\(currency/);
    assert.match(result, / {2}clear\(\): void/);
  });

  it("keeps the code that a block omits with a placeholder", () => {
    const block = `export class Cart {
  private readonly items: Item[] = [];
  private readonly coupons: Coupon[] = [];

  // ... existing code ...

  clear(): void {
    this.items.length = 0;
    this.coupons.length = 0;
  }
}
`;
    const result = applied(CART, block) ?? "";
    assert.match(result, /coupons: Coupon\[\] = \[\];\n\n {2}add\(item/);
    assert.match(result, /return round\(sum\);\n {2}\}\n/);
    assert.match(result, /coupons\.length = 0;\n {2}\}\n\}\n$/);
    assert.doesNotMatch(result, /existing code/);
  });

  const REMOVE = `class Cart {
  remove(id: string): boolean {
    const at = this.items.findIndex((item) => item.id === id);
    if (at === -1) return false;
    this.items.splice(at, 1);
    return true;
  }
}
`;

  it("loses no line if a block omits code before identical lines", () => {
    const block = `remove(id: string): boolean {
  // ...rest of the method unchanged
  this.items.splice(at, 1);
  this.changed();
  return true;
}
`;
    assert.equal(applied(REMOVE, block), REMOVE.replace("1);\n", "1);\n    this.changed();\n"));
  });

  it("is undefined for a method that the class does not have", () => {
    const block = blockLines(
      "rename(id: string, name: string): void {\n  find(id).name = name;\n}\n",
    );
    assert.deepEqual(findTargets(CART.split("\n"), block, SPACES), []);
  });

  it("is undefined if two positions match equally", () => {
    const twice = "test('a', () => {\n  check(1);\n});\n\ntest('a', () => {\n  check(1);\n});\n";
    const places = findTargets(
      twice.split("\n"),
      blockLines("test('a', () => {\n  check(2);\n});\n"),
      SPACES,
    );
    assert.deepEqual(
      places.map(({ startLine, endLine }) => [startLine, endLine]),
      [
        [0, 3],
        [4, 7],
      ],
    );
  });

  it("uses tabs if the document has tabs", () => {
    const document = "func main() {\n\tif ok {\n\t\trun()\n\t}\n\tstop()\n}\n";
    const block =
      "func main() {\n    if ok {\n        run()\n        wait()\n    }\n    stop()\n}\n";
    assert.equal(
      applied(document, block, { usesTabs: true, size: 4 }),
      document.replace("run()", "run()\n\t\twait()"),
    );
  });

  it("is undefined for texts that are too long to compare, immediately", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    assert.deepEqual(findTargets(long, long, SPACES), []);
  });

  it("is found for any lines of a document with one of them changed", () => {
    const lines = CART.split("\n");
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 10 }),
        fc.integer({ min: 2, max: 5 }),
        (from, length) => {
          const block = lines.slice(from, from + length + 3);
          block.splice(2, 0, "    const brandNew = somethingElse();");
          const result = applied(CART, block.join("\n"));
          const expected = [...lines];
          expected.splice(from + 2, 0, "    const brandNew = somethingElse();");
          assert.equal(result, expected.join("\n"));
        },
      ),
    );
  });
});

describe("a diff in a reply", () => {
  const patched = (document: string, diff: string) => {
    const lines = document.split("\n");
    const after = linesAfterBlock(blockLines(diff), "src/cart.ts", lines);
    return typeof after === "string" ? undefined : after.join("\n");
  };
  const RESULT = CART.replace("let sum = 0;", "let sum = this.start;");

  it("changes the lines that it contains, with any line numbers and paths", () => {
    const diff = `diff --git a/x.ts b/x.ts
--- a/x.ts
+++ b/x.ts
@@ -901,3 +901,3 @@
   total(): number {
-    let sum = 0;
+    let sum = this.start;
     for (const item of this.items) {
`;
    assert.equal(patched(CART, diff), RESULT);
  });

  it("is read as a SEARCH/REPLACE block and as a patch of its own format", () => {
    const search = `src/cart.ts
<<<<<<< SEARCH
    let sum = 0;
=======
    let sum = this.start;
>>>>>>> REPLACE
`;
    const patchStart = `*** Begin Patch
*** Update File: src/cart.ts
@@ class Cart
-    let sum = 0;
+    let sum = this.start;
*** End Patch
`;
    assert.equal(patched(CART, search), RESULT);
    assert.equal(patched(CART, patchStart), RESULT);
  });

  it("is not applied if one of its lines is missing or ambiguous", () => {
    assert.equal(patched(CART, "@@ -1 +1 @@\n-  let other = 0;\n+  let more = 0;\n"), undefined);
    assert.equal(patched("a = 1\nb = 2\na = 1\n", "@@ -1 +1 @@\n-a = 1\n+a = 2\n"), undefined);
  });

  it("is not detected in code", () => {
    assert.equal(isPatch(["const a = 1;", "- b", "+ c"]), false);
    assert.equal(isPatch(["- item", "- item"]), false);
  });
});

describe("a placeholder for omitted code", () => {
  const check = (line: string, isPlaceholder: boolean) =>
    assert.equal(isLeftOut(line), isPlaceholder, line);

  it("is three dots, alone or in a comment", () => {
    for (const line of [
      "...",
      "  …",
      "// ...",
      "// ... existing code ...",
      "    # ... rest of the function",
      "/* ... */",
      "<!-- ... other elements ... -->",
      "{/* ... existing markup ... */}",
      "-- ... unchanged",
      "// ... 其余代码不变 ...",
      "// ... остальной код без изменений",
      "// ... Rest unverändert ...",
    ]) {
      check(line, true);
    }
    for (const line of [
      "...args",
      "  ...options,",
      "f(...rest);",
      "// rest of the code unchanged",
      "// three dots are ... hard",
      "# a comment",
      "// keep the rest of the list sorted",
      "// the same key again is an error",
      "# existing users keep their name",
      "",
      "return ...",
    ]) {
      check(line, false);
    }
  });

  it("is any comment that stands in place of code", () => {
    const loop = ["for (const one of all) {", "  sum += one;", "}"];
    for (const comment of ["// keep existing code", "// 省略", "// the loop is unchanged"]) {
      assert.ok(standingForCode([comment], loop, ["return sum;"]), comment);
    }
    assert.ok(standingForCode(["sum = 0;", "// rest"], ["sum = 1;", ...loop], ["}"]));
  });

  it("is no comment above code, and no code that was commented out", () => {
    const loop = ["for (const one of all) {", "  sum += one;", "}"];
    const added = ["// Adds all.", "sum = all.reduce((a, b) => a + b, 0);"];
    assert.ok(!standingForCode(added, loop, ["return sum;"]));
    assert.ok(
      !standingForCode(
        loop.map((line) => `// ${line}`),
        loop,
        ["return sum;"],
      ),
    );
    assert.ok(!standingForCode(["// nothing was here"], [], ["return sum;"]));
  });
});

describe("range of a change", () => {
  it("leaves no blank line where lines are only removed", () => {
    const document = ["a", "b", "c", ""];
    for (const changed of [
      ["a", "c", ""],
      ["b", "c", ""],
      ["a", "b", ""],
      ["x", ...document],
    ]) {
      const { startLine, endLine, lines } = rangeOfChange(document, changed);
      assert.notEqual(startLine, endLine);
      assert.notDeepEqual(lines, []);
      assert.deepEqual(document.toSpliced(startLine, endLine - startLine, ...lines), changed);
    }
  });
});
