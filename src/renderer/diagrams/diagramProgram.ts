/**
 * Mermaid's script as text. It runs only in the frame of diagramFrame.ts. This is the smallest
 * official build, in a chunk that is loaded with the first diagram. Without HTML labels Mermaid
 * loses characters; the patches below fix this, and test/page/markdownDiagrams.test.ts checks them
 * for each version.
 */
import program from "@mermaid-js/tiny/dist/mermaid.tiny.js" with { type: "text" };

/** Name of the frame's function that decodes the character references of a label. */
const DECODE_LABEL = "decodeLabel";

const CORRECTIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Plain labels are split into words, which dropped "<" and ">" outside tags. References are
  // decoded before long words are broken, because a break could split them.
  [/\.match\(\/<\[\^>\]\+>\|\[\^\\s<>\]\+\/g\)/, `.match(/\\S+/g)?.map(${DECODE_LABEL})`],
  // Several kinds of diagram read every label as Markdown: "a*b*c" lost its asterisks.
  [/classes:"markdown-node-label",useHtmlLabels:/g, "markdown:!1,$&"],
  [/(style:\w+,useHtmlLabels:\w+\.htmlLabels)\}/g, "$1,markdown:!1}"],
  [/labelType:"markdown"/g, 'labelType:"text"'],
  [/,(\w+)="markdown",/g, ',$1="text",'],
  // Markdown labels dropped code, links and escaped characters.
  [
    /:(\w+)\.type==="html"&&(\w+\[\w+\])\.push\(\{content:\1\.text,type:"normal"\}\)/,
    ':$2.push({content:$1.type==="escape"||$1.type==="codespan"?$1.text:$1.raw,type:"normal"})',
  ],
  // Only three references were decoded: "#quot;" was drawn as "&quot;".
  [
    /let (\w+)=\/&\(amp\|lt\|gt\);\/g;return (\w+)\.replace\(\1,/,
    `let $1=/&/g;return ${DECODE_LABEL}($2);return $2.replace($1,`,
  ],
];

export const diagramProgram: string = CORRECTIONS.reduce(
  (text, [pattern, replacement]) => text.replace(pattern, replacement),
  program,
);
