/**
 * The few rules the renderer needs to be cheap, in a sheet of its own that scripts may add under any
 * Content-Security-Policy. Looks are the app's CSS.
 */

/** Class of the element that holds a reply. */
export const REPLY_CLASS = "markdown-reply";

/** Off-screen blocks cost neither layout nor paint; the browser remembers their height once seen. */
const RULES = `
.${REPLY_CLASS} > * { content-visibility: auto; contain-intrinsic-block-size: auto 4em; }
`;

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Adds the rules to a document, once. */
export function addStyles(page: Document): void {
  const view = page.defaultView;
  if (view === null || sheets.has(page)) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(RULES);
  page.adoptedStyleSheets.push(sheet);
  sheets.set(page, sheet);
}
