/**
 * Many conversations at once, some of them failing: every text stays where it belongs.
 */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig } from "../../support/chat/panelRig";

describe("twenty conversations at once", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it("get each their own reply and no other", async () => {
    const rig = new PanelRig(service.url);
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
  });
});
