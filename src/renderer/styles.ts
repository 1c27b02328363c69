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

/** Class of a part of a long code block, see codeText.ts. */
export const CODE_PART_CLASS = "code-part";

/** Class of a formula that is drawn; until then, or if it cannot be, it is source. */
export const DRAWN_FORMULA_CLASS = "is-drawn";

/** The other class of one that may be wider than the panel. */
export const LONG_FORMULA_CLASS = "is-long";

/** Class of a piece of what is shown as it is, see plainRest.ts. */
export const PLAIN_PIECE_CLASS = "plain-piece";

/**
 * What is off-screen of a long reply costs neither layout nor paint; the browser remembers its height
 * once seen. In the part that grows that goes for each block, so that its height is always nearly right.
 * A short reply has no such blocks: the browser would look after each of them in every frame. A mark for a
 * hidden character is drawn, not written, so that the code can still be copied as it is.
 *
 * Each block has the direction of its own first letter, code and formulas go from left to right. A formula
 * wider than the panel is scrolled sideways by itself.
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
.${REPLY_CLASS} :is(p, h1, h2, h3, h4, h5, h6, li, th, td) { unicode-bidi: plaintext; }
.${REPLY_CLASS} :is(.code-block, code, math, .math) { direction: ltr; unicode-bidi: isolate; }
.${REPLY_CLASS} .math-display { display: block; overflow: auto hidden; }
.${REPLY_CLASS} span.math.${LONG_FORMULA_CLASS}:not(.math-display) {
  display: inline-flex; max-width: 100%; overflow: auto hidden; vertical-align: baseline;
}
.${REPLY_CLASS} .${CODE_PART_CLASS} { display: block; }
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
