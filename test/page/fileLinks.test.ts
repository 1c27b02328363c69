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

  it("stay plain text if the host does not answer", async () => {
    const host = await open({ shown: null });
    host.answer = "refuse";
    await host.show({ messages: [question("q1", "?"), reply("r1", TEXT)] });
    await host.waitFor("files-named");
    assert.equal(await host.page.locator(".file-link").count(), 0);
  });
});
