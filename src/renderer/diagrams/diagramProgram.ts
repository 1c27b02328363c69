/**
 * Mermaid as text: the program runs only in the frame of diagramFrame.ts, never in the page. The smallest
 * build its makers offer, in one piece; a chunk of its own, loaded when a reply first has a diagram.
 * Labels are drawn without HTML, a path on which Mermaid loses characters: corrected here, and checked by
 * test/page/markdownDiagrams.test.ts for each version.
 */
import program from "@mermaid-js/tiny/dist/mermaid.tiny.js" with { type: "text" };

/** Name of the frame's function that resolves the character references of a label. */
const DECODE_LABEL = "decodeLabel";

const CORRECTIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A plain label is split into words; "<" and ">" outside tags were dropped. References are resolved
  // before long words are cut, which could cut a reference.
  [/\.match\(\/<\[\^>\]\+>\|\[\^\\s<>\]\+\/g\)/, `.match(/\\S+/g)?.map(${DECODE_LABEL})`],
  // Several kinds of diagram read every label as Markdown, so that "a*b*c" lost its asterisks.
  [/classes:"markdown-node-label",useHtmlLabels:/g, "markdown:!1,$&"],
  [/(style:\w+,useHtmlLabels:\w+\.htmlLabels)\}/g, "$1,markdown:!1}"],
  [/labelType:"markdown"/g, 'labelType:"text"'],
  [/,(\w+)="markdown",/g, ',$1="text",'],
  // In a Markdown label, code, links and escaped characters were left out.
  [
    /:(\w+)\.type==="html"&&(\w+\[\w+\])\.push\(\{content:\1\.text,type:"normal"\}\)/,
    ':$2.push({content:$1.type==="escape"||$1.type==="codespan"?$1.text:$1.raw,type:"normal"})',
  ],
  // Only three references were resolved: "#quot;" was drawn as "&quot;".
  [
    /let (\w+)=\/&\(amp\|lt\|gt\);\/g;return (\w+)\.replace\(\1,/,
    `let $1=/&/g;return ${DECODE_LABEL}($2);return $2.replace($1,`,
  ],
];

export const diagramProgram: string = CORRECTIONS.reduce(
  (text, [pattern, replacement]) => text.replace(pattern, replacement),
  program,
);
