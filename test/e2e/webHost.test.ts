/**
 * The packaged extension in a browser's extension host, where no Node is: a service that allows no
 * web pages is explained, one that does is asked, and what was said outlives the page.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { E2eEnvironment } from "../support/e2e/window";
import type { Workbench } from "../support/vscode/workbench.mjs";

/** Lets web pages ask the service at `target`, as its operator would. */
async function startDoor(target: string): Promise<Server> {
  const allowed = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization, content-type, accept",
    "access-control-allow-methods": "POST",
  };
  const door = createServer((asked, answer) => {
    if (asked.method === "OPTIONS") {
      answer.writeHead(204, allowed).end();
      return;
    }
    const { method = "POST", url = "/", headers } = asked;
    const passed = request(new URL(url, target), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, { ...response.headers, ...allowed });
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  return door;
}

describe("VS Code in a browser", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let door: Server;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open({
      settings: {
        "remote.extensionKind": { "core-chat.core-chat": ["web"] },
        "coreChat.retries": 0,
      },
    });
    door = await startDoor(environment.service.url);
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
  });
  after(async () => {
    await environment.close();
    door.close();
    door.closeAllConnections();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  async function ask(text: string): Promise<void> {
    const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
    await composer.fill(text);
    await composer.press("Enter");
  }

  it("names a service that does not allow web pages, and what to do", async () => {
    const panel = await window.openChat();
    await ask("/echo cannot be heard");
    await panel
      .locator(".notice")
      .filter({ hasText: "the service is unreachable or does not allow web pages (CORS)." })
      .waitFor();
  });

  it("answers with a service that allows them, and keeps the conversation after the page closes", async () => {
    const { port } = door.address() as AddressInfo;
    environment.changeSettings({ "coreChat.baseUrl": `http://127.0.0.1:${port}` });
    await window.runCommand("Core Chat: New Conversation");
    await window.panel.getByRole("article").first().waitFor({ state: "detached" });
    await ask("/echo from the browser");
    const reply = window.panel.getByRole("article", { name: "Assistant" });
    await reply.getByText("from the browser").waitFor();
    await reply.and(window.panel.locator("[aria-busy=false]")).waitFor();
    assert.equal(environment.service.requests.at(-1)?.headers["authorization"], "Bearer local");

    // The panel keeps its position, so it opens again automatically.
    await window.reload();
    await reply.getByText("from the browser").waitFor({ timeout: 90_000 });
  });
});
