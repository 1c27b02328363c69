/** Notes in a picture: set in the editor by keyboard and mouse, and edited in their chip at 280 px. */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/views";
import { violationsInThemes } from "./support/everyTheme";
import { pictureAnswer } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { ALL } from "../support/depth";

const SIZE = { widthPx: 400, heightPx: 200 };
const SHOT: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "shot.png",
  detail: "400×200 PNG, 12 KB, original",
  picture: { hash: "1".repeat(64), ...SIZE },
  fit: "whole",
};
const answer = pictureAnswer(SIZE.widthPx, SIZE.heightPx);
const POINT = { x: 10, y: 20, width: 0, height: 0 };

describe("notes in a picture", () => {
  const open = usePanel();

  it("are set by keyboard or by dragging a frame, and are never drawn", async () => {
    const other: AttachmentView = { ...SHOT, id: "a2", label: "other.png" };
    const notes = [{ number: 2, text: "elsewhere", ...POINT }];
    const attachments = [SHOT, { ...other, notes }];
    const host = await open({ widthPx: 500, answer, shown: { attachments } });
    const { page } = host;
    await page.getByRole("button", { name: "Mark up shot.png", exact: true }).click();
    const canvas = page.getByRole("application");
    await canvas.focus();
    for (const key of ["n", "Enter", "Enter"]) await page.keyboard.press(key);
    const typed = page.getByRole("textbox", { name: "Note 3" });
    await typed.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Why is 5 here?"); // A digit is no tool while a note is typed.
    await page.keyboard.press("Enter");
    await typed.waitFor({ state: "detached" });
    const box = (await canvas.boundingBox())!;
    const at = (x: number, y: number) =>
      [box.x + (x * box.width) / 400, box.y + (y * box.height) / 200] as const;
    await page.mouse.move(...at(40, 30));
    await page.mouse.down();
    await page.mouse.move(...at(140, 80), { steps: 4 });
    await page.mouse.up();
    await page.getByRole("textbox", { name: "Note 4" }).fill("Wider");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const changed = await host.waitFor("picture-notes-changed");
    assert.equal(changed.attachmentId, "a1");
    const [pin, frame] = changed.notes;
    assert.deepEqual(pin, {
      number: 3,
      text: "Why is 5 here?",
      x: 200,
      y: 100,
      width: 0,
      height: 0,
    });
    const { number, text, x, y, width, height } = frame!;
    assert.deepEqual([number, text], [4, "Wider"]);
    for (const [value, expected] of [[x, 40] as const, [y, 30] as const, [width, 100] as const]) {
      assert.ok(Math.abs(value - expected) < 2, JSON.stringify(frame));
    }
    assert.ok(Math.abs(height - 50) < 2);
    assert.deepEqual(host.receivedOf("picture-marked"), []);
  });

  it(`are one chip with an editable list, also at 280 px and in every theme ${ALL}`, async () => {
    const notes = [
      { number: 1, text: "Why grey?", ...POINT },
      { number: 3, text: "The name", ...POINT, leftOut: "covered" as const },
    ];
    const host = await open({ widthPx: 280, answer, shown: { attachments: [{ ...SHOT, notes }] } });
    const { page } = host;
    const summary = page.getByText("In the picture: 1. Why grey? 3. The name");
    await summary.click();
    await page.getByText("not sent: it is in a redacted area").waitFor();
    assert.deepEqual(await violationsInThemes(host), []);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 280, `${width} px`);
    await page.getByRole("textbox", { name: "Note 1 in shot.png" }).fill("Why green?");
    await page.keyboard.press("Tab");
    const changed = await host.waitFor("picture-notes-changed");
    assert.deepEqual(
      changed.notes.map(({ number, text }) => [number, text]),
      [
        [1, "Why green?"],
        [3, "The name"],
      ],
    );
    await page.getByRole("button", { name: "Remove note 1" }).click();
    const left = await host.waitFor("picture-notes-changed", 2);
    assert.deepEqual(
      left.notes.map(({ number }) => number),
      [3],
    );
  });

  it("are set in a tab if the panel is too narrow for the picture", async () => {
    const large = { hash: "1".repeat(64), widthPx: 1440, heightPx: 900 };
    const shown = { attachments: [{ ...SHOT, picture: large }] };
    const host = await open({ widthPx: 300, answer, shown });
    await host.page.getByRole("button", { name: "Mark up shot.png", exact: true }).click();
    const asked = await host.waitFor("picture-editor-asked");
    assert.equal(asked.attachmentId, "a1");
    assert.equal(await host.page.getByRole("dialog").count(), 0);
  });

  it("close their tab with Escape and Done, unless marks are not applied yet", async () => {
    const host = await open({ widthPx: 700, answer, shown: { attachments: [SHOT] } });
    const canvas = host.page.getByRole("application");
    const reopen = async () => {
      await host.send({ type: "picture-editor-opened", attachmentId: "a1" });
      await canvas.waitFor();
    };
    await reopen();
    await host.page.keyboard.press("Escape");
    await host.waitFor("picture-editor-closed");
    await reopen();
    await host.page.keyboard.press("2");
    await canvas.focus();
    for (const key of ["Enter", "ArrowRight", "ArrowDown", "Enter"])
      await host.page.keyboard.press(key);
    await host.page.keyboard.press("Escape");
    await canvas.waitFor({ state: "detached" });
    assert.equal(host.receivedOf("picture-editor-closed").length, 1);
    await reopen();
    await host.page.getByRole("button", { name: "Done" }).click();
    await host.waitFor("picture-editor-closed", 2);
  });
});
