/**
 * Tests that the keyboard focus moves to a useful control when the focused control is removed or
 * disabled.
 */
import type { Page } from "playwright-core";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const article = activeElement?.closest("article")?.dataset["messageId"];
    if (!(activeElement instanceof HTMLElement)) return "";
    const label = activeElement.ariaLabel ?? (activeElement.title || activeElement.tagName);
    return article === undefined ? label : `${label} of ${article}`;
  });

async function untilFocused(page: Page, wanted: string): Promise<void> {
  await poll(async () => (await focused(page)) === wanted, `the focus on ${wanted}`).catch(
    async (error: unknown) => {
      throw new Error(`the focus is on ${await focused(page)}`, { cause: error });
    },
  );
}

/** Starts a new reply in place of the regenerated reply, as the host does. */
async function begin(host: FakeHost, id: string): Promise<void> {
  const streaming = reply(id, "", { isStreaming: true, metaLine: "" });
  await host.send({ type: "messages-shown", removedFromId: "r1", messages: [streaming] });
}

const CUT = { tone: "warning", text: "The reply was cut off." } as const;

describe("the keyboard focus in the conversation", () => {
  const open = usePanel();
  const ask = question("q1", "Why?");

  for (const [id, label] of [
    ["continue", "Continue"],
    ["try-again", "Try again"],
  ] as const) {
    it(`moves to the composer after ${label}`, async () => {
      const notice = { ...CUT, action: { id, label } };
      const host = await open({ shown: { messages: [ask, reply("r1", "Half", { notice })] } });
      await host.page.getByRole("button", { name: label, exact: true }).press("Enter");
      await host.waitFor("action-asked");
      const message = reply("r1", "", { isStreaming: true });
      await host.send({ type: "message-changed", message });
      await untilFocused(host.page, "Message");
    });
  }

  it("moves to the composer after Regenerate", async () => {
    const host = await open({ shown: { messages: [ask, reply("r1", "Because.")] } });
    await host.page.getByRole("button", { name: "Regenerate" }).press("Enter");
    await host.waitFor("regenerate-asked");
    await begin(host, "r2");
    await untilFocused(host.page, "Message");
  });

  it("stays on the version buttons, also at the first and the last version", async () => {
    const version = (index: number) => ({ version: { index, count: 3 } });
    const host = await open({ shown: { messages: [ask, reply("r3", "Third", version(3))] } });
    const step = async (label: string, from: string, to: string, index: number) => {
      const count = host.receivedOf("version-chosen").length;
      await host.page.keyboard.press("Enter");
      await host.waitFor("version-chosen", count + 1);
      const messages = [reply(to, "Other", version(index))];
      await host.send({ type: "messages-shown", removedFromId: from, messages });
      await untilFocused(host.page, `${label} of ${to}`);
    };
    await host.page.getByRole("button", { name: "Previous version" }).focus();
    await step("Previous version", "r3", "r2", 2);
    await step("Next version", "r2", "r1", 1);
    await step("Next version", "r1", "r2", 2);
    await step("Previous version", "r2", "r3", 3);
  });

  it("does not move if the user has moved it elsewhere", async () => {
    const notice = { ...CUT, action: { id: "continue", label: "Continue" } } as const;
    const host = await open({ shown: { messages: [ask, reply("r1", "Half", { notice })] } });
    await host.page.getByRole("button", { name: "Continue" }).focus();
    await host.page.getByRole("log").focus();
    await begin(host, "r2");
    await host.page.locator("[data-message-id=r2]").waitFor();
    await untilFocused(host.page, "Conversation");
  });
});
