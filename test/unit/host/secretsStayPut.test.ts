/**
 * A canary key is sent through every fault of the reference service, also through those that send
 * the key back. No output contains the key: messages to the panel, the log, the disk, exports, the
 * inspector, and reports of the connection test.
 */
import assert from "node:assert/strict";
import { mapFailure } from "../../../src/ask/failure";
import { exportJson } from "../../../src/conversation/exportJson";
import { exportMarkdown } from "../../../src/conversation/exportMarkdown";
import { checkConnection, type CheckResult } from "../../../src/host/diagnostics/checks";
import { testReport } from "../../../src/host/diagnostics/report";
import { failureNotice } from "../../../src/host/messages/failureMessages";
import { plainNotice } from "../../../src/host/messages/notices";
import { requestDocument } from "../../../src/host/diagnostics/requestDocument";
import { RequestLog, type RequestRecord } from "../../../src/host/diagnostics/requestLog";
import { KnownSecrets, redactedLog } from "../../../src/host/settings/secrets";
import { panelMessages } from "../../../src/host/messages/panelMessages";
import { createClient } from "../../../src/service/client";
import { FAULT_FAMILIES, FAULTS } from "../../service/faults/faults";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig, type Page } from "../../support/chat/panelRig";
import { ManualClock } from "../../support/fakes/manualClock";
import { english } from "../../support/fakes/plainTranslate";
import { itWithRounds } from "../../support/depth";
import { askService, CANARY, connectionTo } from "../service/asking";

const NAMES = [...Object.keys(FAULTS), ...FAULT_FAMILIES.flatMap(({ examples }) => examples)];

/** Returns a number of faults, with all that send the key back. */
function someOf(names: readonly string[], count: number): readonly string[] {
  const step = Math.ceil(names.length / count);
  return names.filter((name, at) => at % step === 0 || /\bkey\b/.test(name));
}
const FAULT_COUNTS = { quick: 12, all: 1_000 };

/** A second secret in a header of a profile, and a third in a secret header. */
const SECOND = `${CANARY}-second`;
const THIRD = `${CANARY.toUpperCase()}-third`;
const HEADERS = { headers: { "x-api-key": SECOND }, secretHeaders: { "X-Team": THIRD } };

const ENCODINGS = [CANARY, encodeURIComponent(CANARY), btoa(CANARY).slice(0, 20)];

function assertNoKey(text: string, output: string): void {
  for (const encoding of ENCODINGS) {
    const at = text.toLowerCase().indexOf(encoding.toLowerCase());
    assert.equal(at, -1, `${output}: ${text.slice(Math.max(0, at - 80), at + 80)}`);
  }
}

const endingLabel = ({ ending }: RequestRecord): string =>
  ending?.failure === undefined
    ? String(ending?.kind)
    : plainNotice(failureNotice(mapFailure(ending.failure, "host"), false));

describe("a key in any fault", function () {
  this.timeout(300_000);
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  afterEach(() => service.reset());

  /** Opens a panel with an observed client. Its clock advances only if a fault needs that. */
  function openRig() {
    const clock = new ManualClock(Date.now());
    const requests = new RequestLog();
    const client = createClient({
      fetch: globalThis.fetch,
      clock,
      random: () => 0,
      observe: requests.observer(),
    });
    const rig = new PanelRig(service.url, undefined, { client, messages: panelMessages });
    rig.settings = { connection: connectionTo(service.url, HEADERS) };
    return { clock, requests, rig };
  }

  /** Sends a question for a fault and waits for the end of the reply. */
  async function ask(page: Page, name: string, { clock }: ReturnType<typeof openRig>) {
    // Waits between retries are skipped; for a silence fault, the clock advances.
    const isSilent = name.startsWith("silence");
    const timer = setInterval(() => {
      const last = page.received.at(-1);
      const isWaiting = last?.type === "turn-status" && last.untilMs !== undefined;
      if (isSilent || isWaiting) clock.advance(10_000);
    }, 5);
    const reply = await page.askToEnd(`/fault ${name}`);
    clearInterval(timer);
    return reply;
  }

  const nowhere =
    "is sent to no page, saved on no disk, exported to no file and shown in no request log";
  itWithRounds(nowhere, FAULT_COUNTS, async (count) => {
    const names = someOf(NAMES, count);
    const parts = openRig();
    const { rig, requests } = parts;
    const documents: string[] = [];
    let redactedNotices = 0;
    let lastId = 0;
    for (const name of names) {
      const page = await rig.openPage(true);
      const reply = await ask(page, name, parts);
      assert.ok(!reply.isStreaming, name);
      const live = await rig.conversations.get(page.shown.conversationId);
      assertNoKey(await exportJson(live.conversation, () => Promise.resolve(undefined)), name);
      const exported = await exportMarkdown(live.conversation, "pictures", EXPORT_WORDS, () =>
        Promise.resolve(undefined),
      );
      assertNoKey(exported.markdown, name);
      assertNoKey(JSON.stringify(page.received), name);
      if (reply.notice?.serviceMessage?.includes("[redacted]") === true) redactedNotices++;
      const records = requests.newestFirst().filter(({ id }) => id > lastId);
      lastId = records[0]?.id ?? lastId;
      for (const record of records) {
        const document = requestDocument(record, { t: english, ending: endingLabel });
        documents.push(document);
        assertNoKey(documents.at(-1) ?? "", name);
      }
    }
    await rig.conversations.close();

    const stored = [...rig.files.files].map(
      ([path, bytes]) => path + new TextDecoder().decode(bytes),
    );
    assertNoKey(stored.join("\n"), "what is stored");
    assertNoKey(rig.logged.join("\n"), "what is logged");

    // All requests were checked, and each of them contained the key.
    assert.ok(service.requests.length >= names.length);
    for (const { headers } of service.requests) {
      assert.equal(headers["authorization"], `Bearer ${CANARY}`);
      assert.equal(headers["x-api-key"], SECOND);
      assert.equal(headers["x-team"], THIRD);
    }
    assert.ok(documents.every((document) => document.includes("[redacted]")));
    assert.ok(documents.length >= names.length, "not every exchange was inspected");
    assert.ok(redactedNotices > 10, "no notice would have named a key");
    assert.ok(stored.length >= names.length, "not every conversation was stored");
    assert.ok(rig.logged.length >= names.length / 3, "too little was logged");
  });

  itWithRounds("is in no report of a connection test", FAULT_COUNTS, async (count) => {
    const names = NAMES.filter((name) => !/silence|bomb|socket-open|byte-every/.test(name));
    for (const fault of someOf(names, count)) {
      service.script({ fault }, { fault }, { fault });
      const results: CheckResult[] = [];
      const target = {
        baseUrl: service.url,
        connection: connectionTo(service.url, HEADERS),
        modelCodes: { llm: "core_llm", vl: "core_vl" },
      };
      const { signal } = new AbortController();
      const options = { fetch: globalThis.fetch };
      for await (const result of checkConnection(target, options, signal)) results.push(result);
      service.reset();
      const about = {
        startedAtMs: 0,
        profileName: undefined,
        versions: [],
        isCanceled: false,
        policy: [],
      };
      const failure = (notice: Parameters<typeof failureNotice>[0]) =>
        plainNotice(failureNotice(notice, false));
      const report = testReport({ ...about, ...target, results }, { t: english, failure });
      assertNoKey(report, fault);
    }
  });

  it("is in no logged request if the user typed it", async () => {
    const log = new RequestLog();
    await askService(service.url, `/echo my key is ${CANARY}`, {
      onExchange: log.observer(),
      connection: HEADERS,
    });
    const [record] = log.newestFirst();
    assert.ok(record);
    assert.equal(record.headers["x-team"], "••••hird");
    assertNoKey(requestDocument(record, { t: english, ending: endingLabel }), "document");
  });

  it("is removed from every line of the log in any encoding", () => {
    const lines: string[] = [];
    const write = (message: string) => void lines.push(message);
    const secrets = new KnownSecrets();
    const log = redactedLog({ info: write, warn: write, error: write }, secrets.redact);
    const key = "p@ss/w0rd+with=signs";
    secrets.add(key);
    log.info(`a ${key}`);
    log.warn(`b ${encodeURIComponent(key)}`);
    log.error(`c ${btoa(key)} ${JSON.stringify({ key })}`);
    log.error("d Authorization: Bearer another-key-nobody-told-of");
    assert.equal(lines.length, 4);
    for (const line of lines) {
      assert.ok(line.includes("[redacted]"), line);
      assert.ok(!/p@ss|p%40ss|another-key/.test(line), line);
      assert.ok(!line.includes(btoa(key).slice(0, 12)), line);
    }
    assert.equal(
      secrets.redactValues(`x ${key} password=hunter22`),
      "x [redacted] password=hunter22",
    );
  });
});

const EXPORT_WORDS = {
  untitled: "New conversation",
  you: "You",
  assistant: "Assistant",
  missingPicture: (name: string) => `(picture ${name} is missing)`,
  pictureNotShown: () => "",
  withheld: "(withheld)",
  unfinished: "(not finished)",
  thinking: "Thinking",
  gapBefore: "(messages are missing)",
  summary: (count: number) => `Summary of ${count}`,
  aside: "Aside",
  gapInside: "(text is missing)",
};
