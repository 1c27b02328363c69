/**
 * Formats of real services that differ from the common format, over real sockets: finish reasons in
 * every block, errors without an `error` field, lines of JSON, and wrong types.
 */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService, DONE, finish, startRaw, type AskResult, type AskOptions } from "./asking";

const HEAD = "HTTP/1.1 200 OK\r\nconnection: close\r\n";
const EVENTS = "content-type: text/event-stream\r\n\r\n";

/**
 * Sends a request to a server that writes these bytes; `then` closes the connection or writes more.
 */
async function answered(
  body: string,
  headers = EVENTS,
  then: (socket: Socket) => void = (socket) => socket.end(),
  options: AskOptions = {},
): Promise<AskResult> {
  const server = await startRaw((socket) => {
    socket.write(HEAD + headers + body);
    then(socket);
  });
  try {
    return await askService(server.url, "x", options);
  } finally {
    await server.close();
  }
}

const block = (fields: object, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...fields }], ...more })}\n\n`;
const text = (content: string, finish_reason: unknown = null): string =>
  block({ delta: { content }, finish_reason });

describe("a finish reason in every block", () => {
  for (const reason of ["null", "none", "None", "", "stop", "generating", "length"]) {
    /**
     * Writes the first block, waits for 30 s, which is less than the silence limit, and writes the
     * rest.
     */
    const withPause = async (rest: string): Promise<AskResult> => {
      const clock = new ManualClock();
      let socket: Socket | undefined;
      return answered(
        block({ delta: { role: "assistant" }, finish_reason: reason }) + text("Hello", reason),
        EVENTS,
        (connection) => {
          socket = connection;
        },
        {
          clock,
          onEvent: ({ type }) => {
            if (type !== "text-delta" || socket === undefined) return;
            const open = socket;
            socket = undefined;
            // The client starts its timer after this event.
            setImmediate(() => {
              clock.advance(30_000);
              setImmediate(() => open.end(rest));
            });
          },
        },
      );
    };

    it(`does not end the reply in a pause: ${JSON.stringify(reason)}`, async () => {
      const result = await withPause(text(" world", reason) + finish() + DONE);
      assert.equal(result.text, "Hello world");
      assert.equal(result.ended?.finishReason, "stop", JSON.stringify(result.failure));
    });

    it(`does not prove the end when the body is cut off: ${JSON.stringify(reason)}`, async () => {
      const result = await withPause(text(" world", reason));
      assert.equal(result.text, "Hello world");
      assert.equal(result.failure?.kind, "truncated");
    });
  }

  it("is an end when it changes in the last block, and with [DONE]", async () => {
    const changing = await answered(text("a", "running") + text("b", "running") + finish());
    assert.equal(changing.ended?.finishReason, "stop");
    const closed = await answered(text("a", "stop") + text("b", "stop") + DONE);
    assert.equal(closed.text, "ab");
    assert.equal(closed.ended?.finishReason, "stop");
  });

  it("is valid when it arrived with the only block", async () => {
    assert.equal((await answered(text("a", "length"))).ended?.finishReason, "length");
  });
});

describe("a reply in another format", () => {
  const reads = (title: string, body: string, expected: string, headers = EVENTS): void => {
    it(`is read: ${title}`, async () => {
      const result = await answered(body, headers);
      assert.equal(result.failure, undefined);
      assert.equal(result.text, expected);
      assert.equal(result.ended?.damagedEvents, 0);
    });
  };
  const good = text("Hello ") + text("world") + finish() + DONE;
  const type = (name: string): string => `content-type: ${name}\r\n\r\n`;
  for (const name of ["text/html; charset=utf-8", "text/plain", "application/xhtml+xml"]) {
    reads(`a stream with the type ${name}`, good, "Hello world", type(name));
  }
  reads("a stream without a type", good, "Hello world", "\r\n");

  const lines = good.replaceAll("data: ", "").replaceAll("\n\n", "\n").replace("[DONE]\n", "");
  for (const name of ["application/x-ndjson", "application/json", "text/event-stream"]) {
    reads(`lines of JSON with the type ${name}`, lines, "Hello world", type(name));
  }
  reads("lines of JSON inside an event stream", `: hi\n${lines}`, "Hello world");
  reads(
    "lines of JSON among events",
    `${text("Hello ")}${lines.split("\n")[1] ?? ""}\n\n${finish()}`,
    "Hello world",
  );
  const whole = JSON.stringify({
    choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
  });
  reads("a document after a comment", `: hi\n${whole}\n`, "Hello");
  reads("a document followed by [DONE]", `${whole}\n\ndata: [DONE]\n\n`, "Hello");
  reads("[done] after the end", text("Hello") + finish() + "data: [done]\n\n", "Hello");
  reads(
    "an index as a string",
    `data: {"choices":[{"index":"0","delta":{"content":"Hello"}}]}\n\n${DONE}`,
    "Hello",
  );
  reads(
    "choices without a list",
    `data: {"choices":{"delta":{"content":"Hello"}}}\n\n${DONE}`,
    "Hello",
  );
  reads("a refusal", block({ delta: { content: null, refusal: "No." } }) + finish() + DONE, "No.");
  const message = (content: string): string => block({ message: { content } });
  reads(
    "messages that hold all the text so far",
    ["He", "Hello", "Hello", "Hello wor", "Hello world"].map(message).join("") + finish() + DONE,
    "Hello world",
  );
  reads(
    "messages that hold the next piece",
    ["ha", "ha", " ", "ha", "ha ha"].map(message).join("") + finish() + DONE,
    "haha haha ha",
  );
  for (const error of [
    {},
    { code: 0, message: "" },
    0,
    "",
    [],
    { code: "200", message: "success" },
  ]) {
    reads(
      `text next to an empty error: ${JSON.stringify(error)}`,
      block({ delta: { content: "Hello" } }, { error }) + finish() + DONE,
      "Hello",
    );
  }
  reads(
    "a success status next to the text",
    block({ delta: { content: "Hello" } }, { base_resp: { status_code: 0, status_msg: "" } }) +
      DONE,
    "Hello",
  );
  reads(
    "a message of the service among text",
    `data: {"message":"queued"}\n\n${text("Hello")}${DONE}`,
    "Hello",
  );
});

describe("an error without an error field", () => {
  const reports = (title: string, body: string, message: string, headers = EVENTS): void => {
    it(`is reported with the service's message: ${title}`, async () => {
      const result = await answered(body, headers);
      assert.deepEqual({ ...result.failure }, { kind: "reported", message });
    });
  };
  reports("code and message", 'data: {"code":1301,"message":"Too busy."}\n\n', "Too busy.");
  reports("detail", `${text("Hel")}data: {"detail":"Worker died."}\n\n`, "Worker died.");
  reports("before [DONE]", `data: {"code":"Busy","message":"Too busy."}\n\n${DONE}`, "Too busy.");
  reports(
    "base_resp",
    'data: {"base_resp":{"status_code":1008,"status_msg":"No balance."}}\n\n',
    "No balance.",
  );
  reports(
    "a service-specific field",
    `${text("Hel")}error: {"code":500,"message":"Slot lost."}\n\n`,
    "Slot lost.",
  );
  it("keeps the text of the block that reports it", async () => {
    const result = await answered(block({ delta: { content: "Hel" } }, { error: "Worker died." }));
    assert.equal(result.text, "Hel");
    assert.deepEqual(result.failure, { kind: "reported", message: "Worker died." });
  });
});

describe("calls with one index", () => {
  const calls = (...tool_calls: object[]): string => block({ delta: { tool_calls } });
  const call = (
    id: string | undefined,
    name: string,
    args: string,
    index: unknown = 0,
  ): object => ({
    index,
    ...(id !== undefined && { id }),
    function: { name, arguments: args },
  });
  const called = async (...blocks: string[]): Promise<string[]> =>
    (await answered(blocks.join("") + finish("tool_calls") + DONE)).calls.map(
      ({ name, argumentsText }) => `${name}(${argumentsText})`,
    );

  it("are two if each is complete and has its own id", async () => {
    const firstCall = call("a", "read", '{"p":1}');
    const other = call("b", "list", "{}");
    assert.deepEqual(await called(calls(firstCall), calls(other)), ['read({"p":1})', "list({})"]);
    assert.deepEqual(await called(calls(firstCall, other)), ['read({"p":1})', "list({})"]);
  });

  it("are also two without ids", async () => {
    const result = await called(
      calls(call("", "read", '{"p":1}')),
      calls(call("", "read", '{"p":2}')),
    );
    assert.deepEqual(result, ['read({"p":1})', 'read({"p":2})']);
  });
});
