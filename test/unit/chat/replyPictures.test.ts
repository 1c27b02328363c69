/** Pictures that a model makes, through the panel's logic and a real service: shown, saved and named. */
import assert from "node:assert/strict";
import { storeReplyPicture } from "../../../src/chat/conversation/replyPictures";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat } from "../../support/chat/panelRig";
import { madePng } from "../../support/pictures/madePng";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const DATA = base64(madePng(40, 30));
const URL = `data:image/png;base64,${DATA}`;

describe("a picture that a model makes", () => {
  const service = suiteService();

  it("is shown while the reply continues, and stays after a crash and after Stop", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: [`First.\n\n![a](${URL})\n\n`, { gate: true }, "Second."] });
    await page.ask("Draw.");
    await page.until(() => page.lastReply?.pictures?.length === 1);
    assert.equal(page.lastReply?.isStreaming, true);
    const { files, shownId } = rig;
    const crashed = await new PanelRig(service.url, { files, shownId: shownId ?? "" }).openPage();
    assert.equal(crashed.lastReply?.pictures?.length, 1);
    await page.act("stop");
    await page.untilEnded();
    assert.equal(page.lastReply.pictures?.length, 1);
  });

  it("is no missing answer to the next question if it has no text", async () => {
    const { page } = await openChat(service.url);
    service.script({ text: `![a](${URL})` });
    await page.askToEnd("Draw.");
    await page.askToEnd("What is it?");
    const { messages } = service.requests[1]?.body as { messages: { content: unknown }[] };
    assert.match(JSON.stringify(messages[1]?.content), /The answer is a picture/);
  });

  it("is counted beyond sixteen", async () => {
    const { page } = await openChat(service.url);
    const urls = Array.from({ length: 20 }, (_none, at) => base64(madePng(20 + at, 20)));
    service.script({ text: urls.map((data) => `![](data:image/png;base64,${data})\n`).join("") });
    const { pictures = [] } = await page.askToEnd("Draw 20.");
    assert.equal(pictures.filter(({ picture }) => picture).length, 16);
    assert.equal(pictures.at(-1)?.detail, "not shown (too-many): 4");
  });

  const large = Buffer.from(madePng(10, 10));
  large.writeUInt32BE(20_000, 16);
  large.writeUInt32BE(20_000, 20);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>';
  for (const [name, url, expected] of [
    ["base64 of URLs", URL.replaceAll("+", "-").replaceAll("/", "_"), "image"],
    ["percent signs in base64", `data:image/png;base64,${encodeURIComponent(DATA)}`, "image"],
    ["base64 alone", DATA, "image"],
    ["a wrong type", `data:text/plain;base64,${DATA}`, "image"],
    ["an address", "https://pictures.test/a.png?key=1", "web: pictures.test/a.png"],
    ["a truncated picture", URL.slice(0, -20), "damaged: image/png"],
    ["no base64", "data:image/png;base64,%%%", "damaged: image/png"],
    [
      "a huge header",
      `data:image/png;base64,${base64(large)}`,
      "too-large: image/png, 20000×20000",
    ],
    ["an SVG", `data:image/svg+xml;base64,${btoa(svg)}`, "undefined: image/svg+xml"],
    ["the id of a file", "file-abc", "undefined: file-abc"],
  ] as const) {
    it(`is shown, or named with the reason: ${name}`, async () => {
      const store = () => Promise.resolve({ hash: "0".repeat(64), isSaved: true });
      const made = await storeReplyPicture(url, 1, { store });
      const found = made.kind === "image" ? "image" : `${made.reason}: ${made.name}`;
      assert.equal(found, expected);
    });
  }
});
