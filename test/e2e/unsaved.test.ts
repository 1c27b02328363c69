/**
 * A conversation that is not saved, with the packaged extension in a real VS Code: its texts, title, file
 * names and pictures are searched for in every file of VS Code's folder and in the storage of its
 * window, at several moments and after the extension host was killed.
 */
import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { filesWith } from "../support/fakes/byteSearch";
import { madePng } from "../support/pictures/madePng";
import { EDITOR_FRAME } from "../support/vscode/chatFrames.mjs";

const PICTURE = madePng(90, 70, { isNoisy: true });
const SECRETS = [
  "merganser question",
  "merganser answer",
  "merganser unsent",
  "merganser-plan",
  "Merganser queued",
  // Pixels, without the parts that all pictures have.
  PICTURE.subarray(200, 260),
];

const notice = (frame: FrameLocator) => frame.getByText("Not saved. This conversation");

describe("a conversation that is not saved", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();
  const composer = (frame: FrameLocator) => chat.composer(frame);
  const replies = (frame: FrameLocator) => chat.replies(frame);

  /** Returns the places that hold any of these, with the storage of the window as one file. */
  async function placesWith(secrets: readonly (string | Uint8Array)[]): Promise<string[]> {
    const stored = await chat.window.page.evaluate(readWindowStorage);
    const files = [...chat.environment.allFiles(), ["window", Buffer.from(stored)] as const];
    return secrets.flatMap((secret) => filesWith(files, secret));
  }

  it(`leaves no byte on disk while it is used, after a kill and after a reload ${ALL}`, async () => {
    const { panel } = chat.window;
    await chat.window.runCommand("Core Chat: New Unsaved Conversation");
    await notice(panel).waitFor();
    const asking = new PictureAsking(chat.environment, chat.window);
    await asking.pasteOrDrop("drop", [["merganser-plan.png", PICTURE]]);
    await asking.chips.first().waitFor();
    chat.service.script({ blocks: ["merganser ", "answer ", { gate: true }, "end"] });
    await composer(panel).fill("merganser question");
    await composer(panel).press("Enter");
    await replies(panel).getByText("merganser answer").waitFor();
    await composer(panel).fill("Merganser queued");
    await composer(panel).press("Enter");
    await composer(panel).fill("merganser unsent");
    assert.deepEqual(await placesWith(SECRETS), [], "while the reply arrives");
    chat.service.releaseGate();
    await chat.untilQuiet();
    await notice(panel).waitFor();
    await chat.window.runCommand("Core Chat: Open in Editor");
    await notice(
      chat.window.page.frameLocator(EDITOR_FRAME).frameLocator("#active-frame"),
    ).waitFor();
    assert.deepEqual(await placesWith(SECRETS), [], "in a tab");
    await chat.environment.crash();
    assert.deepEqual(await placesWith(SECRETS), [], "after a kill");
    await chat.window.reload();
    await chat.window.openChat();
    await composer(chat.window.panel).waitFor();
    assert.deepEqual(await placesWith(SECRETS), [], "after a reload");
    assert.equal(await replies(chat.window.panel).count(), 0);
  });
});

/** Returns everything in the storage of VS Code's page. Runs in the page. */
async function readWindowStorage(): Promise<string> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error("the storage cannot be read"));
    });
  const texts = [localStorage, sessionStorage].map((storage) =>
    JSON.stringify(Object.entries(storage)),
  );
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name ?? ""));
    for (const store of database.objectStoreNames) {
      const values: unknown[] = await done(database.transaction(store).objectStore(store).getAll());
      const asText = (_key: string, value: unknown) =>
        value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value;
      texts.push(JSON.stringify(values, asText));
    }
    database.close();
  }
  return texts.join("\n");
}
