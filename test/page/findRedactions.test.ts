/** Proposals for redaction in the editor: nothing is sent unasked, and what is taken is a mark like others. */
import assert from "node:assert/strict";
import type { HostReply } from "../../src/protocol/toView";
import type { AttachmentView } from "../../src/protocol/views";
import { sha256 } from "../../src/base/sha256";
import { madePdf } from "../support/pictures/madePdf";
import { madePng } from "../support/pictures/madePng";
import { violationsInEveryTheme } from "./support/everyTheme";
import { usePanel } from "./support/panelSuite";

const SIZE = { widthPx: 400, heightPx: 200 };
const BADGE: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "badge.png",
  detail: "400×200 PNG, 12 KB",
  picture: { hash: "1".repeat(64), ...SIZE },
  fit: "whole",
};
const picture = {
  mediaType: "image/png",
  bytes: Uint8Array.from(madePng(SIZE.widthPx, SIZE.heightPx)),
};
const SERVICE = { host: "maas.test", modelCode: "core_vl", matches: [], readings: [] };
const area = (kind: "name" | "face", x: number) => {
  return { kind, label: "", x, y: 20, width: 60, height: 40 };
};
/** Answer to each request of the page: the picture, the service, and the areas. */
const FOUND: HostReply = {
  isAccepted: true,
  picture,
  redactions: {
    ...SERVICE,
    sentBytes: 5_000,
    readings: [{ areas: [area("name", 10), area("face", 200)] }],
  },
};

describe("finding what to redact", () => {
  const open = usePanel();

  async function openFinder(widthPx = 500) {
    const opened = { isAccepted: true, picture, redactions: SERVICE };
    const host = await open({ widthPx, answer: opened, shown: { attachments: [BADGE] } });
    const { page } = host;
    await page.getByRole("button", { name: "Mark up badge.png", exact: true }).click();
    await page.getByRole("application").waitFor();
    await page.keyboard.press("f");
    await page.getByText("this picture is sent to maas.test, model core_vl").waitFor();
    return host;
  }

  it("sends nothing before the button, then redacts all with the keyboard, as one step of undo", async () => {
    const host = await openFinder();
    const { page } = host;
    assert.deepEqual(host.receivedOf("picture-redactions-asked"), []);
    host.answer = FOUND;
    await page.keyboard.press("Enter"); // The button to send has the focus.
    const asked = await host.waitFor("picture-redactions-asked");
    assert.deepEqual([asked.x, asked.y, asked.widthPx, asked.heightPx], [0, 0, 400, 200]);
    await page.getByText("Neither the sent picture nor the reply is kept.").waitFor();
    const first = page.getByRole("checkbox", { name: "1. Name" });
    assert.equal(await first.isChecked(), true);
    await first.focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Redact 1" }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Redact all" }).press("Enter");
    await page.getByText("Redacted: 2. Undo removes them.").waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Redacted: 2.").waitFor({ state: "detached" });
    await page.keyboard.press("Control+y");
    host.answer = { isAccepted: true };
    await page.keyboard.press("Control+Enter");
    const { marks } = await host.waitFor("picture-marked");
    assert.deepEqual(JSON.parse(marks), [
      { kind: "redaction", x: 10, y: 20, width: 60, height: 40 },
      { kind: "redaction", x: 200, y: 20, width: 60, height: 40 },
    ]);
  });

  it("stops with Escape, closes with the second, and the editor stays", async () => {
    const host = await openFinder();
    const { page } = host;
    host.answer = "none";
    await page.getByRole("button", { name: "Send this picture" }).click();
    await page.getByText("Searching the picture. Escape stops.").waitFor();
    await page.keyboard.press("Escape");
    await host.waitFor("picture-redactions-stopped");
    await page.getByText("Stopped.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("group", { name: "Find what to redact" }).waitFor({ state: "detached" });
    await page.getByRole("dialog", { name: "Mark up badge.png" }).waitFor();
  });

  it("is asked again after a failure without being opened again", async () => {
    const host = await openFinder();
    const { page } = host;
    host.answer = {
      isAccepted: false,
      notice: { tone: "error", text: "No connection within 5 s." },
    };
    const send = page.getByRole("button", { name: "Send this picture" });
    await send.click();
    await page.getByText("No connection within 5 s.").waitFor();
    host.answer = FOUND;
    await send.click();
    await page.getByRole("checkbox", { name: "2. Face" }).waitFor();
    await page.getByText("No connection within 5 s.").waitFor({ state: "detached" });
  });

  it("stays closed if the answer arrives after it was closed", async () => {
    const host = await openFinder();
    const { page } = host;
    host.answer = "none";
    await page.getByRole("button", { name: "Send this picture" }).click();
    await host.waitFor("picture-redactions-asked");
    await page.getByRole("button", { name: "Find what to redact" }).click();
    await host.waitFor("picture-redactions-stopped");
    await host.answerWaiting(FOUND);
    await page.keyboard.press("r"); // The editor is drawn again.
    await page.getByRole("group", { name: "Find what to redact" }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("checkbox", { name: "1. Name" }).count(), 0);
  });

  it("chooses between scales, and saves the one that was used", async () => {
    const host = await openFinder();
    const { page } = host;
    const readings = ["thousand", "pixels"].map((scale, index) => {
      return { scale, areas: [area("face", index * 100)] };
    });
    host.answer = { ...FOUND, redactions: { ...SERVICE, readings } };
    await page.getByRole("button", { name: "Send this picture" }).click();
    await page.getByRole("combobox", { name: "Which frames fit?" }).selectOption("1");
    await page.getByRole("button", { name: "Redact all" }).click();
    assert.equal((await host.waitFor("coordinates-chosen")).scale, "pixels");
  });

  it("has clear words for a reply that cannot be read, and for one that finds nothing", async () => {
    const host = await openFinder();
    const { page } = host;
    host.answer = { ...FOUND, redactions: { ...SERVICE, isUnreadable: true } };
    await page.getByRole("button", { name: "Send this picture" }).click();
    await page.getByText("The reply has no positions that can be read.").waitFor();
    await page.keyboard.press("Escape");
    host.answer = { ...FOUND, redactions: SERVICE };
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "Send this picture" }).click();
    await page.getByText("Nothing was found. Check the picture").waitFor();
  });

  it("finds an address in the text of a PDF page without a request", async () => {
    const host = await open({ widthPx: 900 });
    const { page } = host;
    const bytes = new Uint8Array(madePdf(1, false, "Ask vera.koch@example.net today"));
    await host.send({ type: "document-opened", name: "letter.pdf", bytes });
    await page.getByRole("button", { name: "Attach 1 page" }).click();
    const offered = await host.waitFor("picture-offered");
    const drawn = { widthPx: 1190, heightPx: 1684 };
    const hash = await sha256(Uint8Array.from(offered.bytes));
    const letter = { ...BADGE, label: "letter.png", picture: { hash, ...drawn } };
    const shown = { mediaType: "image/png", bytes: Uint8Array.from(offered.bytes) };
    host.answer = { isAccepted: true, picture: shown };
    await host.send({ type: "attachments-changed", attachments: [letter] });
    await page.getByRole("button", { name: "Mark up letter.png", exact: true }).click();
    await page.getByRole("application").waitFor();
    host.answer = "none";
    await page.keyboard.press("f");
    const { text } = await host.waitFor("picture-redactions-opened");
    const start = text.indexOf("vera.koch");
    assert.ok(start >= 0, text);
    await page.keyboard.press("Escape");
    const end = start + "vera.koch@example.net".length;
    const matches = [{ kind: "email" as const, start, end }];
    host.answer = { isAccepted: true, redactions: { ...SERVICE, matches } };
    await page.keyboard.press("f");
    await page.getByRole("checkbox", { name: "1. E-mail address" }).waitFor();
    await page.getByRole("button", { name: "Redact all" }).click();
    host.answer = { isAccepted: true };
    await page.keyboard.press("Control+Enter");
    const [mark] = JSON.parse((await host.waitFor("picture-marked")).marks) as {
      x: number;
      y: number;
      width: number;
      height: number;
    }[];
    assert.ok(mark);
    // At 12 points of Helvetica "Ask " is 24 points wide, the address 120, and the baseline is at 200.
    const [left, right] = [mark.x / 2, (mark.x + mark.width) / 2];
    assert.ok(left > 50 && left < 64 && right > 180 && right < 205, `${left} to ${right}`);
    assert.ok(mark.y / 2 < 191 && (mark.y + mark.height) / 2 > 203 && mark.height / 2 < 20);
    assert.deepEqual(host.receivedOf("picture-redactions-asked"), []);
  });

  for (const widthPx of [280, 880]) {
    it(`has no axe violations in any theme at ${widthPx} px`, async () => {
      const host = await openFinder(widthPx);
      host.answer = FOUND;
      await host.page.getByRole("button", { name: "Send this picture" }).click();
      await host.page.getByRole("checkbox", { name: "2. Face" }).waitFor();
      assert.deepEqual(await violationsInEveryTheme(host), []);
    });
  }
});
