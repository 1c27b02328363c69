/** Where a block of a reply belongs in a document, and what would stand there. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isLeftOut } from "../../../src/inline/blockAlignment";
import { blockLines, placesForBlock } from "../../../src/inline/placeForBlock";

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

/** The document with the block in its only place; undefined when the place is not clear. */
function applied(document: string, block: string, indent = SPACES): string | undefined {
  const lines = document.split("\n");
  const places = placesForBlock(lines, blockLines(block), indent);
  const [place] = places;
  if (place === undefined || places.length > 1) return undefined;
  const { startLine, endLine } = place;
  return [...lines.slice(0, startLine), ...place.lines, ...lines.slice(endLine)].join("\n");
}

describe("the place for a block", () => {
  it("is where it stands already, when nothing of it is new", () => {
    const block = "  total(): number {\n    let sum = 0;\n";
    assert.equal(applied(CART, block), CART);
    assert.equal(applied(CART, CART), CART);
  });

  it("is the function of which it is another version", () => {
    const block = `  total(): number {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price * item.count * (1 - item.discount);
    }
    return round(sum);
  }
`;
    assert.equal(
      applied(CART, block),
      CART.replace("item.count;", "item.count * (1 - item.discount);"),
    );
  });

  it("is found when the reply indents from the left margin", () => {
    const block = `total(): number {
  let sum = 0;
  for (const item of this.items) {
    if (item.isGift) continue;
    sum += item.price * item.count;
  }
  return round(sum);
}
`;
    assert.equal(
      applied(CART, block),
      CART.replace("      sum +=", "      if (item.isGift) continue;\n      sum +="),
    );
  });

  it("is found when the first line was reworded and the body is another", () => {
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

  it("keeps the code a block says it leaves out", () => {
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

  it("is none for code that is new to the document", () => {
    assert.equal(applied(CART, "def main():\n    print('hello')\n"), undefined);
    assert.equal(applied("", "a = 1\n"), undefined);
    assert.equal(applied("a\n", ""), undefined);
  });

  it("is none when two places are as good", () => {
    const twice = "test('a', () => {\n  check(1);\n});\n\ntest('a', () => {\n  check(1);\n});\n";
    const places = placesForBlock(
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

  it("writes tabs where the document has tabs", () => {
    const document = "func main() {\n\tif ok {\n\t\trun()\n\t}\n\tstop()\n}\n";
    const block =
      "func main() {\n    if ok {\n        run()\n        wait()\n    }\n    stop()\n}\n";
    assert.equal(
      applied(document, block, { usesTabs: true, size: 4 }),
      document.replace("run()", "run()\n\t\twait()"),
    );
  });

  it("gives up on texts too long to compare, at once", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    assert.deepEqual(placesForBlock(long, long, SPACES), []);
  });

  it("is found for any lines taken out of a document with one of them changed", () => {
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

describe("a line that stands for code left out", () => {
  const check = (line: string, isSo: boolean) => assert.equal(isLeftOut(line), isSo, line);

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
    ]) {
      check(line, true);
    }
    for (const line of [
      "...args",
      "  ...options,",
      "f(...rest);",
      "// three dots are ... hard",
      "# a comment",
      "",
      "return ...",
    ]) {
      check(line, false);
    }
  });
});
