import { createMarkdownStream } from "../../../../src/renderer/stream";

/** Uses the default options: highlighting in a worker and the sanitizer are on. */
export function start(container) {
  const stream = createMarkdownStream(container);
  return { append: (text) => stream.append(text), end: () => stream.end() };
}
