/** Tests pictures that a model made: shown, saved and attached; what cannot be shown is named. */
import assert from "node:assert/strict";
import { madePng } from "../support/pictures/madePng";
import { chooseMore, question, reply, type FakeHost, type OpenOptions } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const HASH = "4".repeat(64);
const NAME = "reply-1.png";
const ADDRESS = "pictures.example.com/a/very/long/path/".padEnd(200, "segment/");

const MESSAGES = [
  question("q1", "Draw a lighthouse, please."),
  reply("r1", "Here it is.", {
    pictures: [
      {
        kind: "picture",
        label: NAME,
        detail: "PNG",
        picture: { hash: HASH, widthPx: 640, heightPx: 400 },
      },
      { kind: "picture", label: "image/tiff", detail: "A picture cannot be shown: image/tiff" },
      { kind: "picture", label: "image/tiff", detail: "A picture cannot be shown: image/tiff" },
      { kind: "picture", label: ADDRESS, detail: `A picture cannot be shown: ${ADDRESS}` },
    ],
  }),
];

describe("a picture in a reply", () => {
  const open = usePanel();

  async function openReply(options: OpenOptions = {}): Promise<FakeHost> {
    const host = await open({ widthPx: 300, theme: "dark2026", ...options, shown: null });
    host.pictures.set(HASH, new Uint8Array(madePng(640, 400)));
    await host.show({ messages: MESSAGES });
    await host.page.locator(".sent-picture img[src]").waitFor();
    return host;
  }

  it("is drawn below the text, within a narrow panel", async () => {
    const { page } = await openReply();
    const image = page.locator("article .sent-picture img[src]");
    const drawn = await image.evaluate((element: HTMLImageElement) => element.naturalWidth);
    assert.ok(drawn > 0, `${drawn} pixels`);
    const text = await page.getByText("Here it is.").boundingBox();
    const box = await image.boundingBox();
    assert.ok(text && box && box.y >= text.y + text.height);
    assert.ok(box.x >= 0 && box.x + box.width <= 300, JSON.stringify(box));
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(excess, 0);
  });

  it("is named if it cannot be shown, within a narrow panel", async () => {
    const { page } = await openReply();
    const named = page.getByText("A picture cannot be shown:");
    assert.equal(await named.count(), 3);
    for (const line of await named.all()) {
      const box = await line.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 300, JSON.stringify(box));
    }
    await page.getByText(ADDRESS).waitFor();
  });

  it("is saved and attached from the viewer", async () => {
    const host = await openReply();
    await host.page.getByRole("button", { name: `Open ${NAME}`, exact: true }).click();
    const dialog = host.page.getByRole("dialog", { name: "Picture", exact: true });
    await dialog.locator(".picture-area img[src]").first().waitFor();
    await chooseMore(host.page, "Save picture");
    const { hash, name } = await host.waitFor("picture-save-asked");
    assert.deepEqual([hash, name], [HASH, NAME]);
    await chooseMore(host.page, "Attach this picture again");
    const put = await host.waitFor("picture-put-back");
    assert.deepEqual([put.messageId, put.hash], ["r1", HASH]);
    await dialog.waitFor({ state: "detached" });
  });

  it("is attached to the next question by one click, also in a narrow panel", async () => {
    const host = await openReply({ widthPx: 280 });
    const button = host.page.getByRole("button", { name: `Attach ${NAME} to the next question` });
    await button.click();
    const put = await host.waitFor("picture-put-back");
    assert.deepEqual([put.messageId, put.hash], ["r1", HASH]);
    await host.page.getByText("Attached", { exact: true }).waitFor();
    const box = await button.boundingBox();
    assert.ok(box && box.width >= 24 && box.height >= 24 && box.x + box.width <= 280);
  });
});
