/** Texts of extreme sizes by name. The first five are those of a bug report. */

const repeated = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join("");

export const TEXTS = {
  "3,000 footnotes": () =>
    repeated(3_000, (index) => `A claim[^n${index}] and more.\n\n`) +
    repeated(3_000, (index) => `[^n${index}]: The source of claim ${index}.\n`),
  "3,000 footnotes in order": () =>
    repeated(3_000, (index) => `A claim[^n${index}].\n\n[^n${index}]: Source ${index}.\n\n`),
  "20,000 list items": () => repeated(20_000, (index) => `- item ${index}\n`),
  "a line of 5 MB": () => "x".repeat(5_000_000),
  "a table of 100,000 rows": () =>
    `| a | b |\n|---|---|\n${repeated(100_000, (index) => `| ${index} | value |\n`)}`,
  "5,000 × 20 cells": () =>
    `${"| c ".repeat(20)}|\n${"|---".repeat(20)}|\n${repeated(5_000, (row) => `${repeated(20, (column) => `| ${(row * column) % 97} `)}|\n`)}`,
  "quotes 2,000 deep": () =>
    repeated(2_000, (index) => `${"> ".repeat(index + 1)}a\n`).slice(0, 1_500_000),
  "a quote 2,000 deep": () => `${"> ".repeat(2_000)}a\n`,
  "50,000 codes in a paragraph": () => repeated(50_000, (index) => `\`c${index}\` `),
  "10,000 headings": () => repeated(10_000, (index) => `## Heading ${index}\n\n`),
  "30,000 links": () =>
    repeated(30_000, (index) => `[link ${index}](https://example.com/${index})\n`),
  "30,000 links in paragraphs": () =>
    repeated(
      30_000,
      (index) => `[l${index}](https://e.com/${index})${index % 50 === 49 ? "\n\n" : " "}`,
    ),
  "code of 2 MB without a language": () =>
    `\`\`\`\n${repeated(40_000, (index) => `line ${index} of the log: a value of some length\n`)}\`\`\`\n`,
  "code of 2 MB, one line": () => `\`\`\`\n${"word ".repeat(400_000)}\n\`\`\`\n`,
  "code of 250 kB in TypeScript": () =>
    `\`\`\`ts\n${repeated(5_000, (index) => `const value${index} = call("text", ${index}); // note\n`)}\`\`\`\n`,
  "1 MB of [": () => "[".repeat(1_000_000),
  "20,000 short code blocks": () => repeated(20_000, () => "```\na\n```\n"),
  "4,000 code blocks": () => repeated(4_000, (index) => `\`\`\`js\nlet a = ${index};\n\`\`\`\n\n`),
  "paragraphs of 16 kB in marks": () => `${"**a** _b_ ".repeat(1_500)}\n\n`.repeat(15),
  "lines of one paragraph": () => repeated(20_000, (index) => `word ${index}\n`),
  "a list item of 200 kB": () =>
    `- item\n\n${repeated(4_000, (index) => `  A paragraph with number ${index}.\n\n`)}`,
  "nested lists": () => repeated(6_000, (index) => `${"  ".repeat(index % 12)}- item ${index}\n`),
  "8,000 link definitions used first": () =>
    `${repeated(8_000, (index) => `[a${index}] ${index % 40 === 39 ? "\n\n" : ""}`)}\n\n${repeated(8_000, (index) => `[a${index}]: /u${index}\n`)}`,
  "20,000 rules": () => repeated(20_000, () => "---\n\n"),
  "5,000 formulas": () => repeated(5_000, (index) => `$x_{${index}}$ and\n\n`),
  "1,000 columns": () =>
    `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${`${"|b".repeat(1_000)}|\n`.repeat(100)}`,
  "indented code": () => repeated(30_000, (index) => `    code ${index}\n`),
  "a quote of 20,000 lines": () => repeated(20_000, (index) => `> line ${index}\n`),
  "a quote of 10,000 paragraphs": () => repeated(10_000, (index) => `> line ${index}\n>\n`),
};
