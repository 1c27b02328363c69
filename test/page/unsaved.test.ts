/** A conversation that is not saved: what the panel says, and what it gives VS Code to store. */
import assert from "node:assert/strict";
import { violationsInThemes } from "./support/everyTheme";
import { question, readyPanel, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const unsaved = {
  tone: "info" as const,
  text: "Not saved. This conversation is in memory only.",
  action: { id: "save-conversation" as const, label: "Save" },
};
const messages = [question("q1", "A secret?"), reply("r1", "Yes.")];

describe("a conversation that is not saved", () => {
  const open = usePanel();
  const stored = ({ page }: FakeHost) => page.evaluate(() => sessionStorage.getItem("state") ?? "");
  const type = async (host: FakeHost, text: string) => {
    await host.page.getByRole("textbox", { name: "Message" }).fill(text);
    await host.waitFor("draft-changed");
  };

  it("says so above the box, cannot be dismissed, and is saved with a button", async () => {
    const host = await open({ shown: { messages, panel: { unsaved } } });
    const notice = host.page.getByRole("status").filter({ hasText: "Not saved." });
    await notice.waitFor();
    assert.equal(await notice.getByRole("button", { name: "Dismiss" }).count(), 0);
    await notice.getByRole("button", { name: "Save" }).press("Enter");
    assert.equal((await host.waitFor("action-asked")).action, "save-conversation");
    assert.deepEqual(await violationsInThemes(host), []);
    await host.send({ type: "panel-changed", panel: readyPanel });
    await notice.waitFor({ state: "detached" });
  });

  it("gives VS Code no typed text to store, until it is saved", async () => {
    const host = await open({ shown: { messages, panel: { unsaved } } });
    await type(host, "secret thought");
    assert.doesNotMatch(await stored(host), /secret/);
    await host.send({ type: "panel-changed", panel: readyPanel });
    await type(host, "no secret any longer");
    await host.page.waitForFunction(() => sessionStorage.getItem("state")?.includes("any longer"));
  });
});
