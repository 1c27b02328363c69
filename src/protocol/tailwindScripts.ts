/** Addresses from which pages load Tailwind's runtime for browsers. */

/** https://v3.tailwindcss.com/docs/installation/play-cdn */
const THREE = "cdn.tailwindcss.com";

/** Package of the runtime, on any server of npm packages: https://tailwindcss.com/docs/installation/play-cdn */
const FOUR = "@tailwindcss/browser";

/** Returns true for a page that can load the runtime. */
export function mentionsTailwind(html: string): boolean {
  return html.includes(THREE) || html.includes(FOUR);
}

/** Returns the major version of Tailwind that a script's address loads; undefined for other scripts. */
export function tailwindOf(address: URL): 3 | 4 | undefined {
  if (address.hostname === THREE) return 3;
  const path = `${address.pathname}/`;
  return path.includes(`/${FOUR}/`) || path.includes(`/${FOUR}@`) ? 4 : undefined;
}
