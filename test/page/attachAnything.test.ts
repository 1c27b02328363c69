/**
 * Tests pasting and dropping: files, folders, code and long texts become attachments; short texts
 * are inserted; files that cannot be attached are named.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

interface Given {
  readonly files?: readonly {
    readonly name: string;
    readonly type: string;
    readonly text: string;
  }[];
  readonly texts?: Readonly<Record<string, string>>;
}

/** Pastes or drops in the composer with the browser's own events. */
async function give(page: Page, type: "paste" | "drop" | "dragover", given: Given): Promise<void> {
  await page.evaluate(
    ({ kind, files, texts }) => {
      const data = new DataTransfer();
      for (const { name, type: mediaType, text } of files) {
        data.items.add(new File([text], name, { type: mediaType }));
      }
      for (const [format, text] of Object.entries(texts)) data.setData(format, text);
      const shared = { bubbles: true, cancelable: true };
      const box = document.querySelector("textarea")!;
      box.focus();
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { ...shared, clipboardData: data })
          : new DragEvent(kind, { ...shared, dataTransfer: data });
      box.dispatchEvent(event);
    },
    { kind: type, files: given.files ?? [], texts: given.texts ?? {} },
  );
}

const LONG = Array.from({ length: 80 }, (_, n) => `line ${n}`).join("\n");
const CODE = "const one = 1;\nconst two = 2;\n";

describe("pasted or dropped content", () => {
  const open = usePanel();
  const message = (host: FakeHost) => host.page.getByRole("textbox", { name: "Message" });

  it("becomes an attachment if it is a long text", async () => {
    const host = await open();
    await give(host.page, "paste", { texts: { "text/plain": LONG } });
    const { origin, text, name } = await host.waitFor("text-offered");
    assert.deepEqual([origin, text, name], ["clipboard", LONG, "Pasted text (80 lines)"]);
    assert.equal(await message(host).inputValue(), "");
  });

  it("becomes an attachment if it is code from an editor", async () => {
    const host = await open();
    const texts = { "text/plain": CODE, "vscode-editor-data": "{}" };
    await give(host.page, "paste", { texts });
    const { origin, text } = await host.waitFor("text-offered");
    assert.deepEqual([origin, text], ["editor", CODE]);
    assert.equal(await message(host).inputValue(), "");
  });

  it("is inserted if no open file contains the code", async () => {
    const host = await open();
    host.answer = { isAccepted: false };
    const texts = { "text/plain": CODE, "vscode-editor-data": "{}" };
    await give(host.page, "paste", { texts });
    await host.waitFor("text-offered");
    await host.page.waitForFunction(
      (code) => document.querySelector("textarea")?.value === code,
      CODE,
    );
  });

  it("is inserted by the browser if it is short", async () => {
    const host = await open();
    await give(host.page, "paste", { texts: { "text/plain": "a word" } });
    const texts = { "text/plain": "one_line()", "vscode-editor-data": "{}" };
    await give(host.page, "paste", { texts });
    await give(host.page, "paste", { texts: { "text/plain": LONG } });
    await host.waitFor("text-offered");
    assert.equal(host.receivedOf("text-offered").length, 1);
  });

  it("is attached if it is a text file of another program, and reported if it is binary", async () => {
    const host = await open();
    await give(host.page, "drop", {
      files: [
        { name: "notes.md", type: "text/markdown", text: "# Notes" },
        { name: "film.mp4", type: "video/mp4", text: "\0\0" },
        { name: "tool.exe", type: "", text: "MZ\0" },
      ],
    });
    const { origin, name, text } = await host.waitFor("text-offered");
    assert.deepEqual([origin, name, text], ["file", "notes.md", "# Notes"]);
    await host.page.getByText("Not attached: film.mp4, tool.exe.").waitFor();
  });

  it("is attached if a file manager adds the names of files to its text files and pictures", async () => {
    const host = await open();
    await give(host.page, "paste", {
      files: [
        { name: "notes.md", type: "text/markdown", text: "# Notes" },
        { name: "a.png", type: "image/png", text: "x" },
      ],
      texts: { "text/plain": "notes.md\na.png" },
    });
    assert.equal((await host.waitFor("text-offered")).name, "notes.md");
    assert.equal((await host.waitFor("picture-offered")).name, "a.png");
    assert.equal(await message(host).inputValue(), "");
  });

  it("shows an overlay on the panel while files are dragged", async () => {
    const host = await open();
    const overlay = host.page.getByText("Drop files or pictures");
    await give(host.page, "dragover", { files: [{ name: "a.md", type: "", text: "" }] });
    await overlay.waitFor();
    await host.page.evaluate(() => document.dispatchEvent(new DragEvent("dragleave")));
    await overlay.waitFor({ state: "detached" });
    await give(host.page, "dragover", { texts: { "text/plain": "only text" } });
    assert.equal(await overlay.count(), 0);
  });
});
