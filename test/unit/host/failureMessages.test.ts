/** The sentence for every failure, and its one button. strings.test.ts checks the Chinese sentences. */
import assert from "node:assert/strict";
import type { Failure } from "../../../src/conversation/ending";
import type { Reply } from "../../../src/conversation/message";
import { failureNotice } from "../../../src/host/messages/failureMessages";
import { plainNotice } from "../../../src/host/messages/notices";
import { panelMessages } from "../../../src/host/messages/panelMessages";
import { withLanguage } from "../../support/fakes/fakeVscode";

const MIB = 1024 * 1024;
const ORIGIN = "https://maas.test";
const message = "No.";

const unreachable = (cause: Extract<Failure, { kind: "unreachable" }>["cause"]): Failure => ({
  kind: "unreachable",
  host: "maas.test",
  cause,
});
const rejected = (status: number) => {
  const url = `${ORIGIN}/maas/v1/chat/completions`;
  return { kind: "rejected", status, url, message: "" } as const;
};
const limit = (name: Extract<Failure, { kind: "over-limit" }>["limit"]): Failure => ({
  kind: "over-limit",
  limit: name,
  maxBytes: 16 * MIB,
});
const timedOut = (phase: Extract<Failure, { kind: "timed-out" }>["phase"]): Failure => ({
  kind: "timed-out",
  phase,
  limitMs: 60_000,
});
const lost = (loss: Extract<Failure, { kind: "picture-lost" }>["loss"]): Failure => ({
  kind: "picture-lost",
  name: "shot.png",
  loss,
});
const limited = (retryAfterMs: number): Failure => ({
  kind: "rate-limited",
  message: "",
  retryAfterMs,
});
const server = (retryAfterMs?: number): Failure => ({
  kind: "server",
  status: 503,
  message: "",
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const unauthorized = { kind: "unauthorized", host: "maas.test", message } as const;
const noHeader = { kind: "no-header", origin: ORIGIN, header: "X-Team" } as const;

/** Failure, its button, and the part of the sentence that says what happened and what to do. */
const CASES: readonly (readonly [Failure, action: string | undefined, part: RegExp])[] = [
  [{ kind: "truncated" }, "try-again", /^The reply was cut off\. Try again\.$/],
  [timedOut("silence"), "try-again", /^No data for 60 s\..* increase the timeout/],
  [timedOut("first-byte"), "try-again", /^No response within 60 s\. .* increase the timeout/],
  [timedOut("connect"), "try-again", /^No connection within 60 s\. Check your network/],
  [{ kind: "reported", message }, "try-again", /reported an error\..* Service message: “No\.”$/],
  [{ kind: "malformed", what: "web-page" }, "set-base-url", /sent a web page, not a reply/],
  [{ kind: "malformed", what: "empty" }, "try-again", /^Empty reply\./],
  [{ kind: "malformed", what: "no-text" }, "try-again", /^The reply was empty\./],
  [{ kind: "malformed", what: "unreadable" }, "try-again", /could not be read\./],
  [{ kind: "foreign", message }, "set-base-url", /not look like a chat-completion reply: “No\.”/],
  [{ ...rejected(404), about: "model" }, "set-model", /does not know this model\..*settings\.$/],
  [{ ...rejected(503), about: "model" }, "set-model", /does not know this model\..*settings\.$/],
  [{ ...rejected(400), message }, "try-again", /rejected the request \(400\)\..*“No\.”$/],
  [rejected(403), "set-api-key", /key does not allow this \(403\)\./],
  [rejected(404), "set-base-url", /^Nothing was found at https:\/\/maas\.test\/.* \(404\)\./],
  [rejected(405), "set-base-url", /completions does not accept chat requests \(405\)\./],
  [rejected(415), "try-again", /does not accept this type of content \(415\)\./],
  [rejected(422), "try-again", /could not process the request \(422\)\./],
  [unauthorized, "set-api-key", /^maas\.test rejected the API key\. .*“No\.”$/],
  [{ ...unauthorized, isKeyMissing: true }, "set-api-key", /^maas\.test needs an API key\./],
  [{ kind: "too-long", message }, "send-fewer", /conversation is too long\..*“No\.”$/],
  [{ kind: "too-long", message, isOnlyQuestion: true }, undefined, /question is too long\./],
  [{ kind: "quota", message }, undefined, /quota or credit .* is used up\. .*“No\.”$/],
  [lost("missing"), undefined, /^shot\.png is no longer on disk, so nothing was sent\./],
  [lost("damaged"), undefined, /^shot\.png is damaged on disk, so nothing was sent\./],
  [lost("unreadable"), undefined, /^shot\.png could not be read from disk, so nothing was sent\./],
  [{ kind: "too-large", message: "" }, undefined, /too large for the service \(413\)\. Send less/],
  [limited(61_000), "try-again", /^Too many requests \(429\)\. Try again in 61 s\.$/],
  [server(3_600_000), "try-again", /reported an error \(503\)\. Try again in 60 min\.$/],
  [server(), "try-again", /reported an error \(503\)\. Try again in a moment\.$/],
  [unreachable("refused"), "try-again", /^maas\.test refused the connection\./],
  [unreachable("dns"), "set-base-url", /^maas\.test was not found\./],
  [unreachable("reset"), "try-again", /^maas\.test closed the connection\./],
  [unreachable("tls-expired"), "try-again", /certificate of maas\.test has expired\./],
  [unreachable("tls-self-signed"), "try-again", /certificate of maas\.test is self-signed\./],
  [unreachable("tls-wrong-name"), "set-base-url", /certificate is not valid for maas\.test\./],
  [unreachable("tls-unknown-issuer"), "try-again", /issued by an unknown authority\./],
  [unreachable("proxy"), "try-again", /proxy refused the connection to maas\.test\./],
  [unreachable("bad-response"), "set-base-url", /^maas\.test does not respond with HTTP\./],
  [unreachable("browser"), "try-again", /^The browser blocked the response from maas\.test: /],
  [{ kind: "redirected", host: "other.test" }, "set-base-url", /redirects to other\.test\./],
  [{ kind: "redirected", host: "" }, "set-base-url", /does not say where to\./],
  [limit("text-bytes"), undefined, /^The reply exceeded 16 MB, .* shorter reply\.$/],
  [limit("event-bytes"), undefined, /^Part of the reply exceeded 16 MB, .* smaller picture\.$/],
  [limit("body-bytes"), undefined, /^The unpacked reply exceeded 16 MB, /],
  [limit("headers"), "set-base-url", /headers of the reply were too large\./],
  [{ kind: "no-key", origin: ORIGIN }, "set-api-key", /no API key for https:\/\/maas\.test\./],
  [noHeader, "set-secret-header", /"X-Team" has no value for https:\/\/maas\.test\./],
  [
    { kind: "no-profile", profile: "Work" },
    "switch-profile",
    /"Work" .* no longer in the settings/,
  ],
];

/** Actions that must be done before the rest of the reply can be requested. */
const FIRST_STEPS = "set-api-key set-base-url set-secret-header switch-profile set-model".split(
  " ",
);

describe("the sentence for a failure", () => {
  for (const [failure, action, part] of CASES) {
    it(`has the button ${action} and a remark about kept text: ${JSON.stringify(failure)}`, () => {
      const notice = failureNotice(failure, false);
      assert.match(plainNotice(notice), part);
      assert.equal(notice.action?.id, action);
      const withText = failureNotice(failure, true);
      assert.match(withText.text, / The text so far is kept\.( Choose Continue for the rest\.)?$/);
      assert.equal(withText.action?.id, FIRST_STEPS.includes(action ?? "") ? action : "continue");
    });
  }

  it("is in the user's language, with its values", () => {
    const failure = server(3_600_000);
    const notice = (hasText: boolean) =>
      withLanguage("zh-cn", () => plainNotice(failureNotice(failure, hasText)));
    assert.equal(notice(false), "服务报告了错误（503）。请在 60 分钟后重试。");
    assert.match(notice(true), /已保留目前的文本。$/);
  });

  it("names pictures by size, those without a size last", () => {
    const pictures = [
      { name: "small.png", bytes: 700 },
      { name: "checkout.png", bytes: 2.14 * MIB },
      { name: "https://example.com/a.png" },
    ];
    const { text } = failureNotice({ kind: "too-large", message: "", pictures }, false);
    assert.match(
      text,
      /included checkout\.png \(2\.1 MB\), small\.png \(700 bytes\), https.*\.png\. Send fewer/,
    );
  });

  it("names the largest of many pictures and counts the rest", () => {
    const pictures = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.png`,
      bytes: index * MIB,
    }));
    const { text } = failureNotice({ kind: "too-large", message: "", pictures }, false);
    assert.match(text, /included 19\.png \(19 MB\), 18\.png .*12\.png \(12 MB\), 12 more\. Send/);
  });
});

describe("the sentence for an ending", () => {
  const reply = (more: Partial<Reply>): Reply => ({
    role: "assistant",
    id: "1",
    parentId: null,
    text: "text",
    modelKind: "llm",
    modelCode: "core_llm",
    startedAtMs: 0,
    ...more,
  });
  const failed = { kind: "failed", failure: { kind: "truncated" } } as const;
  for (const [more, action, part] of [
    [{ ending: { kind: "cut-short" } }, "continue", /^Stopped at the length limit\.$/],
    [{ ending: { kind: "withheld", isTextKept: false } }, undefined, /blocked this reply\. Try re/],
    [
      { ending: { kind: "withheld", isTextKept: true } },
      undefined,
      /ended this reply\. .* is kept/,
    ],
    [{ ending: { kind: "tool-calls" } }, undefined, /function call\. It was not run\.$/],
    [{ ending: { kind: "complete" }, damagedParts: 1 }, undefined, /^1 damaged part .*Regenerate/],
    [{ ending: failed, damagedParts: 1 }, "continue", /^1 damaged part .* cut off\. .* is kept\./],
    [{ ending: { kind: "stopped" } }, "continue", /^Stopped\. The text so far is kept\.$/],
    [{ ending: { kind: "stopped" }, text: "" }, "try-again", /^Stopped\.$/],
  ] as const) {
    it(`has the button ${action} for ${JSON.stringify(more)}`, () => {
      const notice = panelMessages.ending(reply(more));
      assert.match(notice?.text ?? "", part);
      assert.equal(notice?.action?.id, action);
    });
  }

  it("does not exist for a whole reply", () => {
    assert.equal(panelMessages.ending(reply({ ending: { kind: "complete" } })), undefined);
  });
});

describe("the status while waiting", () => {
  it("shows for how long the service has been silent (row S26)", () => {
    const status = () => panelMessages.status({ kind: "waiting", forMs: 10_020 }, 0).text;
    assert.equal(status(), "Still waiting for the service (10 s)");
    assert.equal(withLanguage("zh-cn", status), "仍在等待服务响应（10 秒）");
  });

  it("counts down to the next attempt (rows S20 and S21)", () => {
    const failure: Failure = { kind: "server", status: 503, message: "" };
    const status = { kind: "retrying", attempt: 2, tries: 3, untilMs: 4_000, failure } as const;
    const shown = () => panelMessages.status(status, 0);
    assert.deepEqual(shown(), {
      text: "The service is busy (503). Try 2 of 3 in %s s.",
      untilMs: 4_000,
    });
    assert.equal(
      withLanguage("zh-cn", shown).text,
      "服务繁忙（503）。第 2 次尝试（共 3 次）将在 %s 秒后进行。",
    );
    const reset = { ...status, failure: unreachable("reset") };
    assert.match(panelMessages.status(reset, 0).text, /^The connection was lost\. Try 2 of 3/);
    const limited: Failure = { kind: "rate-limited", message: "" };
    assert.match(
      panelMessages.status({ ...status, failure: limited }, 0).text,
      /^The service is busy \(429\)\./,
    );
  });
});
