/** The numbers of boxes never cover each other and are never cut, whatever the boxes. */
import assert from "node:assert/strict";
import { placeBadges } from "../../../src/webview/pointing/badgeLayout";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";

const sizeOf = (number: number) => ({ width: 11 + 7 * String(number).length, height: 18 });

describe("placeBadges", () => {
  const title = "keeps numbers apart and inside the picture, for random and identical boxes";
  itWithRounds(title, { quick: 45, all: 150 }, (rounds) => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < rounds; round++) {
      const area = { width: 150 + random(1_000), height: 100 + random(900) };
      const count = 1 + random(200);
      const shared = { x: random(area.width), y: random(area.height), width: 30, height: 20 };
      const boxes = Array.from({ length: count }, () => {
        if (round % 3 === 0) return shared;
        const x = random(area.width);
        const y = random(area.height);
        const isPoint = random(4) === 0;
        return {
          x,
          y,
          width: isPoint ? 0 : 1 + random(area.width - x),
          height: isPoint ? 0 : 1 + random(area.height - y),
        };
      });
      const sizes = boxes.map((_, index) => sizeOf(index + 1));
      const badges = placeBadges(boxes, sizes, area);
      const details = `seed ${seed}, round ${round}`;
      assert.equal(badges.length, count, details);
      const shown = badges.filter((badge) => badge !== undefined);
      for (const [index, a] of shown.entries()) {
        assert.ok(a.x >= 0 && a.y >= 0, details);
        assert.ok(a.x + a.width <= area.width && a.y + a.height <= area.height, details);
        for (const b of shown.slice(index + 1)) {
          const isApart =
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + a.height <= b.y ||
            b.y + b.height <= a.y;
          assert.ok(isApart, `${details}: ${JSON.stringify([a, b])}`);
        }
      }
      const cells = Math.floor(area.width / 32) * Math.floor(area.height / 18);
      // An anchor can take the room of up to four cells.
      if (count <= cells / 4) assert.equal(shown.length, count, details);
    }
  });

  it("puts a number at a side of its box, and inside only where no side has room", () => {
    const area = { width: 500, height: 300 };
    const size = sizeOf(1);
    const box = { x: 100, y: 50, width: 80, height: 40 };
    assert.deepEqual(placeBadges([box], [size], area), [{ x: 82, y: 50, ...size }]);
    const atEdge = { ...box, x: 5 };
    assert.deepEqual(placeBadges([atEdge], [size], area), [{ x: 5, y: 32, ...size }]);
    const whole = { x: 0, y: 0, ...area };
    assert.deepEqual(placeBadges([whole], [size], area), [{ x: 0, y: 0, ...size }]);
  });
});
