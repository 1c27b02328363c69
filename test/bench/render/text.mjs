/**
 * Generates the replies of the benchmark: headings, prose, lists, tables, quotes and code in four
 * languages. The same seed always gives the same text.
 */
import { randomFrom } from "../random.mjs";

const WORDS =
  "the request is read once and then kept in a queue until the worker that owns it has time to answer it with a value or an error which the caller must handle because nothing else knows what to do when a stream ends early".split(
    " ",
  );
const TERMS = [
  "`queue.push`",
  "**ordering**",
  "*at most once*",
  "`AbortSignal`",
  "[the guide](https://example.com/guide)",
  "`retryAfterMs`",
  "~~polling~~",
];

const CODE = {
  typescript: [
    "export async function read(source: Source, signal: AbortSignal): Promise<Result> {",
    "  const chunks: string[] = [];",
    "  for await (const chunk of source) {",
    '    if (signal.aborted) return { kind: "stopped", text: chunks.join("") };',
    "    chunks.push(chunk.toString()); // kept in order",
    "  }",
    '  return { kind: "complete", text: chunks.join("") };',
    "}",
  ],
  python: [
    "def parse(line: str) -> dict[str, str] | None:",
    '    """Reads one field, or nothing for a comment."""',
    '    if line.startswith(":"):',
    "        return None",
    '    name, _, value = line.partition(":")',
    '    return {"name": name, "value": value.removeprefix(" ")}',
  ],
  json: [
    "{",
    '  "name": "core",',
    '  "limits": { "text": 262144, "line": 2000 },',
    '  "retries": [1, 2, 4]',
    "}",
  ],
  bash: [
    "set -euo pipefail",
    "for file in src/*.ts; do",
    '  grep -n "TODO" "$file" || echo "none in ${file}"',
    "done",
  ],
};

/** Generates `length` characters of Markdown. */
export function replyText(length) {
  const random = randomFrom(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const sentence = (count) => {
    const words = Array.from({ length: count }, () =>
      random() < 0.12 ? pick(TERMS) : pick(WORDS),
    );
    const text = words.join(" ");
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () =>
      sentence(9 + Math.floor(random() * 12)),
    ).join(" ");
  const code = () => {
    const language = pick(Object.keys(CODE));
    const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      CODE[language].join("\n"),
    );
    return `\`\`\`${language}\n${lines.join("\n\n")}\n\`\`\``;
  };
  const list = () =>
    Array.from({ length: 3 + Math.floor(random() * 4) }, (_, index) =>
      random() < 0.5
        ? `- ${sentence(8)}`
        : `- **Step ${index + 1}**: ${sentence(10)}\n  - ${sentence(6)}`,
    ).join("\n");
  const ordered = () =>
    Array.from({ length: 4 }, (_, index) => `${index + 1}. ${sentence(11)}`).join("\n");
  const table = () =>
    [
      "| Field | Type | Meaning |",
      "|---|:-:|---|",
      ...Array.from(
        { length: 3 + Math.floor(random() * 5) },
        (_, index) => `| \`field${index}\` | number | ${sentence(6)} |`,
      ),
    ].join("\n");
  const quote = () => `> ${sentence(12)}\n> ${sentence(9)}`;
  const kinds = [
    paragraph,
    paragraph,
    code,
    list,
    paragraph,
    table,
    code,
    ordered,
    quote,
    paragraph,
  ];
  let text = `# ${sentence(4)}\n\n`;
  for (let part = 0; text.length < length; part++) {
    if (part % 6 === 5) text += `## ${sentence(5)}\n\n`;
    text += `${kinds[part % kinds.length]()}\n\n`;
  }
  return text.slice(0, length);
}
