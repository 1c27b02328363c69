/** Tests the context meter in themes of few colors, and the alignment of tables. */
import assert from "node:assert/strict";
import { question, reply, meterOf } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const METER = meterOf({ history: 20_000, pictures: 100 });

const TALK = [question("q1", "How much is it?"), reply("r1", "Nine.\n\n".repeat(20))];

describe("the context meter in high contrast", () => {
  const open = usePanel();

  for (const theme of ["highContrast", "highContrastLight"] as const) {
    it(`shows the used part in ${theme}`, async () => {
      const host = await open({ theme, shown: { messages: TALK } });
      await host.send({ type: "meter-changed", meter: METER });
      const bar = host.page.getByRole("meter");
      await bar.waitFor();
      const [track, used] = await bar.evaluate((element) =>
        [".ring-track", ".ring-used"].map((name) => {
          const { stroke, strokeWidth } = getComputedStyle(element.querySelector(name)!);
          return { stroke, width: parseFloat(strokeWidth) };
        }),
      );
      // Both parts have the same color: the ring is a thin line, its used part a thick line.
      assert.ok(track!.width < used!.width / 2);
      assert.notEqual(used!.stroke, "none");
    });
  }
});

describe("tables of a reply", () => {
  const open = usePanel();

  it("align their columns by the reply's Markdown", async () => {
    const table = "|a|b|c|d|\n|---:|:---:|:---|---|\n|1|2|3|4|\n";
    const host = await open({ shown: { messages: [question("q1", "?"), reply("r1", table)] } });
    await host.page.locator(".reply-body td").first().waitFor();
    const aligned = (tag: string) =>
      host.page
        .locator(`.reply-body ${tag}`)
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
    const shownAs = (await aligned("td")).map((value) => value.replace("-webkit-", ""));
    assert.deepEqual(shownAs, ["right", "center", "left", "start"]);
    const heads = (await aligned("th")).map((value) => value.replace("-webkit-", ""));
    assert.deepEqual(heads, ["right", "center", "left", "start"]);
  });
});
