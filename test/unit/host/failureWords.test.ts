/**
 * What a person reads for every failure, in both languages, and the one button that goes with it:
 * the words of the list of faults, S3 to S31.
 */
import assert from "node:assert/strict";
import type { Failure } from "../../../src/conversation/ending";
import type { Reply } from "../../../src/conversation/message";
import { failureNotice } from "../../../src/host/messages/failureMessages";
import { panelMessages } from "../../../src/host/messages/panelMessages";
import { speaking } from "../../support/vscodeWords";

const MIB = 1024 * 1024;
const url = "https://maas.test/maas/v1/chat/completions";
const message = "No.";

const unreachable = (cause: Extract<Failure, { kind: "unreachable" }>["cause"]): Failure => ({
  kind: "unreachable",
  host: "maas.test",
  cause,
});
const rejected = (status: number): Failure => ({ kind: "rejected", status, url, message: "" });
const limit = (name: Extract<Failure, { kind: "over-limit" }>["limit"], mib: number): Failure => ({
  kind: "over-limit",
  limit: name,
  maxBytes: mib * MIB,
});

/** Row, failure, what is read when nothing had arrived, its button; then the same with text. */
const CASES: readonly (readonly [
  row: string,
  failure: Failure,
  english: string,
  chinese: string,
  action: string | undefined,
])[] = [
  [
    "S3",
    { kind: "truncated" },
    "The reply was cut off. Try again.",
    "回复中途断开。请重试。",
    "try-again",
  ],
  [
    "S4",
    { kind: "timed-out", phase: "silence", limitMs: 60_000 },
    "No data for 60 s. Try again, or raise the time-out in the settings.",
    "60 秒没有数据。请重试，或在设置中延长超时。",
    "try-again",
  ],
  [
    "S15",
    { kind: "reported", message: "Too busy." },
    "The service reported an error: Too busy. Try again.",
    "服务报告错误：Too busy。请重试。",
    "try-again",
  ],
  [
    "S16",
    { kind: "malformed", what: "web-page" },
    "The server sent a web page, not a reply. Check the base URL or a proxy's sign-in.",
    "服务器返回的是网页而不是回复。请检查基础 URL 或代理的登录状态。",
    "set-base-url",
  ],
  [
    "S18",
    { kind: "malformed", what: "empty" },
    "Empty reply. Try again.",
    "回复为空。请重试。",
    "try-again",
  ],
  [
    "S37",
    { kind: "malformed", what: "no-text" },
    "The reply was empty. Try again.",
    "回复没有内容。请重试。",
    "try-again",
  ],
  [
    "S40",
    { kind: "rejected", status: 404, url, message, about: "model" },
    "The service does not know this model. Check the model code in the settings. The service says: No.",
    "服务不认识该模型。请检查设置中的模型代码。服务说明：No.",
    "set-model",
  ],
  [
    "S15",
    { kind: "reported", message, about: "key" },
    "The service refused the API key. Set another one. The service says: No.",
    "服务拒绝了该 API 密钥。请设置其他密钥。服务说明：No.",
    "set-api-key",
  ],
  [
    "S19",
    { kind: "rejected", status: 400, url, message },
    "The service rejected the request (400). Change it and send it again. The service says: No.",
    "服务拒绝了请求（400）。请修改后重新发送。服务说明：No.",
    "try-again",
  ],
  [
    "S19",
    { kind: "unauthorized", host: "maas.test", message: "" },
    "The API key for maas.test is missing or wrong (401). Set it.",
    "maas.test 的 API 密钥缺失或不正确（401）。请设置密钥。",
    "set-api-key",
  ],
  [
    "S19",
    rejected(403),
    "The key is not allowed to do this (403). Check it with the service's operator.",
    "该密钥无权执行此操作（403）。请向服务运营方确认。",
    "set-api-key",
  ],
  [
    "S19",
    rejected(404),
    `Nothing was found at ${url} (404). Check the base URL.`,
    `${url} 处没有内容（404）。请检查基础 URL。`,
    "set-base-url",
  ],
  [
    "S19",
    rejected(405),
    `${url} does not take questions (405). Check the base URL.`,
    `${url} 不接受提问（405）。请检查基础 URL。`,
    "set-base-url",
  ],
  [
    "D2",
    { kind: "picture-lost", name: "shot.png", loss: "missing" },
    "shot.png is no longer on the disk, so nothing was sent. Ask again without it, or attach it anew.",
    "shot.png 已不在磁盘上，因此未发送任何内容。请去掉它再提问，或重新附加。",
    undefined,
  ],
  [
    "D2",
    { kind: "picture-lost", name: "shot.png", loss: "damaged" },
    "shot.png is damaged on the disk, so nothing was sent. Ask again without it, or attach it anew.",
    "shot.png 在磁盘上已损坏，因此未发送任何内容。请去掉它再提问，或重新附加。",
    undefined,
  ],
  [
    "D4",
    { kind: "picture-lost", name: "shot.png", loss: "unreadable" },
    "shot.png could not be read from the disk, so nothing was sent. Try again, or ask without it.",
    "无法从磁盘读取 shot.png，因此未发送任何内容。请重试，或去掉它再提问。",
    undefined,
  ],
  [
    "S19",
    { kind: "too-large", message: "" },
    "The request was too large for the service (413). Send less, or start a new conversation.",
    "请求超出服务允许的大小（413）。请减少发送内容，或新建对话。",
    undefined,
  ],
  [
    "S19",
    {
      kind: "too-large",
      message: "",
      pictures: [
        { name: "small.png", bytes: 700 },
        { name: "checkout.png", bytes: 2.14 * MIB },
        { name: "cart.png", bytes: 300 * 1024 },
        { name: "https://example.com/a.png" },
      ],
    },
    "The request was too large for the service (413): it held checkout.png (2.2 MB), " +
      "cart.png (307 KB), small.png (1 KB), https://example.com/a.png. " +
      "Send fewer or smaller pictures.",
    "请求超出服务允许的大小（413）：其中包含 checkout.png (2.2 MB), cart.png (307 KB), " +
      "small.png (1 KB), https://example.com/a.png。请减少或缩小图片。",
    undefined,
  ],
  [
    "S19",
    rejected(415),
    "The service does not take this kind of content (415). Leave out what is attached, or choose another model.",
    "服务不接受这类内容（415）。请去掉附件，或选择其他模型。",
    "try-again",
  ],
  [
    "S19",
    rejected(422),
    "The service could not make sense of the request (422). Check model and settings, then try again.",
    "服务无法处理该请求（422）。请检查模型和设置，然后重试。",
    "try-again",
  ],
  [
    "S21",
    { kind: "rate-limited", message: "", retryAfterMs: 61_000 },
    "Too many requests (429). Try again in 61 s.",
    "请求过多（429）。请在 61 秒后重试。",
    "try-again",
  ],
  [
    "S21",
    { kind: "server", status: 503, message: "", retryAfterMs: 3_600_000 },
    "The service is failing (503). Try again in 60 min.",
    "服务出现故障（503）。请在 60 分钟后重试。",
    "try-again",
  ],
  [
    "S22",
    { kind: "server", status: 503, message: "" },
    "The service is failing (503). Try again later.",
    "服务出现故障（503）。请稍后重试。",
    "try-again",
  ],
  [
    "S23",
    unreachable("refused"),
    "maas.test refused the connection. Check the base URL and that the service runs.",
    "maas.test 拒绝连接。请检查基础 URL 以及服务是否在运行。",
    "try-again",
  ],
  [
    "S23",
    unreachable("dns"),
    "maas.test was not found. Check the base URL and your network.",
    "找不到 maas.test。请检查基础 URL 和网络。",
    "set-base-url",
  ],
  [
    "S23",
    unreachable("reset"),
    "maas.test closed the connection. Try again.",
    "maas.test 关闭了连接。请重试。",
    "try-again",
  ],
  [
    "S23",
    unreachable("tls-expired"),
    "The certificate of maas.test has expired. Its operator must renew it.",
    "maas.test 的证书已过期。须由其运营方更新。",
    "try-again",
  ],
  [
    "S23",
    unreachable("tls-self-signed"),
    "The certificate of maas.test is self-signed. Add it to the system's trusted certificates if it is yours.",
    "maas.test 的证书是自签名的。如果它属于你，请将其加入系统的受信任证书。",
    "try-again",
  ],
  [
    "S23",
    unreachable("tls-wrong-name"),
    "The certificate is not for maas.test. Check the base URL.",
    "证书不是为 maas.test 签发的。请检查基础 URL。",
    "set-base-url",
  ],
  [
    "S23",
    unreachable("tls-unknown-issuer"),
    "The certificate of maas.test comes from an unknown issuer. Add the issuer to the system's trusted certificates.",
    "maas.test 的证书由未知机构签发。请将该机构加入系统的受信任证书。",
    "try-again",
  ],
  [
    "S23",
    unreachable("proxy"),
    "The proxy refused the connection to maas.test. Sign in to it or check the proxy settings.",
    "代理拒绝连接到 maas.test。请登录代理或检查代理设置。",
    "try-again",
  ],
  [
    "S25",
    { kind: "redirected", host: "other.test" },
    "The server redirects to other.test; set that as base URL if you trust it.",
    "服务器重定向到 other.test；如果信任它，请将其设为基础 URL。",
    "set-base-url",
  ],
  [
    "S25",
    { kind: "redirected", host: "" },
    "The server redirects without saying where to. Check the base URL.",
    "服务器要求重定向，但没有说明目标。请检查基础 URL。",
    "set-base-url",
  ],
  [
    "S26",
    { kind: "timed-out", phase: "first-byte", limitMs: 60_000 },
    "No answer within 60 s. Try again, or raise the time-out in the settings.",
    "60 秒内没有应答。请重试，或在设置中延长超时。",
    "try-again",
  ],
  [
    "S26",
    { kind: "timed-out", phase: "connect", limitMs: 10_000 },
    "No connection within 10 s. Check your network or try again.",
    "10 秒内未能建立连接。请检查网络或重试。",
    "try-again",
  ],
  [
    "S27",
    limit("text-bytes", 16),
    "The reply was longer than 16 MiB, so it was stopped. Ask for less.",
    "回复长度超过 16 MiB，已停止。请缩小提问范围。",
    undefined,
  ],
  [
    "S28",
    limit("event-bytes", 8),
    "One part of the reply was larger than 8 MiB, so it was stopped. Ask for less.",
    "回复的一个部分超过 8 MiB，已停止。请缩小提问范围。",
    undefined,
  ],
  [
    "S30",
    { kind: "malformed", what: "unreadable" },
    "The reply could not be read. Try again.",
    "无法读取回复。请重试。",
    "try-again",
  ],
  [
    "S30",
    limit("body-bytes", 64),
    "The reply was larger than 64 MiB unpacked, so it was stopped. Check the service.",
    "回复解压后超过 64 MiB，已停止。请检查服务。",
    undefined,
  ],
  [
    "S31",
    unreachable("bad-response"),
    "maas.test does not answer in HTTP. Check the base URL.",
    "maas.test 的应答不是 HTTP。请检查基础 URL。",
    "set-base-url",
  ],
  [
    "S31",
    limit("headers", 0),
    "The reply's headers were too large. Check the base URL.",
    "回复的标头过大。请检查基础 URL。",
    "set-base-url",
  ],
  [
    "D8",
    { kind: "no-key", origin: "https://maas.test" },
    "There is no API key for https://maas.test. Set it to begin.",
    "没有 https://maas.test 的 API 密钥。请先设置密钥。",
    "set-api-key",
  ],
  [
    "D8",
    { kind: "no-header", origin: "https://maas.test", header: "X-Team" },
    'The secret header "X-Team" has no value for https://maas.test. Set it to begin.',
    "机密请求头“X-Team”对 https://maas.test 尚无值。请先设置。",
    "set-secret-header",
  ],
  [
    "D8",
    { kind: "no-profile", profile: "Work" },
    'The profile "Work" of this conversation is no longer in the settings. Switch to another one.',
    "设置中已没有此对话的配置“Work”。请切换到其他配置。",
    "switch-profile",
  ],
  [
    "S23",
    unreachable("browser"),
    "The browser let no answer of maas.test through: it is out of reach, or allows no web pages (CORS). Use VS Code on the desktop, or ask its operator to allow this page.",
    "浏览器未放行 maas.test 的应答：它无法访问，或不允许网页访问（CORS）。请使用桌面版 VS Code，或请其运营方允许此页面。",
    "try-again",
  ],
];

/** What is mended elsewhere first, before the rest can be asked for. */
const ELSEWHERE = new Set([
  "set-api-key",
  "set-base-url",
  "set-secret-header",
  "switch-profile",
  "set-model",
]);

describe("the sentence for a failure", () => {
  for (const [row, failure, english, chinese, action] of CASES) {
    it(`of row ${row}: ${english}`, () => {
      const notice = failureNotice(failure, false);
      assert.equal(notice.text, english);
      assert.equal(notice.action?.id, action);
      assert.equal(
        speaking("zh-cn", () => failureNotice(failure, false).text),
        chinese,
      );
    });

    it(`of row ${row} with text says that it is kept: ${english}`, () => {
      const notice = failureNotice(failure, true);
      assert.match(notice.text, / What arrived is kept(\.|; continue to get the rest\.)$/);
      const isElsewhere = ELSEWHERE.has(action ?? "");
      assert.equal(notice.action?.id, isElsewhere ? action : "continue");
      const inChinese = speaking("zh-cn", () => failureNotice(failure, true).text);
      assert.match(inChinese, /已收到的内容已保留(。|；点击“继续”获取其余部分。)$/);
    });
  }

  it("names the largest of many pictures and counts the rest", () => {
    const pictures = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.png`,
      bytes: index * MIB,
    }));
    const { text } = failureNotice({ kind: "too-large", message: "", pictures }, false);
    assert.match(text, /held 19\.png \(20 MB\), 18\.png .*12\.png \(13 MB\), 12 more\. Send/);
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
  const check = (
    what: string,
    more: Partial<Reply>,
    english: string | undefined,
    chinese: string | undefined,
    action: string | undefined,
  ): void => {
    it(`of ${what}`, () => {
      const notice = panelMessages.ending(reply(more));
      assert.equal(notice?.text, english);
      assert.equal(notice?.action?.id, action);
      assert.equal(
        speaking("zh-cn", () => panelMessages.ending(reply(more))?.text),
        chinese,
      );
    });
  };
  check("S9, a whole reply", { ending: { kind: "complete" } }, undefined, undefined, undefined);
  check(
    "S10, the length limit",
    { ending: { kind: "cut-short" } },
    "Stopped at the length limit.",
    "因达到长度上限而停止。",
    "continue",
  );
  check(
    "S10, the safety review, text withdrawn",
    { ending: { kind: "withheld", isTextKept: false } },
    "The service's safety review withheld the reply. Ask in other words.",
    "服务的安全审查扣留了回复。请换一种说法提问。",
    undefined,
  );
  check(
    "S10, the safety review, text kept",
    { ending: { kind: "withheld", isTextKept: true } },
    "The service's safety review ended the reply. What arrived is kept.",
    "服务的安全审查终止了回复。已收到的内容已保留。",
    undefined,
  );
  check(
    "S10, a function call",
    { ending: { kind: "tool-calls" } },
    "The model asked for a function call. It is shown and was not run.",
    "模型请求调用函数。调用已显示，但未执行。",
    undefined,
  );
  check(
    "S13, a damaged part in a whole reply",
    { ending: { kind: "complete" }, damagedParts: 1 },
    "1 damaged part was skipped.",
    "已跳过 1 个损坏的部分。",
    undefined,
  );
  check(
    "S12, a damaged end",
    { ending: { kind: "failed", failure: { kind: "truncated" } }, damagedParts: 1 },
    "The reply was cut off. What arrived is kept; continue to get the rest. 1 damaged part was skipped.",
    "回复中途断开。已收到的内容已保留；点击“继续”获取其余部分。 已跳过 1 个损坏的部分。",
    "continue",
  );
  check(
    "Stop",
    { ending: { kind: "stopped" } },
    "Stopped. What arrived is kept.",
    "已停止。已收到的内容已保留。",
    "continue",
  );
  check(
    "Stop before any text",
    { ending: { kind: "stopped" }, text: "" },
    "Stopped.",
    "已停止。",
    "try-again",
  );
});

describe("the passing word", () => {
  it("of row S26 says that it waits", () => {
    const say = () => panelMessages.status({ kind: "waiting", forMs: 10_020 }, 0).text;
    assert.equal(say(), "Still waiting for the service (10 s)");
    assert.equal(speaking("zh-cn", say), "仍在等待服务（10 秒）");
  });

  it("of rows S20 and S21 counts down to the next try", () => {
    const failure: Failure = { kind: "server", status: 503, message: "" };
    const status = { kind: "retrying", attempt: 2, tries: 3, untilMs: 4_000, failure } as const;
    const say = () => panelMessages.status(status, 0);
    assert.deepEqual(say(), { text: "Busy (503). Try 2 of 3 in %s s.", untilMs: 4_000 });
    assert.equal(
      speaking("zh-cn", say).text,
      "服务繁忙（503）。第 2 次尝试（共 3 次）将在 %s 秒后进行。",
    );
    const reset = { ...status, failure: unreachable("reset") };
    assert.match(panelMessages.status(reset, 0).text, /^The connection was lost\. Try 2 of 3/);
    const limited: Failure = { kind: "rate-limited", message: "" };
    assert.match(panelMessages.status({ ...status, failure: limited }, 0).text, /^Busy \(429\)\./);
  });
});
