/**
 * Tests the main steps of a user with the packaged extension in a real VS Code: connecting in the
 * panel, asking, streaming, stopping, asking again; then the notices of common failures.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { freePort } from "../support/vscode/serve.mjs";

describe("the chat", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow({ isConnected: false, settings: { "coreChat.retries": 0 } });

  const composer = () => chat.composer();
  const replies = () => chat.replies();
  const questions = () => chat.questions();
  const button = (name: string) => chat.button(name);
  const alerts = () => chat.window.panel.locator(".notice");

  async function ask(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press("Enter");
  }

  /** Asserts that the last notice with this text has at most this button, next to Dismiss. */
  async function expectNotice(text: RegExp, action: string | undefined): Promise<void> {
    const alert = alerts().filter({ hasText: text }).last();
    await alert.waitFor();
    const buttons = await alert.getByRole("button").allInnerTexts();
    // Dismiss is an icon without text.
    const names = buttons.map((name) => name.trim()).filter((name) => name !== "");
    assert.deepEqual(names, action === undefined ? [] : [action]);
  }

  async function useService(baseUrl: string): Promise<void> {
    await chat.window.runCommand("Core Chat: Service");
    await chat.window.press("list", "Service", "Set Address…");
    await chat.window.answerInput(baseUrl);
    await chat.window.quickInput.waitFor({ state: "hidden" });
  }

  it("asks for the address, keeps a question without a service, and connects", async () => {
    await chat.window.openChat();
    await ask("precious words");
    await expectNotice(/No service is set/, "Set Address");
    assert.equal(await composer().inputValue(), "precious words");
    await button("Set Address").first().click();
    await chat.window.answerInput(chat.service.url);
    await button("Set Address").first().waitFor({ state: "detached" });
    await chat.window.panel.locator("textarea:focus").waitFor();
    await chat.window.runCommand("Core Chat: Set API Key");
    await chat.window.answerInput("Bearer sk-e2e-1234567890");
    await chat.window.quickInput.waitFor({ state: "hidden" });
  });

  it("streams the reply to a question", async () => {
    chat.service.script({ blocks: ["**First** ", { gate: true }, "second"] });
    await ask("Do you stream?");
    await questions().getByText("Do you stream?").waitFor();
    await replies().locator("strong", { hasText: "First" }).waitFor();
    assert.equal(await replies().getAttribute("aria-busy"), "true");
    chat.service.releaseGate();
    await replies().getByText("First second").waitFor();
    await chat.untilQuiet();
    const [request] = chat.service.requests;
    assert.equal(request?.headers["authorization"], "Bearer sk-e2e-1234567890");
    const { messages, ...others } = request.body as { messages: { role: string }[] };
    assert.deepEqual(others, { model: "core_llm", stream: true });
    const [system, ...asked] = messages;
    assert.equal(system?.role, "system");
    assert.deepEqual(asked, [{ role: "user", content: "Do you stream?" }]);
  });

  it("stops a reply, closes the socket and keeps the text so far", async () => {
    chat.service.script({ blocks: ["kept text ", { gate: true }, "never"] });
    await ask("Tell me a lot");
    await replies().last().getByText("kept text").waitFor();
    await button("Stop").click();
    await chat.service.waitForClose(1);
    assert.ok(chat.service.requests[0]?.closedByClientAtMs !== undefined);
    await button("Send").waitFor();
    await replies().last().getByText("kept text").waitFor();
  });

  it("continues after Stop, and stops with Escape too", async () => {
    chat.service.script({ blocks: ["again ", { gate: true }] });
    await ask("And again?");
    await replies().last().getByText("again").waitFor();
    await composer().press("Escape");
    await chat.service.waitForClose(1);
    assert.equal(await replies().count(), 3);
  });

  it("restores everything after the panel was hidden during a reply", async () => {
    chat.service.script({ blocks: ["before ", { gate: true }, "after"] });
    await ask("Hide me");
    await replies().last().getByText("before").waitFor();
    await chat.window.runCommand("View: Toggle Secondary Side Bar Visibility");
    chat.service.releaseGate();
    await chat.service.waitForClose(1);
    await chat.window.openChat();
    await replies().last().getByText("before after").waitFor();
  });

  it("starts a new conversation", async () => {
    await chat.window.runCommand("Core Chat: New Conversation");
    await replies().first().waitFor({ state: "detached" });
    assert.equal(await questions().count(), 0);
  });

  describe("after a failure", () => {
    /** Address of the service for which no key is set. */
    const withoutKey = () => chat.service.url.replace("127.0.0.1", "localhost");

    it(`without a key keeps the text and shows Set API Key`, async () => {
      await useService("https://maas.invalid");
      await ask("precious words");
      await expectNotice(/no API key for https:\/\/maas\.invalid/, "Set API Key");
      assert.equal(await composer().inputValue(), "precious words");
    });

    it(`with an unreachable host keeps the question in the conversation`, async () => {
      const nobody = `127.0.0.1:${await freePort()}`;
      await useService(`http://${nobody}`);
      await ask("precious words");
      await expectNotice(new RegExp(`${nobody} refused the connection`), "Try again");
      await chat.window.panel.getByRole("article").getByText("precious words").waitFor();
      assert.equal(await composer().inputValue(), "");
    });

    it(`does not appear again once the service is available`, async () => {
      await useService(withoutKey());
      chat.service.script({ blocks: ["at last"] });
      await ask("precious words");
      await chat.window.panel.getByRole("article").getByText("at last").waitFor();
      assert.equal(
        await chat.window.panel.getByRole("article").getByText("precious words").count(),
        1,
      );
    });

    it("asks the question again by itself once the correct key was entered", async () => {
      chat.service.script({ status: 401, body: "no" }, { blocks: ["welcome"] });
      await ask("Who is there?");
      await alerts()
        .getByText(/needs an API key/)
        .waitFor();
      await button("Set API Key").click();
      await chat.window.answerInput("sk-e2e-right-1234567890");
      await chat.window.panel.getByRole("article").getByText("welcome").waitFor();
      const { authorization } = chat.service.requests.at(-1)?.headers ?? {};
      assert.equal(authorization, "Bearer sk-e2e-right-1234567890");
    });

    describe(`caused by invalid settings ${ALL}`, () => {
      const alert = (text: RegExp) => alerts().filter({ hasText: text }).last();

      before(async () => {
        await chat.environment.changeSettings({
          "coreChat.baseUrl": "maas.invalid",
          "coreChat.models.llm": "no_such_model",
          "coreChat.llm.temperature": 7,
        });
      });

      it("names them, with a button to the settings", async () => {
        const notice = alert(/coreChat\.llm\.temperature/);
        await notice.getByRole("button", { name: "Open Settings" }).waitFor();
      });

      it("keeps the text if the base URL is not valid", async () => {
        await composer().fill("precious words");
        await composer().press("Enter");
        const notice = alert(/address must start with https/);
        await notice.getByRole("button", { name: "Set Address" }).click();
        await chat.window.answerInput(chat.service.url);
        await notice.waitFor({ state: "detached" });
        await chat.window.panel.locator("textarea:focus").waitFor();
        assert.equal(await composer().inputValue(), "precious words");
      });

      it("shows the service's message about an unknown model", async () => {
        await composer().press("Enter");
        const notice = alert(/does not know this model.*no_such_model/);
        await notice.getByRole("button", { name: "Set Model ID" }).waitFor();
      });

      it("shows Try again after the model ID was changed", async () => {
        chat.service.script({ blocks: ["settled"] });
        await chat.environment.changeSettings({ "coreChat.models.llm": "core_llm" });
        await alert(/^Settings saved\./)
          .getByRole("button", { name: "Try again" })
          .click();
        await chat.window.panel.getByRole("article").getByText("settled").waitFor();
      });
    });
  });
});
