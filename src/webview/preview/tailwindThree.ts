/**
 * What Tailwind 3 has in place of defaults of Tailwind 4, as a style sheet for the runtime of Tailwind 4:
 * https://tailwindcss.com/docs/upgrade-guide. Removed utilities become those that replace them.
 */
import colorsByName from "./tailwindColors.json";

/** Shades of the colors: https://github.com/tailwindlabs/tailwindcss/blob/v3.4.19/src/public/colors.js */
const SHADES = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950];
/** Sizes of the same names, and the looks that Tailwind 4 gives up. */
const DEFAULTS = `
  --shadow-sm: 0 1px 2px 0 rgb(0 0 0 / 0.05);
  --drop-shadow-sm: 0 1px 1px rgb(0 0 0 / 0.05);
  --blur-sm: 4px;
  --radius-sm: 0.125rem;
  --default-ring-width: 3px;
  --default-ring-color: rgb(59 130 246 / 0.5);
}
@layer base {
  *, ::after, ::before, ::backdrop, ::file-selector-button { border-color: var(--color-gray-200); }
  input::placeholder, textarea::placeholder { color: var(--color-gray-400); }
  button:not(:disabled), [role="button"]:not(:disabled) { cursor: pointer; }
  dialog { margin: auto; }
}
@utility outline-none { outline: 2px solid transparent; outline-offset: 2px; }`;

const OPACITY =
  /^(?<variants>\S*:|)(?<kind>bg|text|border|divide|ring|placeholder)-opacity-(?<percent>\d{1,3})$/;

/** Returns the text of a `text/tailwindcss` style sheet. */
export function tailwindThree(): string {
  const colors = Object.entries(colorsByName).flatMap(([name, values]) =>
    values.split(" ").map((value, index) => `--color-${name}-${SHADES[index]}: #${value};`),
  );
  return `@theme {\n${colors.join(" ")}${DEFAULTS}`;
}

/** Gives colors the opacity of removed utilities: "bg-black bg-opacity-50" becomes "bg-black/50". */
export function replaceOpacity(element: Element): void {
  for (const name of element.classList) {
    const { variants = "", kind = "", percent = "" } = OPACITY.exec(name)?.groups ?? {};
    if (kind === "") continue;
    const starts = [...new Set([variants, ""])].map((variant) => `${variant}${kind}-`);
    // A name that is no color has no meaning with an opacity, so it may get one.
    const isColor = (one: string, start: string) =>
      one.startsWith(start) && !/[/:]|-opacity-/.test(one.slice(start.length));
    for (const start of starts) {
      const colors = [...element.classList].filter((one) => isColor(one, start));
      for (const color of colors) {
        element.classList.add(`${variants}${kind}-${color.slice(start.length)}/${percent}`);
        if (start === starts[0]) element.classList.remove(color);
      }
      if (colors.length > 0) break;
    }
  }
}
