/** Tests which files imports mean, by their text. */
import assert from "node:assert/strict";
import { lineDeclaring, namesInSentence } from "../../../src/context/declaredName";
import { importedPaths } from "../../../src/context/importedPaths";

describe("importedPaths", () => {
  /** Language, line, names, base, and a candidate that must be among the first. */
  const CASES: readonly (readonly [string, string, string, string, string])[] = [
    ["python", "from models import Row", "Row", "ancestors", "models.py"],
    ["python", "from shop.models import Row as R, Cart", "Cart", "ancestors", "shop/models.py"],
    ["python", "from .views import (", "Row", "folder", "views.py"],
    ["python", "from ..core import money", "money", "folder", "../core/money.py"],
    ["python", "import shop.prices as prices", "prices", "ancestors", "shop/prices.py"],
    ["go", '\t"example.com/shop/internal/store"', "store", "ancestors", "internal/store/"],
    ["go", 'import db "example.com/shop/store"', "db", "ancestors", "store/"],
    ["rust", "use crate::money::{euros, Money};", "Money", "src", "money.rs"],
    ["rust", "pub use super::cart::Item;", "Item", "folder", "../cart.rs"],
    ["rust", "use crate::{money, cart::Item};", "Item", "src", "cart/mod.rs"],
    ["rust", "mod store;", "store", "folder", "store.rs"],
    ["java", "import com.shop.Item;", "Item", "ancestors", "com/shop/Item.java"],
    ["java", "import static com.shop.Prices.euros;", "euros", "ancestors", "com/shop/Prices.java"],
    ["java", "import com.shop.*;", "Item", "ancestors", "com/shop/Item.java"],
  ];
  for (const [language, line, name, base, expected] of CASES) {
    it(`finds ${expected} for ${line.trim()}`, () => {
      const found = importedPaths(language, ["x", line], new Set([name]));
      const match = found?.find(({ candidates }) => candidates.includes(expected));
      assert.equal(match?.base, base, JSON.stringify(found));
    });
  }

  it("ignores imports of names that the code does not use, and other languages", () => {
    const lines = ["from models import Row", "import os", "import com.shop.Item;"];
    assert.deepEqual(importedPaths("python", lines, new Set(["total"])), []);
    assert.equal(importedPaths("typescript", lines, new Set(["Row"])), undefined);
  });
});

describe("lineDeclaring", () => {
  const lines = [
    "// type Store is described here",
    "type StoreOptions struct {",
    "type Store interface {",
    "func (s *memory) Get(id string) Item {",
    "    def total(self) -> int:",
    "pub(crate) fn euros(cents: i64) -> Money {",
    "print(total)",
  ];
  for (const [name, line] of [
    ["Store", 2],
    ["Get", 3],
    ["total", 4],
    ["euros", 5],
    ["Item", undefined],
  ] as const) {
    it(`finds ${name}`, () => assert.equal(lineDeclaring(name, lines), line));
  }
});

describe("namesInSentence", () => {
  it("returns words with a capital, an underscore or a digit", () => {
    const text = "Make it use Store and row_count of utf8, not the old list";
    assert.deepEqual(namesInSentence(text, 8), ["Make", "Store", "row_count", "utf8"]);
  });
});
