/**
 * Mermaid's script as text: what esbuild makes of an import that asks for text.
 */
declare module "@mermaid-js/tiny/dist/mermaid.tiny.js" {
  const program: string;
  export default program;
}
