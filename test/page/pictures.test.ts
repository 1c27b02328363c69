/**
 * Tests pictures in the panel's page with real clipboard and drop events: messages to the host,
 * text shown to the user, and pictures that the page draws for the host.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ToHost } from "../../src/protocol/toHost";
import type { AttachmentView } from "../../src/protocol/views";
import { cleanPng } from "../../src/pictures/cleanPng";
import { validateImage } from "../../src/pictures/validateImage";
import { madePng } from "../support/pictures/madePng";
import { chooseMore, poll, question, type FakeHost, meterOf } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const SHOT: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "shot.png",
  detail: "2560×1440 PNG, 412 KB, original",
  picture: { hash: "0".repeat(64), widthPx: 2560, heightPx: 1440 },
  fit: "whole",
};

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Fires a paste or drop with files and texts, using the browser's own events. */
async function give(
  page: Page,
  type: "paste" | "drop",
  files: readonly { name: string; type: string; bytes: Buffer }[],
  texts: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const given = files.map((file) => ({ ...file, bytes: file.bytes.toString("base64") }));
  return page.evaluate(
    ({ kind, wanted, words }) => {
      const data = new DataTransfer();
      for (const { name, type: mediaType, bytes } of wanted) {
        const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
        data.items.add(new File([content], name, { type: mediaType }));
      }
      for (const [format, text] of Object.entries(words)) data.setData(format, text);
      const shared = { bubbles: true, cancelable: true };
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { ...shared, clipboardData: data })
          : new DragEvent("drop", { ...shared, dataTransfer: data });
      return !document.querySelector("textarea")!.dispatchEvent(event);
    },
    { kind: type, wanted: given, words: texts },
  );
}

async function offered(host: FakeHost, count: number) {
  await host.waitFor("picture-offered", count);
  return host.receivedOf("picture-offered");
}

/** Returns the media type and the size in pixels of a picture that the host can send. */
function sizeOf(bytes: Uint8Array) {
  const judgement = validateImage(bytes, { maxSidePx: 8000, maxBytes: 10_485_760 });
  assert.ok(judgement.kind === "ready");
  const { mediaType, widthPx, heightPx } = judgement.picture;
  return [mediaType, widthPx, heightPx] as const;
}

/** Returns up to three different colors of an area. */
async function pixelsIn(
  host: FakeHost,
  picture: Uint8Array,
  [x, y, width, height]: readonly [number, number, number, number],
): Promise<string[]> {
  return host.page.evaluate(
    async ({ base64, area }) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([content]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(...area);
      const seen = new Set<string>();
      for (let at = 0; at < data.length && seen.size < 3; at += 4) {
        seen.add(data.subarray(at, at + 4).join());
      }
      return [...seen];
    },
    {
      base64: Buffer.from(picture).toString("base64"),
      area: [x, y, width, height] as [number, number, number, number],
    },
  );
}

describe("pictures in the page", () => {
  const open = usePanel();

  it("are attached unchanged when pasted, several at once and in their order", async () => {
    const host = await open();
    const pictures = [madePng(30, 20), madePng(20, 30)];
    const files = pictures.map((bytes, n) => ({ name: `${n}.png`, type: "image/png", bytes }));
    assert.ok(await give(host.page, "paste", files));
    const attachments = await offered(host, 2);
    assert.deepEqual(
      attachments.map(({ name, conversationId, bytes }) => [
        name,
        conversationId,
        Buffer.from(bytes),
      ]),
      pictures.map((bytes, n) => [`${n}.png`, "c1", bytes]),
    );
  });

  it("are pasted from the real clipboard by keyboard", async () => {
    const host = await open();
    await host.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await host.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const blob = new Blob([bytes], { type: "image/png" });
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    }, madePng(300, 200).toString("base64"));
    await message(host.page).click();
    await host.page.keyboard.press("Control+V");
    const [picture] = await offered(host, 1);
    assert.equal(picture?.name, "Pasted picture");
    assert.ok(cleanPng(Buffer.from(picture.bytes)));
    await host.send({ type: "clipboard-picture-asked" });
    await offered(host, 2);
  });

  const PNG = { type: "image/png", bytes: madePng(3, 3) };
  const one = (name: string) => [{ ...PNG, name }];
  const CELLS = "<table><tr><td>a.png</td></tr></table>";
  const IMG =
    '<meta charset="utf-8"><a href="https://a.b"><img src="https://a.b/c" alt="A > B"></a>';

  const FILE_MANAGERS: Readonly<Record<string, readonly [names: string[], text: string]>> = {
    "the name": [["a.png"], "a.png"],
    "the name with blanks": [["Photo of 1 May.png"], "Photo of 1 May.png\n"],
    "the name in another Unicode form": [["Ko\u0308ln.png"], "K\u00f6ln.png"],
    "a path": [["a b.png"], "/home/me/my pictures/a b.png"],
    "a path from the home folder": [["a.png"], "~/my pictures/a.png"],
    "a path of Windows in quotes": [["a b.png"], '"C:\\my pictures\\a b.png"'],
    "a path of a share": [["a.png"], "\\\\server\\my share\\a.png"],
    "a path of classic macOS": [["a.png"], "Macintosh:Users:me:a.png"],
    "a file: URL": [["K\u00f6ln 1.png"], "file:///home/me/Ko%CC%88ln%201.png"],
    "an address of a file manager": [["a.png"], "smb://server/my%20share/a.png"],
    "the lines of Nautilus": [["a.png"], "x-special/nautilus-clipboard\ncopy\nfile:///b/a.png\n"],
    "a name with a percent sign": [["100%.png"], "100%.png"],
    "several names": [["a.png", "b.png"], "a.png\nb.png"],
    "several paths with CR": [["a.png", "b.png"], "C:\\x y\\a.png\r\nC:\\x y\\b.png\r\n"],
    "several quoted names in a line": [["a 1.png", "b.png"], "'/c d/a 1.png' '/c d/b.png'"],
    "several names in a line": [["a.png", "b.png"], "a.png b.png"],
    "the picture's web address": [["image.png"], "https://a.b/c?size=large"],
    "the picture as an address": [["image.png"], "data:image/png;base64,iVBORw0KGgo="],
  };
  it("are attached from a clipboard whose text only names them, or is their HTML", async () => {
    const host = await open();
    let count = 0;
    for (const [what, [names, text]] of Object.entries(FILE_MANAGERS)) {
      assert.ok(await give(host.page, "paste", names.flatMap(one), { "text/plain": text }), what);
      const attached = (await offered(host, count + names.length)).slice(count);
      assert.deepEqual(
        attached.map(({ name }) => name),
        names[0] === "image.png" ? ["Pasted picture"] : names,
        what,
      );
      count += names.length;
      assert.equal(await message(host.page).inputValue(), "", what);
    }
    const texts = { "text/plain": "A", "text/html": IMG };
    assert.ok(await give(host.page, "paste", one("image.png"), texts), "a piece of a web page");
    await offered(host, count + 1);
  });

  const TEXTS: Readonly<Record<string, readonly [names: string[], Record<string, string>]>> = {
    "that of the picture": [["image.png"], { "text/plain": "a cell" }],
    "a table of Excel": [["image.png"], { "text/plain": "a\tb", "text/html": CELLS }],
    "a cell with the file's name": [["a.png"], { "text/plain": "a.png", "text/html": CELLS }],
    "a link of Word": [
      ["image.png"],
      { "text/plain": "https://a.b/c", "text/html": '<a href="https://a.b/c">https://a.b/c</a>' },
    ],
    "a sentence with the name": [["a.png"], { "text/plain": "Look at a.png" }],
    "a sentence with a path": [["a.png"], { "text/plain": "Look at /home/me/a.png" }],
    "names and a text": [["a.png", "b.png"], { "text/plain": "a.png\nb.png\nWhich is newer?" }],
    "the name of another file": [["a.png"], { "text/plain": "b.png" }],
    "a text with an address": [["image.png"], { "text/plain": "See https://a.b/c" }],
  };
  it("are not attached when the clipboard has a text of its own", async () => {
    const host = await open();
    for (const [what, [names, texts]] of Object.entries(TEXTS)) {
      assert.ok(!(await give(host.page, "paste", names.flatMap(one), texts)), what);
    }
    // A picture that is pasted last is the first that the host receives.
    assert.ok(await give(host.page, "paste", one("last.png")));
    assert.deepEqual(
      (await offered(host, 1)).map(({ name }) => name),
      ["last.png"],
    );
  });

  it("are attached when dropped, and files of VS Code are sent to the host by name", async () => {
    const host = await open();
    const bytes = madePng(4, 4);
    assert.ok(await give(host.page, "drop", [{ name: "a.png", type: "image/png", bytes }]));
    assert.equal((await offered(host, 1))[0]?.name, "a.png");
    const uris = ["vscode-remote://there/a.png", "file:///b.png"];
    const list = { "application/vnd.code.uri-list": uris.join("\r\n"), "text/uri-list": uris[0]! };
    assert.ok(await give(host.page, "drop", [], list));
    assert.deepEqual((await host.waitFor("files-dropped")).uris, uris);
  });

  it("can be an address, which is sent unchanged", async () => {
    const host = await open();
    const url = "https://example.com/a/shot.png?x=1";
    assert.ok(await give(host.page, "paste", [], { "text/plain": url }));
    assert.equal((await host.waitFor("picture-address-attached")).url, url);
    assert.ok(!(await give(host.page, "paste", [], { "text/plain": "https://example.com/" })));
  });

  it("can be an address without a picture extension, if the user confirms", async () => {
    const host = await open();
    const url = "https://example.com/image?id=3";
    await message(host.page).fill(url);
    await host.page.getByRole("button", { name: "Attach as picture" }).click();
    assert.equal((await host.waitFor("picture-address-attached")).url, url);
    assert.equal(await message(host.page).inputValue(), "");
  });

  it("delay the question until they are attached", async () => {
    const host = await open();
    host.answer = "none";
    await give(host.page, "paste", [{ name: "a.png", type: "image/png", bytes: madePng(4, 4) }]);
    await offered(host, 1);
    await host.page.getByText("Preparing a picture").waitFor();
    await message(host.page).fill("What is this?");
    await message(host.page).press("Enter");
    assert.equal(host.receivedOf("question-asked").length, 0);
    host.answer = { isAccepted: true };
    await host.answerWaiting({ isAccepted: true });
    assert.equal((await host.waitFor("question-asked")).text, "What is this?");
  });

  it("that were rejected are each named, until something is attached again", async () => {
    const host = await open();
    const texts = ["a.png is damaged.", "b.heic is not a picture.", "c.png is too large."];
    for (const text of texts) {
      await host.send({ type: "notice-shown", notice: { tone: "warning", text } });
    }
    for (const text of texts) await host.page.locator(".notice").getByText(text).waitFor();
    await give(host.page, "paste", [{ name: "d.png", type: "image/png", bytes: madePng(4, 4) }]);
    await host.page.getByText(texts[0]!).waitFor({ state: "detached" });
    assert.equal(await host.page.getByText(texts[2]!).count(), 0);
  });

  it("of rejected requests are listed as not sent, and can be sent again", async () => {
    const host = await open();
    const picture = { hash: "3".repeat(64), widthPx: 9, heightPx: 9 };
    const chip = { kind: "picture" as const, label: "bad.png", detail: "", picture };
    await host.send({
      type: "meter-changed",
      meter: meterOf({ refusedPictures: [{ ...chip, messageId: "q1" }] }),
    });
    await host.page.getByText("Not sent, because a request with them failed").waitFor();
    await host.page.getByRole("button", { name: "Send anyway: bad.png" }).click();
    const { hash, messageId } = await host.waitFor("picture-put-back");
    assert.deepEqual([hash, messageId], [picture.hash, "q1"]);
    assert.equal(await host.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  });

  it("determine the model of Auto, and are listed as not sent with a text model", async () => {
    const host = await open({ shown: { attachments: [SHOT] } });
    const model = host.page.getByRole("combobox", { name: "Model" });
    assert.equal(await model.locator("option:checked").innerText(), "Auto → core_vl");
    await host.show({ attachments: [SHOT], panel: { model: "llm" } });
    await host.page.getByText("core_llm does not accept pictures. Not sent: shot.png.").waitFor();
    await host.page.getByRole("button", { name: "Use core_vl" }).click();
    assert.equal(await host.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
    assert.equal((await host.waitFor("model-chosen")).model, "auto");
  });

  describe("over the panel", () => {
    const SOURCE = madePng(400, 200);
    const bytes = Uint8Array.from(SOURCE);
    const answer = { isAccepted: true, picture: { mediaType: "image/png", bytes } };
    const picture = { hash: "1".repeat(64), widthPx: 400, heightPx: 200 };

    async function openEditor() {
      const attachments = [{ ...SHOT, picture }];
      const host = await open({ widthPx: 500, shown: { attachments } });
      host.answer = answer;
      await host.page.getByRole("button", { name: "Mark up shot.png" }).click();
      const canvas = host.page.getByRole("application");
      await canvas.waitFor();
      return {
        host,
        canvas,
        button: (name: string) => host.page.getByRole("button", { name, exact: true }),
      };
    }

    /** Returns the picture that the page draws with its marks. */
    async function marked(host: FakeHost): Promise<Uint8Array> {
      const { marks } = await host.waitFor("picture-marked");
      const job = { jobId: "j1", fit: "tiles", mediaType: "image/png", maxSidePx: 8000 } as const;
      await host.send({ type: "picture-job", ...job, marks, bytes, maxBytes: 10_485_760 });
      return (await host.waitFor("picture-drawn")).bytes;
    }

    it("are redacted: the pixels are removed from the sent picture only", async () => {
      const { host, canvas, button } = await openEditor();
      await button("Redact").click();
      await canvas.focus();
      await host.page.keyboard.press("Enter"); // Places a corner in the middle, at 200 × 100.
      for (let n = 0; n < 5; n++) await host.page.keyboard.press("Shift+ArrowRight");
      for (let n = 0; n < 2; n++) await host.page.keyboard.press("ArrowDown");
      await host.page.keyboard.press("Enter");
      await button("Done").click();
      const sent = await marked(host);
      assert.deepEqual(sizeOf(sent), ["image/png", 400, 200]);
      assert.deepEqual(await pixelsIn(host, sent, [210, 105, 1, 1]), ["0,0,0,255"]);
      assert.deepEqual(await pixelsIn(host, sent, [10, 10, 1, 1]), ["10,10,0,255"]);
      const { change, attachmentId, widthPx, heightPx } = await host.waitFor("picture-marked");
      assert.deepEqual([change, attachmentId, widthPx, heightPx], ["marked", "a1", 400, 200]);
      await host.page.getByRole("dialog").waitFor({ state: "detached" });
    });

    it("restore their marks after Escape, which applies none of the changes", async () => {
      const { host, canvas, button } = await openEditor();
      await button("Redact").click();
      await canvas.focus();
      await host.page.keyboard.press("Enter");
      await host.page.keyboard.press("Shift+ArrowRight");
      await host.page.keyboard.press("Shift+ArrowDown");
      await host.page.keyboard.press("Enter");
      await host.page.keyboard.press("Escape");
      await host.page.getByRole("dialog").waitFor({ state: "detached" });
      assert.deepEqual(host.receivedOf("picture-marked"), []);
      await button("Mark up shot.png").click();
      await button("Done").click();
      const { marks } = await host.waitFor("picture-marked");
      const [mark] = JSON.parse(marks) as { kind: string }[];
      assert.equal(mark?.kind, "redaction");
    });

    it("are marked once when Done is pressed twice, and the question waits for them", async () => {
      const { host, canvas } = await openEditor();
      await canvas.focus();
      await host.page.keyboard.press("Enter");
      await host.page.keyboard.press("Shift+ArrowRight");
      await host.page.keyboard.press("Shift+ArrowDown");
      await host.page.keyboard.press("Enter");
      host.answer = "none";
      await host.page.keyboard.press("Control+Enter");
      await host.page.keyboard.press("Control+Enter");
      await host.waitFor("picture-marked");
      await host.page.keyboard.press("Escape");
      await host.page.getByRole("dialog").waitFor({ state: "detached" });
      await message(host.page).fill("What is this?");
      await message(host.page).press("Enter");
      await host.page.getByText("Preparing a picture").waitFor();
      assert.deepEqual(host.receivedOf("question-asked"), []);
      host.answer = { isAccepted: true };
      await host.answerWaiting({ isAccepted: true });
      await host.waitFor("question-asked");
      assert.equal(host.receivedOf("picture-marked").length, 1);
    });

    it("whose marks could not be applied report the error and show actions", async () => {
      const marks = JSON.stringify([{ kind: "redaction", x: 0, y: 0, width: 9, height: 9 }]);
      const attachments = [{ ...SHOT, picture, fit: "tiles" as const, marks, sent: [] }];
      const host = await open({ shown: { attachments } });
      host.answer = { isAccepted: false, notice: { tone: "warning", text: "It failed again." } };
      const button = (name: string) => host.page.getByRole("button", { name, exact: true });
      await host.page
        .getByText("The changes could not be applied, so this picture will not be sent.")
        .waitFor();
      assert.equal(await host.page.locator(".thumbnail img").count(), 0, "the unmarked one");
      await button("Try again").click();
      assert.equal((await host.waitFor("picture-marked")).marks, marks);
      await host.page.getByText("It failed again.").waitFor();
      await button("Use original").click();
      assert.equal((await host.waitFor("picture-fit-chosen")).fit, "whole");
    });

    it("are shown in the composer as they will be sent, by their first tile", async () => {
      const hashes = ["2", "3"].map((digit) => digit.repeat(64));
      const sent = hashes.map((hash) => ({ ...picture, hash }));
      const attachments = [{ ...SHOT, picture, fit: "tiles" as const, marks: "[]", sent }];
      const host = await open({ widthPx: 500 });
      host.answer = answer;
      await host.show({ attachments });
      await host.page.locator(".attachment .thumbnail img[src]").waitFor();
      await host.page.locator(".attachment").getByText("2 tiles").waitFor();
      const asked = () => host.receivedOf("picture-asked").map(({ hash }) => hash);
      assert.deepEqual(asked(), hashes.slice(0, 1));
      await host.page.getByRole("button", { name: "Open shot.png as it will be sent" }).click();
      const dialog = host.page.getByRole("dialog", { name: "Picture", exact: true });
      await dialog.getByTitle(`SHA-256 ${hashes[0]}`).waitFor();
      await dialog.getByRole("button", { name: "Next picture" }).click();
      await dialog.getByTitle(`SHA-256 ${hashes[1]}`).waitFor();
      await poll(() => asked().length === 3, "both");
      assert.deepEqual(asked().slice(1), hashes);
      assert.equal(await dialog.getByRole("button", { name: "Attach this" }).count(), 0);
    });

    it("can be shown as sent, zoomed, copied and saved", async () => {
      const chips = [{ ...SHOT, picture }];
      const host = await open({
        widthPx: 500,
        shown: { messages: [question("q1", "?", { chips })] },
      });
      await host.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      host.answer = answer;
      await host.page.getByRole("button", { name: "Open shot.png as sent" }).click();
      const dialog = host.page.getByRole("dialog", { name: "Picture", exact: true });
      const image = dialog.getByRole("img", { name: "shot.png" });
      await host.page.keyboard.press("1");
      await poll(async () => (await image.boundingBox())?.width === 400, "100 %");
      await host.page.keyboard.press("+");
      await poll(async () => (await image.boundingBox())?.width === 600, "150 %");
      await dialog.getByTitle(`SHA-256 ${picture.hash}`).waitFor();
      await chooseMore(host.page, "Save picture");
      assert.equal((await host.waitFor("picture-save-asked")).hash, picture.hash);
      await dialog.getByRole("button", { name: "Copy picture" }).click();
      await host.waitForToast("Copied");
      const types = await host.page.evaluate(async () =>
        (await navigator.clipboard.read()).flatMap((item) => [...item.types]),
      );
      assert.deepEqual(types, ["image/png"]);
      await chooseMore(host.page, "Attach this picture again");
      assert.equal((await host.waitFor("picture-put-back")).messageId, "q1");
      await host.page.getByRole("button", { name: "Open shot.png as sent" }).press("Enter");
      await dialog.waitFor();
      await host.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    });

    it("that are too large can be sent as tiles, scaled down or cropped", async () => {
      const host = await open({
        shown: { attachments: [{ ...SHOT, fit: "tiles", detail: "3 tiles" }] },
      });
      const choice = host.page.getByRole("combobox", { name: "How to send shot.png" });
      await choice.selectOption("Scale down");
      assert.equal((await host.waitFor("picture-fit-chosen")).fit, "scaled");
      host.answer = answer;
      await choice.selectOption("Crop…");
      await host.page.getByRole("dialog", { name: "Mark up shot.png" }).waitFor();
      const crop = host.page.getByRole("button", { name: "Crop", exact: true });
      assert.equal(await crop.getAttribute("aria-pressed"), "true");
    });
  });

  describe("that the page draws for the host", () => {
    type Drawn = Extract<ToHost, { type: "picture-drawn" }>;
    type Fit = "draw" | "tiles" | "scaled";

    async function drawn(
      host: FakeHost,
      fit: Fit,
      mediaType: string,
      bytes: Uint8Array,
      limits = { maxSidePx: 8000, maxBytes: 10_485_760 },
      marks?: string,
    ): Promise<Drawn[]> {
      const job = { type: "picture-job" as const, jobId: "j1", fit, mediaType, ...limits };
      await host.send({ ...job, ...(marks && { marks }), bytes: Uint8Array.from(bytes) });
      await poll(
        () =>
          host.receivedOf("picture-drawn").length ===
          (host.receivedOf("picture-drawn")[0]?.count ?? -1),
        "all pieces",
      );
      return host.receivedOf("picture-drawn");
    }

    const sizes = (pieces: readonly Drawn[]) => pieces.map(({ bytes }) => sizeOf(bytes));

    it("become PNG in their own size: an SVG, which is never part of the page", async () => {
      const host = await open();
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><script>parent.x=1</script><image href="https://example.com/a.png"/><rect width="60" height="80"/></svg>`;
      const pieces = await drawn(host, "draw", "image/svg+xml", Buffer.from(svg));
      assert.deepEqual(sizes(pieces), [["image/png", 120, 80]]);
      assert.equal(await host.page.locator("svg, rect").count(), 0);
    });

    it("become overlapping tiles at full resolution", async () => {
      const host = await open();
      const limits = { maxSidePx: 500, maxBytes: 10_485_760 };
      const pieces = await drawn(host, "tiles", "image/png", madePng(1200, 300), limits);
      assert.deepEqual(sizes(pieces), [
        ["image/png", 480, 300],
        ["image/png", 480, 300],
        ["image/png", 480, 300],
      ]);
      assert.deepEqual(
        pieces.map(({ x, y }) => [x, y]),
        [
          [0, 0],
          [360, 0],
          [720, 0],
        ],
      );
    });

    it("are scaled down until they fit", async () => {
      const host = await open();
      const limits = { maxSidePx: 8000, maxBytes: 200_000 };
      const source = madePng(600, 400, { isNoisy: true });
      const [piece] = await drawn(host, "scaled", "image/png", source, limits);
      assert.ok(piece && piece.bytes.length <= 200_000 && piece.bytes.length > 100_000);
    });

    /** Marks: a redaction and a box. `SECRET` is the area under the redaction. */
    const SECRET = { x: 100.4, y: 650, width: 1000.2, height: 500 };
    const MARKS = JSON.stringify([
      { kind: "redaction", ...SECRET },
      { kind: "box", x: 300, y: 100, width: 200, height: 100 },
    ]);

    it("are redacted in every tile and otherwise unchanged", async () => {
      const host = await open();
      const limits = { maxSidePx: 700, maxBytes: 10_485_760 };
      const source = madePng(1200, 1300);
      const pieces = await drawn(host, "tiles", "image/png", source, limits, MARKS);
      assert.deepEqual(
        sizes(pieces).map(([, ...size]) => size),
        Array.from({ length: 6 }, () => [660, 514]),
      );
      const starts = [0, 393, 786].flatMap((y) => [0, 540].map((x) => [x, y] as const));
      let covered = 0;
      for (const [index, { bytes }] of pieces.entries()) {
        const [x, y] = starts[index]!;
        const left = Math.max(0, 100 - x);
        const right = Math.min(660, 1101 - x);
        const top = Math.max(0, 650 - y);
        const bottom = Math.min(514, 1150 - y);
        if (bottom <= top) continue;
        covered++;
        const area = [left, top, right - left, bottom - top] as const;
        assert.deepEqual(await pixelsIn(host, bytes, area), ["0,0,0,255"], `tile ${index}`);
        const beside = await pixelsIn(host, bytes, [right, top, 1, 1]);
        const [column, row] = [right + x, top + y];
        if (right < 660) {
          assert.deepEqual(beside, [
            `${column & 255},${row & 255},${(column >> 8) * 16 + (row >> 8)},255`,
          ]);
        }
      }
      assert.equal(covered, 4);
    });

    it("are redacted before they are scaled down", async () => {
      const host = await open();
      const limits = { maxSidePx: 500, maxBytes: 10_485_760 };
      const source = madePng(1200, 1300, { isNoisy: true });
      const [piece] = await drawn(host, "scaled", "image/png", source, limits, MARKS);
      assert.deepEqual(sizes([piece!]), [["image/png", 461, 500]]);
      assert.deepEqual(await pixelsIn(host, piece!.bytes, [42, 254, 378, 184]), ["0,0,0,255"]);
    });

    it("are not drawn at all if their marks are not valid", async () => {
      const host = await open();
      const job = { type: "picture-job" as const, jobId: "j1", fit: "tiles" as const };
      const bytes = Uint8Array.from(madePng(9, 9));
      const limits = { maxSidePx: 8000, maxBytes: 10_485_760 };
      const marks = '[{"kind":"blur","x":0,"y":0}]';
      await host.send({ ...job, ...limits, mediaType: "image/png", bytes, marks });
      assert.equal((await host.waitFor("picture-not-drawn")).jobId, "j1");
      assert.deepEqual(host.receivedOf("picture-drawn"), []);
    });
  });
});
