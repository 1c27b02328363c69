/**
 * Proposals for redaction through the panel's logic and a real service: one request, whose picture and reply
 * are in no file of the history, and whose areas are in pixels of the attached picture.
 */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import type { Page, PanelRig } from "../../support/chat/panelRig";
import { drawPicture, offerPicture, openVisionChat } from "../../support/chat/picturePage";
import { madePng } from "../../support/pictures/madePng";

const SCALE = { scales: ["thousand"], isChosen: false };
const FACE = '```json\n[{"bbox_2d": [100, 200, 300, 400], "label": "face", "picture": 1}]\n```';

describe("finding what to redact", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(() => service.reset());

  async function openWithPicture() {
    const opened = await openVisionChat(service.url);
    await offerPicture(opened.page, "Ada Byron.png", madePng(2000, 1000));
    opened.rig.settings = {};
    return opened;
  }

  /** Asks about the whole picture or a part; the page draws a picture of this size. */
  async function search(page: Page, area = { x: 0, y: 0, widthPx: 2000, heightPx: 1000 }) {
    const hash = page.shown.attachments[0]?.picture?.hash ?? "";
    const asked = page.post({ type: "picture-redactions-asked", hash, marks: "[]", ...area });
    await drawPicture(page, { bytes: madePng(area.widthPx, area.heightPx), x: 0, y: 0 });
    return { asked };
  }

  const filesOf = ({ files }: PanelRig) => new Map(files.files);

  it("returns areas of the attached picture, with the kinds that the reply names", async () => {
    const { rig, page } = await openWithPicture();
    rig.coordinates = SCALE;
    service.script({ blocks: [FACE] });
    const { asked } = await search(page, { x: 1000, y: 500, widthPx: 1000, heightPx: 500 });
    const reply = await asked;
    assert.equal(reply?.isAccepted, true);
    assert.equal(reply.redactions?.modelCode, "core_vl");
    const [reading, ...others] = reply.redactions.readings;
    assert.deepEqual(others, []);
    // A tenth to three tenths of the part, and one step of the scale of the picture more on each side.
    assert.deepEqual(reading?.areas, [
      { kind: "face", label: "", x: 1098, y: 599, width: 204, height: 102 },
    ]);
    assert.equal(service.requests.length, 1);
  });

  it("lets the user choose between scales that fit the reply", async () => {
    const { page } = await openWithPicture();
    service.script({ blocks: [FACE] });
    const { asked } = await search(page);
    const readings = (await asked)?.redactions?.readings ?? [];
    assert.ok(readings.length > 1);
    assert.ok(readings.every(({ scale, areas }) => scale !== undefined && areas.length === 1));
  });

  it("writes neither the sent picture nor anything of the exchange to a file or the log", async () => {
    const { rig, page } = await openWithPicture();
    rig.coordinates = SCALE;
    await rig.history.drafts.flush();
    const before = filesOf(rig);
    const words = "Rosalind Quillfeather";
    service.script({ blocks: [FACE.replace("face", words)] });
    const { asked } = await search(page, { x: 0, y: 0, widthPx: 640, heightPx: 480 });
    assert.equal((await asked)?.redactions?.readings[0]?.areas[0]?.label, words);
    await rig.history.drafts.flush();
    const sent = service.requests[0]?.pictures[0];
    assert.equal(sent?.widthPx, 640);
    const added = [...filesOf(rig)].filter(
      ([path, bytes]) => Buffer.compare(before.get(path) ?? Buffer.alloc(0), bytes) !== 0,
    );
    assert.deepEqual(
      added.map(([path]) => path),
      [],
    );
    const png = madePng(640, 480);
    for (const [path, bytes] of rig.files.files) {
      const stored = Buffer.from(bytes);
      for (const kept of [words, "blacked out", png, png.toString("base64")]) {
        assert.equal(stored.includes(kept), false, path);
      }
    }
    assert.ok(![...rig.logged].some((line) => line.includes(words) || line.includes("blacked")));
    await page.post({
      type: "history-asked",
      text: "Quillfeather",
      isInBin: false,
      isThisWorkspace: false,
    });
    await page.until(() => page.shown.history !== undefined);
    assert.deepEqual(page.shown.history?.rows, []);
  });

  for (const [name, text] of [
    ["an empty list", "[]"],
    ["an empty list in a code block", "```json\n[]\n```"],
  ] as const) {
    it(`finds nothing in ${name}`, async () => {
      const { page } = await openWithPicture();
      service.script({ text });
      const { redactions } = (await (await search(page)).asked) ?? {};
      assert.deepEqual(redactions?.readings, []);
      assert.equal(redactions.isUnreadable, undefined);
    });
  }

  it("reports a reply without positions as unreadable, not as a picture without private areas", async () => {
    const { page } = await openWithPicture();
    service.script({ text: "I cannot identify people in pictures." });
    const reply = await (await search(page)).asked;
    assert.equal(reply?.redactions?.isUnreadable, true);
  });

  it("reports a refused request", async () => {
    const { page } = await openWithPicture();
    service.script({ status: 401, body: "{}" });
    const reply = await (await search(page)).asked;
    assert.equal(reply?.isAccepted, false);
    assert.equal(reply.notice?.text, "unauthorized");
  });

  it("keeps the areas of a reply that was cut short, and reports the cut", async () => {
    const { rig, page } = await openWithPicture();
    rig.coordinates = SCALE;
    service.script({ text: FACE, finishReason: "length" });
    const reply = await (await search(page)).asked;
    assert.equal(reply?.redactions?.readings[0]?.areas.length, 1);
    assert.equal(reply.notice?.text, "cut-short");
  });

  it("stops, and closes the connection", async () => {
    const { page } = await openWithPicture();
    service.script({ blocks: ["```json\n", { gate: true }, "[]\n```"] });
    const { asked } = await search(page);
    while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await page.post({ type: "picture-redactions-stopped" });
    assert.deepEqual(await asked, { isAccepted: false });
  });

  it("names the service before anything is sent, and searches a known text without a request", async () => {
    const { page } = await openWithPicture();
    const text = "Write to élodie.m@büro.example\npassword = Tr0ub4dor&3x\nnobody@ or @home";
    const reply = await page.post({ type: "picture-redactions-opened", text });
    const { host, modelCode, matches = [] } = reply?.redactions ?? {};
    assert.deepEqual(
      { host, modelCode },
      { host: new URL(service.url).host, modelCode: "core_vl" },
    );
    assert.deepEqual(
      matches.map(({ kind, start, end }) => [kind, text.slice(start, end)]),
      [
        ["email", "élodie.m@büro.example"],
        ["key", "Tr0ub4dor&3x"],
      ],
    );
    assert.deepEqual(service.requests, []);
  });

  it("sends nothing where the policy forbids pictures", async () => {
    const { rig, page } = await openWithPicture();
    rig.settings = { modelKind: "llm", modelCode: "core_llm" };
    const opened = await page.post({ type: "picture-redactions-opened", text: "" });
    assert.equal(opened?.notice?.text, "no pictures");
    assert.equal(opened.redactions?.host, "");
    assert.equal((await (await search(page)).asked)?.notice?.text, "no pictures");
    assert.deepEqual(service.requests, []);
  });
});
