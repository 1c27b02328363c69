/** Runs axe-core on a page in every theme. */
import assert from "node:assert/strict";
import { ALL } from "../../support/depth";
import { COLOR_RULES, violationsAround } from "../../support/browser/axe";
import type { FakeHost } from "./fakeHost";
import { type ThemeName } from "./panelServer";
import themes from "./themes.json";

/** Themes of the quick run: one of many colors, one of few. */
export const QUICK_THEMES = ["dark2026", "highContrast"] as const satisfies readonly ThemeName[];

export const OTHER_THEMES = (Object.keys(themes) as ThemeName[]).filter(
  (theme) => !QUICK_THEMES.some((quick) => quick === theme),
);

/**
 * Registers the tests that a state has no violations in the themes of the quick run, and in the others.
 *
 * @param openState opens the panel in a theme and reaches the state
 */
export function itHasNoViolations(
  title: string,
  openState: (theme: ThemeName) => Promise<FakeHost>,
): void {
  const register = (name: string, themesToShow: readonly ThemeName[]) =>
    it(`has no axe violations ${name}`, async () => {
      const host = await openState(themesToShow[0] ?? "dark2026");
      assert.deepEqual(await violationsInThemes(host, themesToShow), []);
    });
  register(title, QUICK_THEMES);
  register(`${title}, in the other themes ${ALL}`, OTHER_THEMES);
}

/**
 * Returns the violations of a page, one per line: of all rules in the theme that it shows, and of
 * the rules about colors in the other themes, to which it changes in place.
 */
export async function violationsInThemes(
  host: FakeHost,
  themesToShow: readonly ThemeName[] = QUICK_THEMES,
): Promise<string[]> {
  const body = host.page.locator("body");
  const violations = (await violationsAround(body)).map((line) => `${host.theme}: ${line}`);
  for (const theme of themesToShow.filter((name) => name !== host.theme)) {
    await host.changeTheme(theme);
    const inTheme = await violationsAround(body, COLOR_RULES);
    violations.push(...inTheme.map((line) => `${theme}: ${line}`));
  }
  return violations;
}
