/** Type of Mermaid's script imported as text. */
declare module "@mermaid-js/tiny/dist/mermaid.tiny.js" {
  const program: string;
  export default program;
}
