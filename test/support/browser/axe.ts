/**
 * Accessibility by axe-core, in any frame of any page. It is evaluated by the tools, so the page's own
 * policy stays as it is.
 */
import { readFile } from "node:fs/promises";
import type Axe from "axe-core";
import type { Locator } from "playwright-core";

/** Violations in the document of an element, one per line; empty for a document without any. */
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
