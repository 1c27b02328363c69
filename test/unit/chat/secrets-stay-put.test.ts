/**
 * A canary key through the panel: every quick fault of the reference service is asked for with it,
 * and then it is looked for in everything the panel was told, logged, stored and exported.
 */
import assert from "node:assert/strict";
import { exportJson } from "../../../src/conversation/exportJson";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig } from "../../support/chat/panelRig";

const CANARY = "sk-canary-7f3a9c51d2e84b60";

/** One of each kind; those that only take long or are large are the client's own tests. */
const FAULTS = [
  ...["cut-clean", "cut-mid-stream", "reset-mid-stream", "reset-before-headers", "damaged-event"],
  ...[
    "error-object",
    "error-event",
    "error-object-first",
    "html-200",
    "json-error-200",
    "empty-200",
  ],
  ...["status-400", "status-401", "status-401-html", "status-403", "status-404", "status-413"],
  ...["status-422", "always-503", "retry-after-3600", "redirect-307-other", "garbage-status"],
  ...["gzip-wrong-header", "finish-length", "finish-content-filter", "done-junk", "odd-choices"],
];

describe("the key", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it("is in nothing the panel is told, nothing on disk and nothing exported", async () => {
    const rig = new PanelRig(service.url);
    rig.settings = {
      connection: {
        baseUrl: service.url,
        key: CANARY,
        connectTimeoutMs: 5_000,
        firstByteTimeoutMs: 5_000,
        silenceTimeoutMs: 5_000,
        retries: 0,
      },
    };
    const page = await rig.openPage();
    for (const fault of FAULTS) await page.askToEnd(`/fault ${fault}`);
    // A service that answers with the key it was given, in a failure's text.
    service.script({ status: 400, body: `bad key ${CANARY} refused` });
    await page.askToEnd("echo it");
    await rig.conversations.close();

    assert.ok(service.requests.length > FAULTS.length);
    assert.ok(service.requests.every(({ headers }) => headers["authorization"]?.includes(CANARY)));
    const live = await rig.conversations.get(page.shown.conversationId);
    const places: Record<string, string> = {
      "what the panel was told": JSON.stringify(page.received),
      "what is stored": [...rig.files.files.values()]
        .map((bytes) => new TextDecoder().decode(bytes))
        .join("\n"),
      "what is exported": await exportJson(live.conversation, () => Promise.resolve(undefined)),
      "what is logged": rig.logged.join("\n"),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.equal(text.includes(CANARY), false, place);
    }
    assert.ok(rig.logged.length >= FAULTS.length / 2, "nothing was logged");
  });
});
