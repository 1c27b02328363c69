/**
 * Mermaid's script is imported as text; esbuild reads the import's attribute.
 */
declare module "@mermaid-js/tiny/dist/mermaid.tiny.js" {
  const program: string;
  export default program;
}
