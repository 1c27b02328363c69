/** Everything that replies need after the first paint, as one chunk. */
export { createMarkdownStream } from "../../renderer/stream";
export { Highlighter } from "../../renderer/highlight/highlighter";
export { startWorkerFromUrl } from "../../renderer/trusted";
