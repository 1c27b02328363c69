/**
 * Mermaid as text: it never runs in the page, only in the frame of diagramFrame.ts. The smallest build
 * its makers offer, in one piece; a chunk of its own, loaded when a reply first has a diagram.
 */
import program from "@mermaid-js/tiny/dist/mermaid.tiny.js" with { type: "text" };

export const diagramProgram: string = program;
