/**
 * Line ends inside a paragraph. Models write lines that are meant, as in a poem or an address, and prose that is
 * wrapped at a column. README.md in this folder has the rule and its measurement.
 */

/** Columns of wrapped prose: the next word would have passed the first, and no line passes the second. */
const MIN_WIDTH = 60;
const MAX_WIDTH = 100;

/** First word of a line; code and links are not divided. */
const FIRST_WORD = /^(?:`[^`\n]{1,200}`\S*|!?\[[^\]\n]{1,200}\]\S*|\S+)/;

/** Sign or bold label at the start of a line that is meant. */
const STARTS_ITEM =
  /^(?:[•●▪◦‣·–—✓✔✗✘→]|(?!\d)\p{Extended_Pictographic}|\*\*[^*\n]{1,80}(?::\*\*|\*\*[:：]))/u;

/** End of a sentence, with the signs that may follow it. */
const SENTENCE_END = /[.!?:;。！？：；…]["'”’)\]*_`]{0,4}$/;

const CJK_END = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u303f\uff00-\uffef]$/u;

/** Replaces the line ends of wrapped prose by spaces. All others are line breaks. */
export function unwrapped(source: string): string {
  if (!source.includes("\n")) return source;
  const [first = "", ...others] = source.split("\n");
  let text = first;
  let line = first;
  let isWrapped = ![first, ...others].slice(0, -1).every((line) => SENTENCE_END.test(line));
  for (const next of others) {
    const width = line.length + 1 + (FIRST_WORD.exec(next)?.[0].length ?? 0);
    const isHard = /(?: {2}|\\)$/.test(line);
    const isFull = width > MIN_WIDTH && line.length <= MAX_WIDTH;
    isWrapped &&= isHard || (isFull && !STARTS_ITEM.test(next) && !CJK_END.test(line));
    text += (isWrapped && !isHard ? " " : "\n") + next;
    line = next;
  }
  return text;
}
