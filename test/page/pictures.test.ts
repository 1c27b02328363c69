/**
 * Pictures in the panel's page with real clipboard and drop events: what reaches the host, what is
 * said on the way, and what the page draws when the host asks for it.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ToHost } from "../../src/bridge/messages";
import type { AttachmentView } from "../../src/bridge/views";
import { cleanPng } from "../../src/context/cleanPng";
import { judgePicture } from "../../src/context/judgePicture";
import { madePng } from "../support/pictures/madePng";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const SHOT: AttachmentView = {
  ...{ id: "a1", kind: "picture", label: "shot.png", detail: "2560×1440 PNG, 412 KB, as it is" },
  picture: { hash: "0".repeat(64), widthPx: 2560, heightPx: 1440 },
  fit: "whole",
};

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Fires a paste or drop with files and texts in it, as the browser does. */
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
  return host.heardOf("picture-offered");
}

describe("pictures in the page", () => {
  const open = usePanel();

  it("are offered as they are when pasted, several at once and in their order", async () => {
    const host = await open();
    const pictures = [madePng(30, 20), madePng(20, 30)];
    const files = pictures.map((bytes, n) => ({ name: `${n}.png`, type: "image/png", bytes }));
    assert.ok(await give(host.page, "paste", files));
    const heard = await offered(host, 2);
    assert.deepEqual(
      heard.map(({ name, conversationId, bytes }) => [name, conversationId, Buffer.from(bytes)]),
      pictures.map((bytes, n) => [`${n}.png`, "c1", bytes]),
    );
  });

  it("come from the real clipboard by the keyboard", async () => {
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
    await host.say({ type: "clipboard-picture-asked" });
    await offered(host, 2);
  });

  it("are not taken from pasted text that brings its likeness along", async () => {
    const host = await open();
    const files = [{ name: "image.png", type: "image/png", bytes: madePng(3, 3) }];
    assert.ok(!(await give(host.page, "paste", files, { "text/plain": "a cell" })));
    assert.equal(host.heardOf("picture-offered").length, 0);
  });

  it("are offered when dropped, and files of VS Code are named to the host", async () => {
    const host = await open();
    const bytes = madePng(4, 4);
    assert.ok(await give(host.page, "drop", [{ name: "a.png", type: "image/png", bytes }]));
    assert.equal((await offered(host, 1))[0]?.name, "a.png");
    const uris = ["vscode-remote://there/a.png", "file:///b.png"];
    const list = { "application/vnd.code.uri-list": uris.join("\r\n"), "text/uri-list": uris[0]! };
    assert.ok(await give(host.page, "drop", [], list));
    assert.deepEqual((await host.waitFor("files-dropped")).uris, uris);
  });

  it("can be an address, which travels as it is", async () => {
    const host = await open();
    const url = "https://example.com/a/shot.png?x=1";
    assert.ok(await give(host.page, "paste", [], { "text/plain": url }));
    assert.equal((await host.waitFor("picture-address-attached")).url, url);
    assert.ok(!(await give(host.page, "paste", [], { "text/plain": "https://example.com/" })));
  });

  it("hold the question back until they are attached", async () => {
    const host = await open();
    host.answer = "none";
    await give(host.page, "paste", [{ name: "a.png", type: "image/png", bytes: madePng(4, 4) }]);
    await offered(host, 1);
    await host.page.getByText("Preparing a picture").waitFor();
    await message(host.page).fill("What is this?");
    await message(host.page).press("Enter");
    assert.equal(host.heardOf("question-asked").length, 0);
    host.answer = { isAccepted: true };
    await host.answerWaiting({ isAccepted: true });
    assert.equal((await host.waitFor("question-asked")).text, "What is this?");
  });

  it("that were refused are said, and the question stays", async () => {
    const host = await open();
    host.answer = "none";
    await message(host.page).fill("What is this?");
    await give(host.page, "paste", [{ name: "a.png", type: "image/png", bytes: madePng(4, 4) }]);
    await message(host.page).press("Enter");
    await offered(host, 1);
    await host.answerWaiting({ isAccepted: false });
    const notice = { tone: "warning" as const, text: "a.png is damaged." };
    await host.say({ type: "notice-shown", notice });
    await host.page.getByRole("alert").getByText("a.png is damaged.").waitFor();
    assert.equal(host.heardOf("question-asked").length, 0);
    assert.equal(await message(host.page).inputValue(), "What is this?");
  });

  it("have questions offered for them while no word is written", async () => {
    const host = await open({ shown: { attachments: [SHOT] } });
    host.expectedFailures = [];
    await host.page.getByRole("button", { name: "Explain the error in this picture." }).click();
    assert.equal(await message(host.page).inputValue(), "Explain the error in this picture.");
    assert.equal(await host.page.getByRole("list", { name: "Questions about" }).count(), 0);
  });

  it("decide what Auto means, and are named as left out by a model that takes none", async () => {
    const host = await open({ shown: { attachments: [SHOT] } });
    const model = host.page.getByRole("combobox", { name: "Model" });
    assert.equal(await model.locator("option:checked").innerText(), "Auto → core_vl");
    await host.show({ attachments: [SHOT], panel: { model: "llm" } });
    await host.page.getByText("core_llm takes no pictures. Left out: shot.png.").waitFor();
    await host.page.getByRole("button", { name: "Use core_vl" }).click();
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

    /** Colours of some places of what the page sent. */
    async function colours(host: FakeHost, places: readonly (readonly [number, number])[]) {
      const sent = (await host.waitFor("picture-marked")).bytes;
      return host.page.evaluate(
        async ({ base64, at }) => {
          const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([content]));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext("2d")!;
          context.drawImage(bitmap, 0, 0);
          const found = at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].join());
          return { size: [bitmap.width, bitmap.height], found };
        },
        { base64: Buffer.from(sent).toString("base64"), at: places },
      );
    }

    it("are redacted: the pixels are gone from what goes, and stay everywhere else", async () => {
      const { host, canvas, button } = await openEditor();
      await button("Redact").click();
      await canvas.focus();
      await host.page.keyboard.press("Enter"); // in the middle, 200 × 100
      for (let n = 0; n < 5; n++) await host.page.keyboard.press("Shift+ArrowRight");
      for (let n = 0; n < 2; n++) await host.page.keyboard.press("ArrowDown");
      await host.page.keyboard.press("Enter");
      await button("Use").click();
      const { size, found } = await colours(host, [
        [210, 105],
        [10, 10],
      ]);
      assert.deepEqual(size, [400, 200]);
      assert.deepEqual(found, ["0,0,0,255", "10,10,0,255"]);
      const { fit, attachmentId } = await host.waitFor("picture-marked");
      assert.deepEqual([fit, attachmentId], ["marked", "a1"]);
      await host.page.getByRole("dialog").waitFor({ state: "detached" });
    });

    it("are cropped with the pointer, to the pixel", async () => {
      const { host, canvas, button } = await openEditor();
      await button("Crop").click();
      await button("Fit to the panel").click();
      const box = (await canvas.boundingBox())!;
      const scale = box.width / 400;
      await host.page.mouse.move(box.x + 100 * scale, box.y + 50 * scale);
      await host.page.mouse.down();
      await host.page.mouse.move(box.x + 300 * scale, box.y + 150 * scale, { steps: 3 });
      await host.page.mouse.up();
      await button("Use").click();
      const { size } = await colours(host, []);
      assert.ok(Math.abs(size[0]! - 200) <= 2 && Math.abs(size[1]! - 100) <= 2, size.join());
      assert.equal((await host.waitFor("picture-marked")).fit, "crop");
    });

    it("take every mark, undone and done again, and are opened with them again", async () => {
      const { host, canvas, button } = await openEditor();
      for (const tool of ["Box", "Arrow", "Freehand"]) {
        await button(tool).click();
        await canvas.focus();
        await host.page.keyboard.press("Enter");
        await host.page.keyboard.press("Shift+ArrowRight");
        await host.page.keyboard.press("Shift+ArrowDown");
        await host.page.keyboard.press("Enter");
      }
      await button("Numbered pin").click();
      await canvas.focus();
      await host.page.keyboard.press("Enter");
      await host.page.keyboard.press("Control+z");
      await host.page.keyboard.press("Control+z");
      await button("Redo").click();
      await host.page.keyboard.press("Control+Enter");
      const { marks } = await host.waitFor("picture-marked");
      const kinds = (JSON.parse(marks) as { kind: string }[]).map(({ kind }) => kind);
      assert.deepEqual(kinds, ["box", "arrow", "line"]);
      await host.page.getByRole("dialog").waitFor({ state: "detached" });
      await host.say({
        type: "attachments-changed",
        attachments: [{ ...SHOT, picture, fit: "marked", marks }],
      });
      await host.page.getByRole("button", { name: "Mark up shot.png" }).click();
      await button("Remove all marks").click();
      await button("Use").click();
      assert.equal((await host.waitFor("picture-fit-chosen")).fit, "whole");
    });

    it("are shown as they were sent, larger and smaller, copied and saved", async () => {
      const chips = [{ ...SHOT, picture }];
      const host = await open({
        widthPx: 500,
        shown: { messages: [question("q1", "?", { chips })] },
      });
      await host.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      host.answer = answer;
      await host.page.getByRole("button", { name: "Open shot.png as it was sent" }).click();
      const dialog = host.page.getByRole("dialog", { name: "shot.png" });
      const image = dialog.getByRole("img", { name: "shot.png" });
      await host.page.keyboard.press("1");
      await poll(async () => (await image.boundingBox())?.width === 400, "100 %");
      await host.page.keyboard.press("+");
      await poll(async () => (await image.boundingBox())?.width === 600, "150 %");
      await dialog.getByText(`SHA-256 ${picture.hash}`).waitFor();
      await dialog.getByRole("button", { name: "Save picture" }).click();
      assert.equal((await host.waitFor("picture-save-asked")).hash, picture.hash);
      await dialog.getByRole("button", { name: "Copy picture" }).click();
      await host.page.getByText("Copied").waitFor();
      const types = await host.page.evaluate(async () =>
        (await navigator.clipboard.read()).flatMap((item) => [...item.types]),
      );
      assert.deepEqual(types, ["image/png"]);
      await dialog.getByRole("button", { name: "Attach this picture again" }).click();
      assert.equal((await host.waitFor("picture-put-back")).messageId, "q1");
      await host.page.getByRole("button", { name: "Open shot.png as it was sent" }).press("Enter");
      await dialog.waitFor();
      await host.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    });

    it("have their place in the transcript before they come", async () => {
      const chips = [{ ...SHOT, picture }];
      const messages = [question("q1", "?", { chips }), reply("r1", "It is a chart.")];
      const host = await open({ widthPx: 500 });
      host.answer = "none";
      await host.show({ messages });
      const below = host.page.getByText("It is a chart.");
      await host.waitFor("picture-asked");
      const before = await below.boundingBox();
      await host.answerWaiting(answer);
      await host.page.locator(".thumbnail img[src]").waitFor();
      assert.deepEqual(await below.boundingBox(), before);
    });

    it("that are too large can go as tiles, scaled down or cropped", async () => {
      const host = await open({
        shown: { attachments: [{ ...SHOT, fit: "tiles", detail: "3 tiles" }] },
      });
      const choice = host.page.getByRole("combobox", { name: "How shot.png goes" });
      await choice.selectOption("Scale down");
      assert.equal((await host.waitFor("picture-fit-chosen")).fit, "scaled");
      host.answer = answer;
      await choice.selectOption("Crop…");
      await host.page.getByRole("dialog", { name: "Mark up shot.png" }).waitFor();
    });
  });

  describe("that the host asks to have drawn", () => {
    type Drawn = Extract<ToHost, { type: "picture-drawn" }>;
    type Fit = "draw" | "tiles" | "scaled";

    async function drawn(
      host: FakeHost,
      fit: Fit,
      mediaType: string,
      bytes: Uint8Array,
      limits = { maxSidePx: 8000, maxBytes: 10_485_760 },
    ): Promise<Drawn[]> {
      const job = { type: "picture-job" as const, jobId: "j1", fit, mediaType, ...limits };
      await host.say({ ...job, bytes: Uint8Array.from(bytes) });
      await poll(
        () =>
          host.heardOf("picture-drawn").length === (host.heardOf("picture-drawn")[0]?.count ?? -1),
        "all pieces",
      );
      return host.heardOf("picture-drawn");
    }

    const sizes = (pieces: readonly Drawn[]) =>
      pieces.map(({ bytes }) => {
        const judgement = judgePicture(bytes, { maxSidePx: 8000, maxBytes: 10_485_760 });
        assert.ok(judgement.kind === "ready");
        return [judgement.picture.mediaType, judgement.picture.widthPx, judgement.picture.heightPx];
      });

    it("become PNG in their own pixels: an SVG, which is never part of the page", async () => {
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
    });

    it("are scaled down until they fit", async () => {
      const host = await open();
      const limits = { maxSidePx: 8000, maxBytes: 200_000 };
      const source = madePng(600, 400, { isNoisy: true });
      const [piece] = await drawn(host, "scaled", "image/png", source, limits);
      assert.ok(piece && piece.bytes.length <= 200_000 && piece.bytes.length > 100_000);
    });

    it("are refused when they cannot be", async () => {
      const host = await open();
      const limits = { maxSidePx: 8000, maxBytes: 10_485_760 };
      const bytes = Uint8Array.from(Buffer.from("GIF89a and nothing"));
      await host.say({
        type: "picture-job",
        ...{ jobId: "j1", fit: "draw", mediaType: "image/gif", ...limits, bytes },
      });
      assert.equal((await host.waitFor("picture-not-drawn")).jobId, "j1");
    });
  });
});
