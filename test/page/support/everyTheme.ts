/** Runs axe-core on a page in every theme. */
import { COLOR_RULES, violationsAround } from "../../support/browser/axe";
import type { FakeHost } from "./fakeHost";
import { type ThemeName } from "./panelServer";
import themes from "./themes.json";

export const THEMES = Object.keys(themes) as ThemeName[];

/**
 * Returns the violations of a page, one per line: of all rules in the theme that it shows, and of
 * the rules about colors in the other themes, to which it changes in place.
 */
export async function violationsInEveryTheme(host: FakeHost): Promise<string[]> {
  const body = host.page.locator("body");
  const found = (await violationsAround(body)).map((line) => `${host.theme}: ${line}`);
  for (const theme of THEMES.filter((one) => one !== host.theme)) {
    await host.changeTheme(theme);
    const inTheme = await violationsAround(body, COLOR_RULES);
    found.push(...inTheme.map((line) => `${theme}: ${line}`));
  }
  return found;
}
