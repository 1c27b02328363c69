/**
 * Runs axe-core in a frame of any page. Playwright evaluates axe-core, so the page's own policy
 * need not allow it.
 */
import { readFile } from "node:fs/promises";
import type Axe from "axe-core";
import type { Locator } from "playwright-core";

/** Returns the violations in an element's document, one per line; empty without violations. */
export async function violationsAround(element: Locator): Promise<string[]> {
  const source = await readFile("node_modules/axe-core/axe.min.js", "utf8");
  return element.evaluate(async ({ ownerDocument }, script) => {
    const scope = window as unknown as { axe?: typeof Axe };
    if (scope.axe === undefined) (0, eval)(script);
    const { violations } = await scope.axe!.run(ownerDocument);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id}: ${html}: ${failureSummary}`),
    );
  }, source);
}
