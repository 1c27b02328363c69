/**
 * Quotes the labels of a flowchart that Mermaid cannot read because of brackets in them, as in
 * `A[start()] --> B[DB (main)]`. Only for a source that cannot be drawn; Mermaid decides about the result.
 */

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };

/** Opening bracket of a label, after the id of its node. */
const NODE = /(?<=[\p{L}\p{N}_])[[({]/gu;

/** Labels of edges: `-->|text|` and `-- text -->`. */
const EDGE =
  /(?<=\|)[^|"\n]{1,200}(?=\|)|(?<=(?:--|==|-\.)[ \t])(?:[^"|\n=.-]|[=.-](?![-=.>])){1,200}(?=[ \t](?:-->|---|==>|\.->))/g;

/** Returns the source of a flowchart with quotes; that of another diagram as it is. */
export function quotedLabels(source: string): string {
  const withoutFrontMatter = source.replace(/^\s{0,9}---\n[^]{0,2000}?\n---\n/, "");
  const lines = withoutFrontMatter.split("\n").map((line) => line.trim());
  const kind = lines.find((line) => line !== "" && !line.startsWith("%%"));
  if (!/^(?:flowchart|graph)\b/.test(kind ?? "")) return source;
  return source.split("\n").map(quotedLine).join("\n");
}

function quotedLine(line: string): string {
  if (/^\s*(?:%%|(?:style|class|classDef|linkStyle|click)\b)/.test(line)) return line;
  const edges = line.replace(EDGE, (label) => quoted(label));
  let result = "";
  let from = 0;
  NODE.lastIndex = 0;
  for (let node = NODE.exec(edges); node !== null; node = NODE.exec(edges)) {
    let start = NODE.lastIndex - 1;
    let end = closingIndex(edges, start);
    if (end < 0) continue;
    NODE.lastIndex = end + 1;
    // Shapes with two brackets, such as "[(…)]".
    if (closingIndex(edges, start + 1) === end - 1) {
      start++;
      end--;
    }
    result += edges.slice(from, start + 1) + quoted(edges.slice(start + 1, end));
    from = end;
  }
  return result + edges.slice(from);
}

/** Returns the index of the bracket that closes the one at `start`, or -1. */
function closingIndex(text: string, start: number): number {
  const open = text.charAt(start);
  const close = CLOSING[open];
  let depth = 0;
  for (let at = start; close !== undefined && at < text.length; at++) {
    if (text[at] === open) depth++;
    if (text[at] === close && --depth === 0) return at;
  }
  return -1;
}

function quoted(label: string): string {
  if (!/[()[\]{}]/.test(label) || /^\s*"/.test(label)) return label;
  return `"${label.trim().replaceAll('"', "#quot;")}"`;
}
