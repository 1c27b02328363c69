/**
 * The few rules the renderer needs to be cheap, in a sheet of its own that scripts may add under any
 * Content-Security-Policy. Looks are the app's CSS.
 */

/** Class of the element that holds a reply. */
export const REPLY_CLASS = "markdown-reply";

/** The other class of a reply that is long enough to have parts. */
export const LONG_REPLY_CLASS = "has-parts";

/** Class of a part of a long reply, see rootView.ts; the one that still grows has the other class too. */
export const PART_CLASS = "reply-part";
export const OPEN_PART_CLASS = "is-open";

/** Class of a piece of what is shown as it is, see plainRest.ts. */
export const PLAIN_PIECE_CLASS = "plain-piece";

/**
 * What is off-screen of a long reply costs neither layout nor paint; the browser remembers its height
 * once seen. In the part that grows that goes for each block, so that its height is always nearly right.
 * A short reply has no such blocks: the browser would look after each of them in every frame. A mark for a
 * hidden character is drawn, not written, so that the code can still be copied as it is.
 */
const RULES = `
.${LONG_REPLY_CLASS} > *, .${LONG_REPLY_CLASS} > .${OPEN_PART_CLASS} > * {
  content-visibility: auto; contain-intrinsic-block-size: auto 4em;
}
.${REPLY_CLASS} .${PLAIN_PIECE_CLASS} {
  content-visibility: auto; contain-intrinsic-block-size: auto 100em;
}
.${LONG_REPLY_CLASS} > .${PART_CLASS} { contain-intrinsic-block-size: auto 100em; }
.${LONG_REPLY_CLASS} > .${OPEN_PART_CLASS} { content-visibility: visible; }
.${REPLY_CLASS} .hidden-character { unicode-bidi: isolate; }
.${REPLY_CLASS} .hidden-character::before { content: "\\2423"; outline: 1px solid; margin: 0 0.1em; }
`;

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Adds the rules to a document, once. */
export function addStyles(page: Document): void {
  const view = page.defaultView;
  if (view === null || sheets.has(page) || !("adoptedStyleSheets" in page)) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(RULES);
  page.adoptedStyleSheets.push(sheet);
  sheets.set(page, sheet);
}
