/**
 * Generates random text similar to Markdown: prefixes (quotes, list markers, indentation) and
 * content that starts, continues or ends every kind of block, so that adjacent blocks interfere.
 */
import fc from "fast-check";

/** Separated by middle dots, as the contents below. */
const PREFIXES =
  "···- ·-   ·* ·+ ·1. ·2) ·10. ·> ·>·>  ·  ·   ·    ·     ·\t·-\t· ·- [ ] ·[^1]: ·  - ·      ".split(
    "·",
  );

const CONTENTS = [
  "long ".repeat(9),
  ...(
    "···text·a *b* **c**·*open·close*·**·`code`·`open·```·```ts·```md·~~~md·~~~·````·---·" +
    "===·***·- - -·# head·## head ##·#·| a | b |·|---|:-:|·| c |·| c | `d|e` | f |·" +
    "| `c|d | e·|---|---|---|·|——|——|·｜甲｜乙｜·｜-｜-｜·a|b·-|-·[foo]·[foo][bar]·" +
    "[bar]: /url 'title'·[foo]: /url·[foo]:·/url·'title·title'·![pic](/p.png)·" +
    '[link](http://x.y "t")·[^1]·[^2]·[^1]: note·[^2]: other·$x$·$$·$$x$$·a $$·' +
    "$$ which·c = d·\\begin{align}·\\end{align}·سلام به همه·React یک·\\[·\\]·\\(y\\)·" +
    "http://example.com·a@b.co·<b>·&amp;·\\*·-·1.·1)·+·>·x  ·x\\·~~gone~~·[x] task·[ ]·" +
    "::·\\·_a_b·***both***·<http://a.b>·[·]·![·``·\u{1f600}·é·\t·　"
  ).split("·"),
];

const line = fc
  .tuple(
    fc.array(fc.constantFrom(...PREFIXES), { maxLength: 3 }),
    fc.array(fc.constantFrom(...CONTENTS), { minLength: 1, maxLength: 2 }),
  )
  .map(([prefixes, contents]) => prefixes.join("") + contents.join(" "));

/** Generates lines of Markdown that end in "\n" or "\r\n". */
export const markdownText = fc
  .tuple(
    fc.array(line, { maxLength: 14 }),
    fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
    fc.boolean(),
  )
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));

/** Generates longer texts, with enough blocks for a reply in parts. */
export const longMarkdownText = fc
  .array(markdownText, { minLength: 4, maxLength: 14 })
  .map((texts) => texts.join("\n\n"));

/** Generates lengths of pieces; the caller uses them in turn. */
export const cutLengths = fc.array(fc.constantFrom(1, 2, 3, 4, 5, 7, 11, 20, 40), {
  minLength: 1,
  maxLength: 5,
});
