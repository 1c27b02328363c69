/**
 * Tests the picture editor, the viewer, the receipt, the retry row and notes: layout, keyboard, axe
 * violations, and the memory for a hundred pictures.
 */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/views";
import {
  poll,
  question,
  reply,
  type FakeHost,
  type OpenOptions,
  pictureAnswer,
} from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const picture = { hash: "1".repeat(64), widthPx: 400, heightPx: 200 };
const answer = pictureAnswer(400, 200);
const SHOT: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "shot.png",
  detail: "400×200 PNG, 12 KB, original",
  picture,
  fit: "whole",
};
const chip = { kind: "picture" as const, label: "shot.png", detail: "400×200 PNG", picture };

const OLD = { ...picture, hash: "2".repeat(64) };

/** Returns a question with a receipt, and the rejection of the next question. */
const TALK = [
  question("q1", "What is this?", {
    chips: [{ ...chip, isLeftOut: true }],
    sentLine: "core_vl · 1 picture (400×200 PNG, 12 KB) · ~110 tokens",
    sentPictures: [chip],
  }),
  reply("r1", "", {
    notice: { tone: "error", text: "The request was too large. Send fewer pictures." },
    pictureRetry: { canShrink: true },
  }),
];

describe("the layout of pictures", () => {
  const open = usePanel();

  async function openWith(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await open({ widthPx: 500, ...options });
    host.answer = answer;
    return host;
  }

  const button = (host: FakeHost, name: string) =>
    host.page.getByRole("button", { name, exact: true });

  async function openEditor(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await openWith({ shown: { attachments: [SHOT] }, ...options });
    await button(host, "Mark up shot.png").click();
    await host.page.getByRole("application").waitFor();
    return host;
  }

  it("lists the sent pictures in the receipt, and opens them from there", async () => {
    const host = await openWith({ shown: { messages: TALK } });
    await host.page.getByText("core_vl · 1 picture (400×200 PNG, 12 KB) · ~110 tokens").click();
    const list = host.page.getByRole("list", { name: "Pictures in the request" });
    await list.getByRole("button", { name: "shot.png 400×200 PNG" }).click();
    await host.page.getByRole("dialog").getByTitle(`SHA-256 ${picture.hash}`).waitFor();
    await host.page.keyboard.press("Escape");
    await host.page.locator(".sent-picture").getByText("not sent").waitFor();
  });

  it("shows each action after a rejection", async () => {
    const host = await openWith({ shown: { messages: TALK } });
    await button(host, "Retry smaller").click();
    await button(host, "Retry without pictures").click();
    await host.waitFor("picture-retry-asked", 2);
    assert.deepEqual(
      host.receivedOf("picture-retry-asked").map(({ how }) => how),
      ["smaller", "without"],
    );
  });

  it("leaves the composer at most 200 px high in a narrow panel", async () => {
    const host = await openWith({ widthPx: 290, shown: { attachments: [SHOT] } });
    await host.page.getByRole("button", { name: "Find problems" }).waitFor();
    await host.page.getByRole("button", { name: "Mark in picture" }).waitFor();
    const { height } = (await host.page.locator(".composer").boundingBox())!;
    assert.ok(height <= 200, `${height} px`);
  });

  it("shows its preset questions, and Compare only if there are several pictures", async () => {
    const host = await openWith({ shown: { attachments: [SHOT] } });
    const presets = host.page.getByRole("toolbar", { name: "Picture prompts" });
    const mark = "Mark in picture";
    const words = ["Find problems", "Build this page", "Read text", "Explain error", mark];
    await presets.getByRole("button").first().waitFor();
    assert.deepEqual(await presets.getByRole("button").allInnerTexts(), words);
    await host.send({
      type: "attachments-changed",
      attachments: [SHOT, { ...SHOT, id: "a2", label: "other.png" }],
    });
    const compare = presets.getByRole("button", { name: "Compare" });
    await compare.click();
    const box = host.page.getByRole("textbox", { name: "Message" });
    assert.equal(await box.inputValue(), "Compare these pictures.");
    await compare.waitFor({ state: "detached" });
    await host.page.keyboard.press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, "Compare these pictures.");
  });

  it("reports a missing picture instead of showing it, in the chip and over the panel", async () => {
    const host = await open({ widthPx: 500 });
    const text = "shot.png is no longer on disk. Attach it again.";
    host.answer = { isAccepted: false, notice: { tone: "warning", text } };
    await host.show({ messages: TALK, attachments: [SHOT] });
    await host.page.locator(".question .picture-lost").getByText(text).waitFor();
    await host.page.locator(".attachment .picture-lost").getByText(text).waitFor();
    await button(host, "Open shot.png as sent").click();
    await host.page.getByRole("dialog").getByText(text).waitFor();
  });

  it("can be marked up with the keyboard alone, from opening to Done", async () => {
    const host = await openWith({ shown: { attachments: [SHOT] } });
    const { keyboard } = host.page;
    await button(host, "Mark up shot.png").focus();
    await keyboard.press("Enter");
    await host.page.getByRole("application").waitFor();
    const isOnCanvas = () =>
      host.page.evaluate(() => document.activeElement?.classList.contains("mark-canvas") === true);
    for (let n = 0; n < 25 && !(await isOnCanvas()); n++) await keyboard.press("Tab");
    assert.ok(await isOnCanvas());
    const draw = async (tool: string, ...moves: string[]) => {
      await keyboard.press(tool);
      await keyboard.press("Enter");
      for (const move of moves) await keyboard.press(move);
      await keyboard.press("Enter");
    };
    await draw("2", "Shift+ArrowRight", "Shift+ArrowDown");
    await draw("3", "Shift+ArrowLeft");
    await draw("4", "Shift+ArrowLeft", "Shift+ArrowUp");
    await keyboard.press("1");
    await keyboard.press("Enter");
    await keyboard.press("Shift+ArrowUp");
    await keyboard.press("Escape"); // Cancels the crop and closes nothing.
    await draw("2", "Shift+ArrowUp", "Shift+ArrowLeft");
    await keyboard.press("Delete"); // Deletes the last box.
    await keyboard.press("Control+z"); // Restores the box.
    await keyboard.press("Control+Shift+z"); // Deletes the box again.
    await keyboard.press("+");
    await keyboard.press("-");
    await keyboard.press("0");
    await keyboard.press("Control+Enter");
    const { marks } = await host.waitFor("picture-marked");
    const drawn = JSON.parse(marks) as { kind: string }[];
    assert.deepEqual(
      drawn.map(({ kind }) => kind),
      ["box", "arrow", "redaction"],
    );
    await host.page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(
      await host.page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Mark up shot.png",
    );
  });

  it("still reads the marks of earlier versions, and what was blurred stays unreadable", async () => {
    const old = [
      { kind: "blur", x: 10, y: 10, width: 90, height: 40 },
      { kind: "pin", x: 5, y: 5, number: 1 },
      {
        kind: "line",
        points: [
          [1, 1],
          [9, 9],
        ],
        ink: 2,
      },
      { kind: "text", x: 1, y: 1, text: "here" },
      { kind: "box", x: 120, y: 20, width: 50, height: 50, ink: 3 },
    ];
    const host = await openEditor({
      shown: { attachments: [{ ...SHOT, fit: "marked", marks: JSON.stringify(old) }] },
    });
    await host.page.getByRole("application").focus();
    for (const key of ["Enter", "Shift+ArrowRight", "Shift+ArrowDown", "Enter"]) {
      await host.page.keyboard.press(key);
    }
    await host.page.keyboard.press("Control+Enter");
    const { marks } = await host.waitFor("picture-marked");
    const [first, second, third] = JSON.parse(marks) as { kind: string; width: number }[];
    assert.deepEqual(first, { kind: "redaction", x: 10, y: 10, width: 90, height: 40 });
    assert.deepEqual(second, { kind: "box", x: 120, y: 20, width: 50, height: 50 });
    assert.equal(third?.kind, "box");
  });

  it("shows that a picture can be marked up, and that a part of it is redacted", async () => {
    const marks = JSON.stringify([{ kind: "redaction", x: 1, y: 1, width: 9, height: 9 }]);
    const marked = { ...SHOT, id: "a2", label: "safe.png", marks, sent: [OLD] };
    const host = await openWith({ shown: { attachments: [SHOT] } });
    const tiles = host.page.locator(".attachment .picture-tile");
    await tiles.locator(".codicon-edit").waitFor();
    const box = (await tiles.boundingBox())!;
    assert.deepEqual([box.width, box.height], [56, 56]);
    await host.send({ type: "attachments-changed", attachments: [marked] });
    await tiles.getByText("Redacted").waitFor();
    await poll(
      () => host.receivedOf("picture-asked").some(({ hash }) => hash === OLD.hash),
      "marked",
    );
  });
});
