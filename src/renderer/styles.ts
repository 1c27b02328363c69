/**
 * Style rules that the renderer needs for layout cost and direction, in a constructed sheet, which
 * any content security policy allows. The app's style sheet sets the appearance.
 */

export const REPLY_CLASS = "markdown-reply";

export const LONG_REPLY_CLASS = "has-parts";

/**
 * Class of a part of a long reply, see rootView.ts; `OPEN_PART_CLASS` marks the part that grows.
 */
export const PART_CLASS = "reply-part";
export const OPEN_PART_CLASS = "is-open";

/** Class of a block with many elements. */
export const LARGE_BLOCK_CLASS = "is-large";

/** Class of a part of a long code block, see codeText.ts. */
export const CODE_PART_CLASS = "code-part";

/** Class of a drawn formula; without it the element holds the source. */
export const DRAWN_FORMULA_CLASS = "is-drawn";

/** Additional class of a formula that may be wider than the panel. */
export const LONG_FORMULA_CLASS = "is-long";

/** Class of a piece of long plain text, see pieces.ts. */
export const PLAIN_PIECE_CLASS = "plain-piece";

/**
 * Off-screen parts of a long reply cost neither layout nor paint; the browser keeps their last
 * height. In the growing part this applies to each block, so that the estimated height stays close, and in
 * all parts to blocks with many elements, so that a part that comes into view costs only what is visible.
 * Short replies do not use it, because the browser checks each such element in every frame. The
 * mark of a hidden character is generated content and is not copied.
 *
 * Code and formulas are left-to-right. A single line end is a line break, see src/markdown/lineEnds.ts.
 * A formula wider than the panel scrolls horizontally.
 */
const RULES = `
.${LONG_REPLY_CLASS} > *, .${LONG_REPLY_CLASS} > .${OPEN_PART_CLASS} > *,
.${LONG_REPLY_CLASS} .${LARGE_BLOCK_CLASS} {
  content-visibility: auto; contain-intrinsic-block-size: auto 4em;
}
.${REPLY_CLASS} .${PLAIN_PIECE_CLASS} {
  display: block; content-visibility: auto; contain-intrinsic-block-size: auto 100em;
  overflow-wrap: anywhere;
}
.${REPLY_CLASS} .plain-rest { white-space: pre-wrap; }
.${LONG_REPLY_CLASS} > .${PART_CLASS} { contain-intrinsic-block-size: auto 100em; }
.${LONG_REPLY_CLASS} > .${OPEN_PART_CLASS} { content-visibility: visible; }
.${REPLY_CLASS} :is(p, h1, h2, h3, h4, h5, h6, li, th, td) { white-space: pre-line; }
.${REPLY_CLASS} :is(.code-block, code, math, .math) { direction: ltr; unicode-bidi: isolate; }
.${REPLY_CLASS} .math-display { display: block; overflow: auto hidden; }
.${REPLY_CLASS} span.math.${LONG_FORMULA_CLASS}:not(.math-display) {
  display: inline-flex; max-width: 100%; overflow: auto hidden; vertical-align: baseline;
}
.${REPLY_CLASS} .${CODE_PART_CLASS} { display: block; }
.${REPLY_CLASS} :nth-child(n + 12 of .${CODE_PART_CLASS}) {
  content-visibility: auto; contain-intrinsic-block-size: auto 40lh;
}
.${REPLY_CLASS} .hidden-character { unicode-bidi: isolate; }
.${REPLY_CLASS} .hidden-character::before { content: "\\2423"; outline: 1px solid; margin: 0 0.1em; }
`;

/**
 * Each text has the direction of most of its letters, a list, table or quote that of its first text. Separate,
 * because the browser checks these rules with every change.
 */
export const RIGHT_TO_LEFT_RULES = `
.${REPLY_CLASS} :is(p, h1, h2, h3, h4, h5, h6, li, th, td, ul, ol, blockquote, table) { direction: ltr; }
.${REPLY_CLASS} [dir="rtl"], .${REPLY_CLASS} li:has(> p:first-child[dir="rtl"]),
.${REPLY_CLASS} :is(ul, ol):has(> li:first-child[dir="rtl"], > li:first-child > p:first-child[dir="rtl"]),
:is(.${REPLY_CLASS}, .${REPLY_CLASS} blockquote):has(> :first-child[dir="rtl"]),
.${REPLY_CLASS} table:has(> thead th[dir="rtl"]) { direction: rtl; }
`;

const documents = new Map<string, WeakSet<Document>>();

/** Adds rules to a document once. */
export function installStyles(document: Document, rules = RULES): void {
  const view = document.defaultView;
  const installed = documents.get(rules) ?? new WeakSet();
  if (view === null || installed.has(document) || !("adoptedStyleSheets" in document)) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
  documents.set(rules, installed.add(document));
}
