/**
 * Generates the bytes for every client: a streamed reply in blocks of four characters, cut into
 * network pieces of any size. The stream is generated lazily, so its size does not matter for
 * memory.
 */

const TEXT = "The quick brown fox: größer, 你好 🙂 and back to plain words again. ";

/** Number of blocks after which the stream repeats. */
const PERIOD = 1000;

/** Returns the text of `blocks` blocks. */
export function textOf(blocks) {
  const period = periodTexts();
  const whole = period.join("").repeat(Math.floor(blocks / PERIOD));
  return whole + period.slice(0, blocks % PERIOD).join("");
}

/**
 * Returns a `fetch` that answers every request with `blocks` blocks in pieces of `pieceBytes`
 * bytes.
 */
export function fetchOf(blocks, pieceBytes) {
  const encoder = new TextEncoder();
  const events = periodTexts().map(event);
  const period = encoder.encode(events.join(""));
  const rest = encoder.encode(events.slice(0, blocks % PERIOD).join("") + FINISH);
  const periods = Math.floor(blocks / PERIOD);
  return async (_url, init) => {
    let done = 0;
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        const source = done < periods ? period : rest;
        // A copy, because a reader owns the bytes that it receives, as from a socket.
        controller.enqueue(source.slice(at, at + pieceBytes));
        at += pieceBytes;
        if (at < source.length) return;
        at = 0;
        if (done++ >= periods) controller.close();
      },
    });
    init?.signal?.throwIfAborted();
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

const HEAD = '"id":"5f0c2c0e-7b1d-4a39-9d0c-1f2e3a4b5c6d","object":"chat.completion.chunk"';
const FINISH = `data: {${HEAD},"created":1754000000,"model":"core_llm","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

function event(content) {
  const choice = { index: 0, delta: { content }, finish_reason: null };
  const rest = `"created":1754000000,"model":"core_llm","choices":[${JSON.stringify(choice)}]`;
  return `data: {${HEAD},${rest}}\n\n`;
}

/** Returns PERIOD texts of four characters. */
function periodTexts() {
  const characters = [...TEXT.repeat(Math.ceil((PERIOD * 4) / TEXT.length) + 8)];
  return Array.from({ length: PERIOD }, (_unused, n) =>
    characters.slice(n * 4, n * 4 + 4).join(""),
  );
}
