import assert from "node:assert/strict";
import { question, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const TEXT =
  "Look at `src/cart.ts:12` and src/cart.ts:12, not at gone.ts or [link.ts](https://a.example/link.ts).\n\n```ts\nimport 'in/code.ts';\n```\n";

describe("files named in a reply", () => {
  const open = usePanel();

  it("become links if the host finds them, and open by the number that the host gave them", async () => {
    const host = await open({ shown: null });
    host.answer = { isAccepted: true, files: [7, null] };
    await host.show({ messages: [question("q1", "?"), reply("r1", TEXT)] });
    const { messageId, mentions } = await host.waitFor("files-named");
    assert.equal(messageId, "r1");
    assert.deepEqual(mentions, ["src/cart.ts:12", "gone.ts"]);
    const links = host.page.getByRole("link", { name: "src/cart.ts:12" });
    await links.nth(1).waitFor();
    assert.equal(await host.page.locator(".file-link").count(), 2);
    await links.first().click();
    assert.deepEqual(await host.waitFor("file-opened"), { type: "file-opened", file: 7 });
    await links.nth(1).press("Enter");
    await host.waitFor("file-opened", 2);
    assert.equal(
      (await host.page.locator(".reply-body p").innerText()).replace(/\s+/g, " "),
      "Look at src/cart.ts:12 and src/cart.ts:12, not at gone.ts or link.ts.",
    );
  });

  it("are the targets of links, and the parts of a name that no file has", async () => {
    const host = await open({ shown: null });
    host.answer = { isAccepted: true, files: [1, null, null, 2, 3] };
    const text = "[Guide](docs/my%20file.md#use), [x](C:\\shop\\a.ts): src/b.ts,src/c.ts";
    await host.show({ messages: [question("q1", "?"), reply("r1", text)] });
    const { mentions } = await host.waitFor("files-named");
    const both = "src/b.ts,src/c.ts";
    assert.deepEqual(mentions, ["docs/my file.md", "C:\\shop\\a.ts", both, ...both.split(",")]);
    await host.page.locator(".file-link").nth(2).waitFor();
    const links = await host.page.locator(".file-link").allInnerTexts();
    assert.deepEqual(links, ["Guide", ...both.split(",")]);
    await host.page.getByRole("link", { name: "Guide" }).click();
    assert.deepEqual(await host.waitFor("file-opened"), { type: "file-opened", file: 1 });
  });

  it("stay plain text if the host does not answer", async () => {
    const host = await open({ shown: null });
    host.answer = "refuse";
    await host.show({ messages: [question("q1", "?"), reply("r1", TEXT)] });
    await host.waitFor("files-named");
    assert.equal(await host.page.locator(".file-link").count(), 0);
  });
});
