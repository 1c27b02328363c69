import { createMarkdownStream } from "../../../../src/renderer/stream";

/** As it comes: highlighting in its worker and the second wall are on. */
export function start(container) {
  const stream = createMarkdownStream(container);
  return { append: (text) => stream.append(text), end: () => stream.end() };
}
