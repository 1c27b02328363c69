import { createMarkdownStream } from "../../../../src/webview/markdown/stream";

export function start(container) {
  const stream = createMarkdownStream(container, globalThis.oursOptions?.(container) ?? {});
  return { append: (text) => stream.append(text), end: () => stream.end() };
}
