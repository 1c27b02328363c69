/**
 * Tests the message box that the page contains before the panel is built, and that the panel
 * continues with its text.
 */
import assert from "node:assert/strict";
import type { CDPSession, Page } from "playwright-core";
import { poll, type FakeHost, compose } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

/** Waits until the box contains this text and the host has received it. */
async function reads(host: FakeHost, text: string): Promise<void> {
  await poll(async () => (await box(host.page).inputValue()) === text, `the text "${text}"`);
  await poll(() => host.receivedOf("draft-changed").at(-1)?.text === text, `the draft "${text}"`);
}

/** Returns true while the message box is the only control in the page. */
async function isBare(page: Page): Promise<boolean> {
  return (await page.getByRole("button").count()) === 0;
}

describe("the message box before the panel is loaded", () => {
  const openPanel = usePanel();

  async function typed(text: string, ...keys: string[]) {
    let wasBare = false;
    const host = await openPanel({
      early: async (page) => {
        wasBare = await isBare(page);
        await page.keyboard.type(text); // The box has the focus already.
        for (const key of keys) await page.keyboard.press(key);
      },
    });
    assert.ok(wasBare);
    return host;
  }

  const asked = (host: FakeHost) => host.receivedOf("question-asked").map(({ text }) => text);

  it("keeps the typed text, the caret and the scroll position", async () => {
    const places: unknown[] = [];
    const place = async (page: Page) => {
      await page.evaluate(() => document.fonts.ready);
      places.push(await box(page).boundingBox());
    };
    const host = await openPanel({
      early: async (page) => {
        await place(page);
        await page.keyboard.type("Why is it so slw?");
        for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowLeft");
      },
    });
    await host.page.keyboard.type("o");
    await reads(host, "Why is it so slow?");
    await place(host.page);
    assert.deepEqual(places[1], places[0]);
    assert.deepEqual(asked(host), []);
  });

  it("stays, with a message, if the panel's script is missing", async () => {
    const host = await openPanel();
    const { page } = host;
    host.expectedFailures = ["main script"];
    await page.route("**/webview/main.js", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    await page.keyboard.type("Hello");
    assert.equal(await box(page).inputValue(), "Hello");
    await poll(() => host.receivedOf("view-failed").length > 0, "the report");
  });

  it("sends the question as soon as a conversation is shown", async () => {
    const host = await typed("Hello", "Shift+Enter", "x", "Enter");
    assert.equal((await host.waitFor("question-asked")).text, "Hello\nx");
    assert.equal(await box(host.page).inputValue(), "");
    assert.equal(asked(host).length, 1);
  });

  it("does not send text that changed after Enter", async () => {
    const host = await typed("Hello", "Enter", "!");
    await host.waitFor("draft-changed");
    assert.equal(await box(host.page).inputValue(), "Hello!");
    assert.deepEqual(asked(host), []);
  });

  it("restores a rejected question", async () => {
    const host = await openPanel({
      shown: null,
      early: async (page) => {
        await page.keyboard.type("Hello");
        await page.keyboard.press("Enter");
      },
    });
    assert.deepEqual(asked(host), []);
    host.answer = { isAccepted: false, notice: { tone: "warning", text: "Not now." } };
    await host.show({});
    await host.page.getByText("Not now.").waitFor();
    assert.equal(await box(host.page).inputValue(), "Hello");
    assert.deepEqual(asked(host), ["Hello"]);
  });

  it("does not send with attachments that were not shown", async () => {
    const host = await openPanel({
      shown: { attachments: [{ id: "a1", kind: "file", label: "notes.md", detail: "3 lines" }] },
      early: async (page) => {
        await page.keyboard.type("Hello");
        await page.keyboard.press("Enter");
      },
    });
    assert.equal(await box(host.page).inputValue(), "Hello");
    await host.page.getByText("notes.md").waitFor();
    assert.deepEqual(asked(host), []);
  });

  for (const shown of [{}, null]) {
    const when = shown === null ? "while there is no conversation" : "before the panel is loaded";
    it(`sends the question with a picture that was pasted and a file that was dropped ${when}`, async () => {
      const give = (page: Page) =>
        page.evaluate(() => {
          const shared = { bubbles: true, cancelable: true };
          const holding = (name: string, type: string) => {
            const data = new DataTransfer();
            data.items.add(new File(["x"], name, { type }));
            return data;
          };
          const area = document.querySelector("textarea")!;
          const clipboardData = holding("image.png", "image/png");
          area.dispatchEvent(new ClipboardEvent("paste", { ...shared, clipboardData }));
          const dataTransfer = holding("notes.txt", "text/plain");
          const isHandled = !area.dispatchEvent(
            new DragEvent("dragover", { ...shared, dataTransfer }),
          );
          area.dispatchEvent(new DragEvent("drop", { ...shared, dataTransfer }));
          return isHandled;
        });
      const ask = async (page: Page) => {
        assert.ok(await give(page));
        await page.keyboard.type("What is this?");
        await page.keyboard.press("Enter");
      };
      const host = await openPanel({ shown, ...(shown !== null && { early: ask }) });
      if (shown === null) {
        await ask(host.page);
        await host.show({});
      }
      assert.equal((await host.waitFor("question-asked")).text, "What is this?");
      assert.equal((await host.waitFor("picture-offered")).name, "Pasted picture");
      assert.equal((await host.waitFor("text-offered")).name, "notes.txt");
      const types = host.received.map(({ type }) => type);
      assert.ok(types.indexOf("question-asked") > types.indexOf("picture-offered"));
      assert.ok(types.indexOf("question-asked") > types.indexOf("text-offered"));
    });
  }

  it("does not interrupt an input method", async () => {
    const seen: string[] = [];
    let keys: CDPSession | undefined;
    const host = await openPanel({
      early: async (page) => {
        await page.exposeFunction("reportToTest", (what: string) => seen.push(what));
        await box(page).evaluate((area) => {
          const { reportToTest } = globalThis as unknown as {
            reportToTest: (what: string) => void;
          };
          for (const type of ["compositionstart", "compositionend", "blur"]) {
            area.addEventListener(type, () => reportToTest(type));
          }
        });
        keys = await compose(page, "ni");
      },
    });
    assert.deepEqual(seen, ["compositionstart"]);
    await keys?.send("Input.insertText", { text: "你" });
    await reads(host, "你");
    assert.deepEqual(seen, ["compositionstart", "compositionend"]);
  });

  it("is identical to the box that the panel builds", async () => {
    const panelOf = (host: FakeHost) =>
      host.page.locator("main").evaluate((main) => main.outerHTML);
    const taken = await openPanel({ shown: null });
    const built = await openPanel({
      shown: null,
      early: (page) => page.locator("#root").evaluate((root) => root.replaceChildren()),
    });
    // The last parts of both load after them.
    await poll(async () => (await panelOf(taken)) === (await panelOf(built)), "the same panel");
  });
});
