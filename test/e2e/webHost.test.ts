/**
 * Tests the packaged extension in a web extension host, without Node: a service that blocks web
 * pages is explained, a service that allows them answers, and the conversation is restored after a
 * reload. Next to a remote machine, where the host reads no policy, nothing is sent.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { SharedVscode } from "../support/e2e/sharedVscode";
import type { Workbench } from "../support/vscode/workbench.mjs";

const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type, accept",
  "access-control-allow-methods": "POST",
};

/** Starts a proxy that allows web pages to use the service at `target`, as its operator would. */
async function startCorsProxy(target: string, isAllowed: () => boolean): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const allowed = isAllowed() ? CORS_HEADERS : {};
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

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Options of VS Code's page, as its server writes them. */
const PAGE_OPTIONS = /data-settings="([^"]*)"/;

const SERVER_AS_REMOTE = ",remoteAuthority:location.host";

/** Folder of the page's origin that has the files of the extension. */
const EXTENSION_PATH = "/extension-of-the-web";

/**
 * Makes VS Code's page one without a server, as vscode.dev is: without a remote machine, and with an
 * extension from the web.
 */
async function openWithoutServer(
  page: Page,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const installed = join((await SharedVscode.get({})).dataDir, "ext");
  const name = readdirSync(installed).find((folder) => folder.startsWith("core-chat.core-chat-"));
  assert.ok(name !== undefined);
  await page.route(
    (url) => url.pathname.startsWith(`${EXTENSION_PATH}/`),
    async (route) => {
      const path = new URL(route.request().url()).pathname.slice(EXTENSION_PATH.length);
      const headers = { "access-control-allow-origin": "*" };
      await route.fulfill({ path: join(installed, name, decodeURIComponent(path)), headers });
    },
  );
  // This build's page names its server as the remote machine.
  await page.route("**/code/browser/workbench/workbench.js", async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    assert.ok(script.includes(SERVER_AS_REMOTE));
    await route.fulfill({ response, body: script.replace(SERVER_AS_REMOTE, "") });
  });
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const written = PAGE_OPTIONS.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "{}";
      const options = JSON.parse(written) as Record<string, unknown>;
      delete options["remoteAuthority"];
      const { host } = new URL(route.request().url());
      const changed = JSON.stringify({
        ...options,
        configurationDefaults: settings,
        additionalBuiltinExtensions: [{ scheme: "http", authority: host, path: EXTENSION_PATH }],
      });
      const attribute = `data-settings="${changed.replaceAll('"', "&quot;")}"`;
      await route.fulfill({ response, body: html.replace(PAGE_OPTIONS, () => attribute) });
    },
  );
}

describe("VS Code in a browser", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let proxy: Server;
  let allowsWebPages = false;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open({
      settings: { "remote.extensionKind": { "core-chat.core-chat": ["web"] } },
    });
    proxy = await startCorsProxy(environment.service.url, () => allowsWebPages);
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
    const settings = {
      "chat.disableAIFeatures": true,
      "workbench.secondarySideBar.defaultVisibility": "visible",
      "coreChat.retries": 0,
      "coreChat.baseUrl": `http://127.0.0.1:${portOf(proxy)}`,
    };
    window = await environment.openWindow({
      beforeOpening: (page) => openWithoutServer(page, settings),
    });
    const panel = await window.openChat();
    await ask("/echo cannot be heard");
    await panel
      .locator(".notice")
      .filter({ hasText: "the service is unreachable or does not allow web pages (CORS)." })
      .waitFor();
  });

  it("answers with a service that allows them, and keeps the conversation after the page closes", async () => {
    allowsWebPages = true;
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

  it("sends nothing next to a remote machine, whose policy it cannot read", async () => {
    const requestCount = environment.service.requests.length;
    environment.changeSettings({ "coreChat.baseUrl": `http://127.0.0.1:${portOf(proxy)}` });
    window = await environment.openWindow();
    const panel = await window.openChat();
    const reason = panel.locator(".notice").filter({ hasText: "runs in a web worker" });
    await reason.first().waitFor();
    await ask("/echo past the policy");
    await window.runCommand("Core Chat: Test Connection");
    await window.notifications.filter({ hasText: "web worker" }).first().waitFor();
    assert.equal(environment.service.requests.length, requestCount);
  });
});
