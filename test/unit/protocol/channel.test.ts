/**
 * The message channel: every received message is parsed or dropped, and every request is answered.
 * Random and mutated messages have no effect.
 */
import assert from "node:assert/strict";
import type { Log } from "../../../src/base/log";
import { silentLog } from "../../support/fakes/silentLog";
import { Channel, ChannelError } from "../../../src/protocol/channel";
import {
  hostReplySchema,
  toViewSchema,
  type HostReply,
  type ToView,
} from "../../../src/protocol/toView";
import { toHostSchema, type ToHost } from "../../../src/protocol/toHost";

/** Connects two ends with a pipe that uses structured clone, like postMessage. */
function joined(handle: (message: ToHost) => Promise<HostReply | undefined> | undefined) {
  const lines: string[] = [];
  const log: Log = {
    info: (line) => lines.push(line),
    warn: (line) => lines.push(line),
    error: (line) => lines.push(line),
  };
  const seen: ToView[] = [];
  const host: Channel<ToView, ToHost, HostReply> = new Channel({
    post: (envelope) => void view.receive(structuredClone(envelope)),
    incoming: toHostSchema,
    reply: hostReplySchema,
    handle,
    log,
  });
  const view: Channel<ToHost, ToView, HostReply> = new Channel({
    post: (envelope) => void host.receive(structuredClone(envelope)),
    incoming: toViewSchema,
    reply: hostReplySchema,
    handle: (message) => void seen.push(message),
    log,
  });
  return { host, view, lines, seen };
}

const question: ToHost = { type: "question-asked", text: "a secret question" };

describe("Channel", () => {
  it("carries events and answers requests", async () => {
    const { host, view, seen } = joined(() => Promise.resolve({ isAccepted: true }));
    host.send({ type: "focus-asked" });
    assert.deepEqual(seen, [{ type: "focus-asked" }]);
    assert.deepEqual(await view.request(question), { isAccepted: true });
  });

  it("answers a request whose handler throws, without its content", async () => {
    const { view, lines } = joined(() => Promise.reject(new Error("broken")));
    await assert.rejects(view.request(question), ChannelError);
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines.join(), /secret/);
  });

  it("answers a request that cannot be parsed, naming type and path only", async () => {
    const handled: ToHost[] = [];
    const { view, lines } = joined((message) => void handled.push(message));
    const wrong = { type: "question-asked", text: 7, secret: "x" } as unknown as ToHost;
    await assert.rejects(view.request(wrong), ChannelError);
    assert.deepEqual(handled, []);
    assert.match(lines.join(), /question-asked.*text/);
  });

  it("rejects pending requests when the connection is closed", async () => {
    const { view } = joined(() => new Promise(() => undefined));
    const waiting = view.request(question);
    view.dispose();
    await assert.rejects(waiting, ChannelError);
  });

  it("reports lost and dropped events, with the event after them", async () => {
    const received: string[] = [];
    const view: Channel<ToHost, ToView, HostReply> = new Channel({
      post: () => undefined,
      incoming: toViewSchema,
      reply: hostReplySchema,
      handle: ({ type }) => void received.push(type),
      onGap: () => received.push("gap"),
      log: silentLog,
    });
    const receive = (seq: number, type: string) =>
      view.receive({ kind: "event", seq, message: { type, text: "" } });
    await receive(7, "toast-shown"); // A reloaded page can start with any number.
    await receive(8, "toast-shown");
    await receive(10, "draft-restored");
    await receive(11, "unknown");
    await receive(12, "toast-shown");
    await receive(13, "toast-shown");
    assert.deepEqual(received, [
      "toast-shown",
      "toast-shown",
      "gap",
      "draft-restored",
      "gap",
      "toast-shown",
      "toast-shown",
    ]);
  });

  it("drops known messages with a field changed to another type", async () => {
    const good: ToHost[] = [
      question,
      { type: "code-asked", action: "copy", messageId: "m", block: 0 },
      { type: "model-chosen", model: "vl" },
      { type: "version-chosen", messageId: "m", step: 1 },
      { type: "link-opened", url: "https://example.com" },
    ];
    const wrongValues = [null, {}, [], Number.NaN, -1, 1.5, true, "__proto__".repeat(2_000)];
    for (const message of good) {
      for (const field of Object.keys(message).filter((name) => name !== "type")) {
        for (const value of wrongValues) {
          const handled: ToHost[] = [];
          const { host } = joined((message) => void handled.push(message));
          await host.receive({ kind: "event", message: { ...message, [field]: value } });
          const isValid =
            (typeof value === "string" && field === "text") || (value === -1 && field === "step");
          assert.equal(handled.length, isValid ? 1 : 0, `${message.type}.${field}`);
        }
      }
    }
  });
});
