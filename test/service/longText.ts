/**
 * Generates varied Markdown of any length for measurements: paragraphs, lists, tables, quotes and
 * code, all numbered, so that a missing or duplicate piece is noticed. The same length gives the
 * same text.
 */

const SECTIONS: readonly ((number: number) => string)[] = [
  (number) =>
    `## Section ${number}\n\nParagraph ${number} speaks of **nothing** in particular, at some ` +
    `length and with \`inline code ${number}\`, so that lines break where a window is narrow.\n\n`,
  (number) => `- first of list ${number}\n- second, with *stress*\n  - one level down\n\n`,
  (number) => `| row | value |\n| --- | ---: |\n| ${number} | ${number * 7} |\n| 二 | 你好 |\n\n`,
  (number) => `> Quotation ${number}: it was said before, and it will be said again. 🙂\n\n`,
  (number) =>
    `\`\`\`ts\nexport function step${number}(count: number): number {\n` +
    `  // Adds ${number} and nothing else.\n  return count + ${number};\n}\n\`\`\`\n\n`,
  (number) => `${number}. numbered, with a [link](https://example.com/${number})\n\n`,
];

/** Returns exactly `kilobytes` × 1,000 bytes of UTF-8. */
export function longText(kilobytes: number): string {
  const bytes = kilobytes * 1000;
  const pieces: string[] = [];
  let length = 0;
  for (let number = 1; ; number++) {
    const piece = SECTIONS[number % SECTIONS.length]!(number);
    const pieceBytes = Buffer.byteLength(piece);
    if (length + pieceBytes > bytes) break;
    pieces.push(piece);
    length += pieceBytes;
  }
  return pieces.join("") + "x".repeat(bytes - length);
}
