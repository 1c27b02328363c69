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
  const source = await readFile("node_modules/axe-core/axe.min.js", "utf8");
  return element.evaluate(
    async ({ ownerDocument }, { script, runOnly }) => {
      const scope = window as unknown as { axe?: typeof Axe };
      if (scope.axe === undefined) (0, eval)(script);
      const options = { resultTypes: ["violations" as const], ...(runOnly && { runOnly }) };
      const { violations } = await scope.axe!.run(ownerDocument, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = "" }) => `${id}: ${html}: ${failureSummary}`),
      );
    },
    { script: source, runOnly: rules },
  );
}
