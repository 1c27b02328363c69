/**
 * Runs axe-core in a frame of any page. Playwright evaluates axe-core, so the page's own policy
 * need not allow it.
 */
import { readFile } from "node:fs/promises";
import type Axe from "axe-core";
import type { Locator } from "playwright-core";

/** Rules of axe-core whose result depends on the theme. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Returns the violations in an element's document, one per line; empty without violations. Checks
 * only `rules`, if given.
 */
export async function violationsAround(element: Locator, rules?: string[]): Promise<string[]> {
  // A document needs the script, which is half a megabyte, only once.
  const isLoaded = await element.evaluate(() => "axe" in window);
  const source = isLoaded ? "" : await readFile("node_modules/axe-core/axe.min.js", "utf8");
  return element.evaluate(
    async ({ ownerDocument }, { script, runOnly }) => {
      const scope = window as unknown as { axe?: typeof Axe };
      if (script !== "") (0, eval)(script);
      // WCAG 2.2 AA; axe-core has this rule off by default.
      const rules = { "target-size": { enabled: true } };
      const resultTypes = ["violations" as const];
      const options = { resultTypes, ...(runOnly ? { runOnly } : { rules }) };
      const { violations } = await scope.axe!.run(ownerDocument, options);
      // Boxes in a picture can overlap. Then a number in the text, or the zoom, is the equivalent
      // (WCAG 2.5.8). Each box must be large enough without the others.
      const hasEquivalent = (target: unknown) => {
        const box = ownerDocument.querySelector<HTMLElement>(String(target));
        if (box === null || !box.matches(".point-box")) return false;
        const { width, height } = box.getBoundingClientRect();
        const mark = `.point-mark[data-point="${box.dataset["point"]}"]`;
        const other = box.closest("dialog")?.querySelector(".picture-zoom");
        return width >= 24 && height >= 24 && Boolean(other ?? ownerDocument.querySelector(mark));
      };
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .filter(({ target: [target] }) => id !== "target-size" || !hasEquivalent(target))
          .map(({ html, failureSummary = "" }) => `${id}: ${html}: ${failureSummary}`),
      );
    },
    { script: source, runOnly: rules },
  );
}
