/** Everything is disposed once, in reverse order, even if a disposal throws. */
import assert from "node:assert/strict";
import { Disposables, toDisposable } from "../../../src/base/disposables";

describe("Disposables", () => {
  it("disposes in reverse order, once", () => {
    const order: number[] = [];
    const owned = new Disposables();
    for (const id of [1, 2, 3]) owned.add(toDisposable(() => order.push(id)));
    owned.dispose();
    owned.dispose();
    assert.deepEqual(order, [3, 2, 1]);
  });

  it("disposes everything although one item throws, and then reports it", () => {
    const owned = new Disposables();
    let count = 0;
    owned.add(toDisposable(() => count++));
    owned.add({
      dispose() {
        throw new Error("broken");
      },
    });
    owned.add(toDisposable(() => count++));
    assert.throws(() => owned.dispose(), /broken/);
    assert.equal(count, 2);
  });
});
