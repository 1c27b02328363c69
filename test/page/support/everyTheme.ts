/** Runs axe-core on a page in every theme. */
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
