/**
 * Tests the packaged extension in a web extension host, without Node: a service that blocks web
 * pages is explained, a service that allows them answers, and the conversation is restored after a
 * reload. Next to a remote machine, where this host reads no policy, nothing is sent.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

/** Starts a proxy that allows web pages to use the service at `target`, as its operator would. */
async function startCorsProxy(target: string): Promise<Server> {
  const allowed = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization, content-type, accept",
    "access-control-allow-methods": "POST",
  };
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.method === "OPTIONS") {
      outgoing.writeHead(204, allowed).end();
      return;
    }
    const { method = "POST", url = "/", headers } = incoming;
    const forwarded = request(new URL(url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, ...allowed });
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

const HOST_SCRIPT = "**/extensionHostWorkerMain.js";

const REMOTE_NAME = /remoteName\(\)\{return \w+\(\w+\.remote\.authority\)\}/;

/** Gives the extension host a page without a remote machine, as that of vscode.dev. */
async function hideRemote(page: Page): Promise<void> {
  await page.context().route(HOST_SCRIPT, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    assert.match(script, REMOTE_NAME);
    await route.fulfill({ response, body: script.replace(REMOTE_NAME, "remoteName(){}") });
  });
}

describe("VS Code in a browser", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let proxy: Server;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open({
      settings: {
        "remote.extensionKind": { "core-chat.core-chat": ["web"] },
        "coreChat.retries": 0,
      },
    });
    proxy = await startCorsProxy(environment.service.url);
    await environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow({ beforeOpening: hideRemote });
  });
  after(async () => {
    await environment.close();
    proxy.close();
    proxy.closeAllConnections();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  async function ask(text: string): Promise<void> {
    const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
    await composer.fill(text);
    await composer.press("Enter");
  }

  it("reports a service that does not allow web pages", async () => {
    const panel = await window.openChat();
    await ask("/echo cannot be heard");
    await panel
      .locator(".notice")
      .filter({ hasText: "the service is unreachable or does not allow web pages (CORS)." })
      .waitFor();
  });

  it("answers with a service that allows them", async () => {
    const { port } = proxy.address() as AddressInfo;
    await environment.changeSettings({ "coreChat.baseUrl": `http://127.0.0.1:${port}` });
    await window.runCommand("Core Chat: New Conversation");
    await window.panel.getByRole("article").first().waitFor({ state: "detached" });
    await ask("/echo from the browser");
    const reply = window.panel.getByRole("article", { name: "Assistant" });
    await reply.getByText("from the browser").waitFor();
    await reply.and(window.panel.locator("[aria-busy=false]")).waitFor();
    assert.equal(environment.service.requests.at(-1)?.headers["authorization"], "Bearer local");
  });

  it("keeps the conversation after a reload, and sends nothing next to a remote machine, whose policy it cannot read", async () => {
    const requestCount = environment.service.requests.length;
    await window.context.unroute(HOST_SCRIPT);
    await window.reload();
    const { panel } = window;
    // The panel keeps its position, so it opens again automatically.
    await panel.getByRole("article").getByText("from the browser").last().waitFor();
    const reason = panel.locator(".notice").filter({ hasText: "runs in a web worker" });
    await reason.first().waitFor();
    await ask("/echo past the policy");
    await window.runCommand("Core Chat: Test Connection");
    await window.notifications.filter({ hasText: "web worker" }).first().waitFor();
    assert.equal(environment.service.requests.length, requestCount);
  });
});
