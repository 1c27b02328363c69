/** Tests the panel over a line on which each message needs 300 ms, as over SSH or a tunnel. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { ALL } from "../support/depth";
import { PanelRig } from "../support/chat/panelRig";
import { startService, type ReferenceService } from "../service/server";
import { poll } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { realSession } from "./support/realSession";

const DELAY_MS = 300;

describe("the panel over a slow line", function () {
  this.timeout(120_000);
  const open = usePanel();
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  async function openSlow(rig = new PanelRig(service.url)) {
    const { session, options } = await realSession(rig, DELAY_MS);
    const host = await open(options);
    return { session, host, box: host.page.getByRole("textbox").first() };
  }

  it("streams a reply in many updates, although each request for text needs 600 ms", async () => {
    const { session, host, box } = await openSlow();
    const words = Array.from({ length: 120 }, (_, index) => `word${index} `);
    service.script({ blocks: words, delayMs: 20 });
    await host.waitFor("text-asked"); // The first reply needs no request.
    await box.fill("Count");
    await box.press("Enter");
    await session.until(() => session.lastReply?.isStreaming === false);
    const body = host.page.locator("article .reply-body").last();
    await poll(async () => (await body.innerText()).trim() === words.join("").trim(), "the reply");
    const asked = host.receivedOf("text-asked");
    assert.ok(
      asked.every(({ ahead }) => (ahead?.count ?? 0) >= 10),
      JSON.stringify(asked),
    );
    const deltas = session.received.filter(({ type }) => type === "turn-delta").length;
    assert.ok(deltas > 8, `${deltas} updates`);
  });

  it(`keeps what is typed while a reply streams and the question is accepted ${ALL}`, async () => {
    const { session, host, box } = await openSlow();
    service.script({ blocks: ["One ", { gate: true }, "two."] });
    await box.fill("Count");
    await box.press("Enter");
    await box.pressSequentially("and then", { delay: 30 });
    await host.page.getByText("One").first().waitFor();
    await box.pressSequentially(" three?", { delay: 30 });
    service.releaseGate();
    await session.until(() => session.lastReply?.isStreaming === false);
    await host.page.getByText("One two.").first().waitFor();
    assert.equal(await box.inputValue(), "and then three?");
    await poll(
      () => host.receivedOf("draft-changed").at(-1)?.text === "and then three?",
      "the draft",
    );
    await host.page.waitForTimeout(2 * DELAY_MS);
    assert.equal(await box.inputValue(), "and then three?");
  });
});
