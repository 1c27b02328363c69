import { Highlighter } from "../../../../src/renderer/highlight/highlighter";
import { createMarkdownStream } from "../../../../src/renderer/stream";
import { startWorkerFromText } from "../../../../src/renderer/trusted";

/** This script is also the worker's. */
const WORKER_NAME = "core-chat-highlight";
const isWorker = !("document" in globalThis) && globalThis.name === WORKER_NAME;
if (isWorker) void import("../../../../src/renderer/highlight/worker");

const script = `import ${JSON.stringify(import.meta.url)};`;
const options = { type: "module", name: WORKER_NAME };
const startWorker = async () => startWorkerFromText(script, options);
let highlighter;

/** Uses the panel's options: highlighting in a worker and the sanitizer are on. */
export function start(container) {
  highlighter ??= new Highlighter(document, startWorker);
  const stream = createMarkdownStream(container, { highlighter });
  return { append: (text) => stream.append(text), end: () => stream.end() };
}
