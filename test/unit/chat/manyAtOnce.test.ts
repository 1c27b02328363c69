/**
 * Many conversations run at once and some fail: each text stays in its own conversation or
 * document.
 */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { systemClock } from "../../../src/base/clock";
import type { TurnSettings } from "../../../src/chat/conversation/prepareTurn";
import { askServiceWith, withLongReply } from "../../../src/host/settings/askService";
import { EditSession } from "../../../src/edit/editSession";
import { PendingEdit } from "../../../src/edit/pendingEdit";
import { createClient } from "../../../src/service/client";
import { PanelRig } from "../../support/chat/panelRig";
import { FakeDocument } from "../edit/fakeDocument";
import { connectionTo } from "../service/asking";

describe("twenty conversations at once", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function askInPanels(rig: PanelRig): Promise<void> {
    const pages = await Promise.all(Array.from({ length: 20 }, () => rig.openPage(true)));
    const replies = await Promise.all(
      pages.map((page, index) =>
        page.askToEnd(index % 5 === 4 ? "/fault cut-clean" : `/echo text of ${index}`),
      ),
    );
    replies.forEach((reply, index) => {
      if (index % 5 === 4) assert.equal(reply.notice?.text, "truncated");
      else assert.match(reply.text, new RegExp(`text of ${index}\\b`));
    });
  }

  /** Rewrites a line of a separate document; the service rejects the fifth request. */
  async function editInline(index: number): Promise<void> {
    const settings: TurnSettings = {
      modelKind: "llm",
      profile: "",
      modelCode: "core_llm",
      systemPrompt: "",
      sampling: {},
      isStreamed: true,
      budgetTokens: 32_000,
      contentFilter: "withdraw",
      connection: connectionTo(service.url),
    };
    const client = createClient({ fetch: globalThis.fetch });
    const prepareTurn = () => Promise.resolve(settings);
    const document = new FakeDocument("above\n", `line ${index}`, "\nbelow\n");
    const target = { start: 6, lines: [`line ${index}`], eol: "\n", version: 1 } as const;
    const session = new EditSession(target, document, systemClock);
    document.sessions.push(session);
    const edit = new PendingEdit(
      session,
      { indent: { base: "", usesTabs: false, size: 2 }, isProse: false },
      {
        ask: askServiceWith({ client, prepareTurn }, withLongReply),
        changed: () => undefined,
        clean: (line) => line,
        nowMs: () => systemClock.nowMs(),
      },
    );
    const isFailing = index === 4;
    const text = isFailing ? "/fault status-400" : `/echo \`\`\`\nEDIT ${index}\n\`\`\`\n`;
    const finished = edit.ask([{ kind: "text", text }]);
    while (edit.report === undefined) {
      await document.settle();
      await new Promise(setImmediate);
    }
    const report = await finished;
    assert.equal(report?.ending.kind, isFailing ? "failed" : "complete");
    const line = isFailing ? "line 4" : `EDIT ${index}`;
    assert.equal(document.text, `above\n${line}\nbelow\n`);
  }

  it("each receive their own reply during five inline edits", async () => {
    const edits = Array.from({ length: 5 }, (_, index) => editInline(index));
    await Promise.all([askInPanels(new PanelRig(service.url)), ...edits]);
  });
});
