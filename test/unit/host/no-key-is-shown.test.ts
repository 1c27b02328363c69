/**
 * A canary key goes through every fault, also those whose bodies send the key back: the inspector's
 * documents, its commands, the connection test's report and the log never hold it.
 */
import assert from "node:assert/strict";
import { mapFailure } from "../../../src/ask/failure";
import { checkConnection, type CheckResult } from "../../../src/host/connectionTest/checks";
import { testReport } from "../../../src/host/connectionTest/report";
import { curlCommand } from "../../../src/host/requests/curl";
import { requestDocument } from "../../../src/host/requests/requestDocument";
import { RequestLog, type RequestRecord } from "../../../src/host/requests/requestLog";
import { KnownSecrets, redactedLog } from "../../../src/host/secrets";
import { FAULT_FAMILIES, FAULTS } from "../../service/faults/faults";
import { startService, type ReferenceService } from "../../service/server";
import { english } from "../../support/plainTranslate";
import { askService, CANARY, connectionTo } from "../service/asking";

/** Without those that are long or wait in silence: they say nothing of their own. */
const NAMES = [
  ...Object.keys(FAULTS),
  ...FAULT_FAMILIES.flatMap(({ examples }) => examples),
].filter(
  (name) =>
    !/silence|only-comments|byte-a|million|endless|-big|mb$|bomb|socket-open|huge/.test(name),
);

const ending = ({ ending: how }: RequestRecord): string =>
  how?.failure === undefined ? String(how?.kind) : JSON.stringify(mapFailure(how.failure, "host"));

describe("a key", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it("is in no inspected request and no cURL command, whatever the fault", async () => {
    for (const name of NAMES) {
      const log = new RequestLog();
      const headers = { "x-api-key": `${CANARY}-second` };
      await askService(service.url, `/fault ${name}\nmy key is ${CANARY}`, {
        onExchange: log.observer(),
        connection: { headers },
      });
      assert.ok(log.newestFirst().length > 0, name);
      for (const record of log.newestFirst()) {
        const text = requestDocument(record, { t: english, ending }) + curlCommand(record, english);
        assert.ok(!text.includes(CANARY), name);
        assert.ok(!text.includes(btoa(CANARY).slice(0, 20)), name);
        assert.ok(text.includes("[redacted]"), name);
      }
    }
  });

  it("is in no report of a connection test, whatever the fault", async () => {
    for (const fault of NAMES.filter((name) => /key|error|redirect/.test(name))) {
      service.script({ fault }, { fault }, { fault });
      const results: CheckResult[] = [];
      const target = {
        baseUrl: service.url,
        connection: connectionTo(service.url),
        modelCodes: { llm: "core_llm", vl: "core_vl" },
      };
      const { signal } = new AbortController();
      const options = { fetch: globalThis.fetch };
      for await (const result of checkConnection(target, options, signal)) results.push(result);
      service.reset();
      const report = testReport(
        {
          startedAtMs: 0,
          profileName: undefined,
          versions: [],
          isCancelled: false,
          ...target,
          results,
        },
        { t: english, failure: (failure) => JSON.stringify(failure) },
      );
      assert.ok(!report.includes(CANARY), fault);
    }
  });

  it("is taken out of every line of the log, however it is written", () => {
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
