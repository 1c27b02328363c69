/**
 * Hostile pages in a preview: nothing of them reaches a listener on this machine. The same pages in an ordinary tab do reach the listener.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Frame, Page } from "playwright-core";
import { ALL } from "../support/depth";
import { Listener } from "../support/listener";
import { pageBrowser } from "./support/pageBrowser";
import { PreviewServer } from "./support/previewServer";

const FOLDER = "test/fixtures/previews/hostile";
const PAGES = readdirSync(FOLDER).map((name) => name.replace(/\.html$/, ""));

function kindOf(page: string): "html" | "svg" {
  return /^svg-(?:document|script)$/.test(page) ? "svg" : "html";
}

/** Number of pages that are open at the same time. */
const TOGETHER = 8;

/** Limit of an act in a page that can have navigated away, in milliseconds. */
const PATIENCE_MS = 2_000;

/** Clicks and submits what a page offers, as a user who trusts the page. */
async function useDocument(frame: Page | Frame, markup: string): Promise<void> {
  for (const id of ["click", "submit"]) {
    if (!markup.includes(`id="${id}"`)) continue;
    const limited = { timeout: PATIENCE_MS };
    const element = frame.locator(`#${id}`).first();
    await element.dispatchEvent("click", undefined, limited).catch(() => undefined);
    await element.click({ force: true, noWaitAfter: true, ...limited }).catch(() => undefined);
  }
}

/** Resolves when a page has loaded nothing for a while, or never stops. */
async function untilIdle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: PATIENCE_MS }).catch(() => undefined);
}

async function forEachPage(
  pages: readonly string[],
  act: (name: string) => Promise<void>,
): Promise<void> {
  const waiting = pages.values();
  const actOnRest = async () => {
    for (const name of waiting) await act(name);
  };
  await Promise.all(Array.from({ length: TOGETHER }, actOnRest));
}

/** Runs in the preview. */
function countLinks(): number {
  return document.querySelectorAll("link").length;
}

async function innerFrame(page: Page): Promise<Frame> {
  const element = await page
    .frameLocator('iframe[name="tab"]')
    .locator(".preview-container iframe")
    .elementHandle();
  const frame = await element.contentFrame();
  if (!frame) throw new Error("there is no preview");
  return frame;
}

describe("hostile pages in a preview", function () {
  this.timeout(900_000);
  let server: PreviewServer;
  let context: BrowserContext;

  before(async () => {
    server = await PreviewServer.start();
    context = await (await pageBrowser()).newContext();
  });
  after(async () => {
    await context.close();
    await server.close();
  });

  async function assertSilent(pages: readonly string[]): Promise<void> {
    const listeners = new Map<string, Listener>();
    await forEachPage(pages, async (name) => {
      const listener = await Listener.start();
      listeners.set(name, listener);
      const markup = listener.fillIn(readFileSync(join(FOLDER, `${name}.html`), "utf8"));
      const code = { kind: kindOf(name), markup };
      const { page, received } = await server.open(context, { code });
      const address = page.url();
      const inner = await innerFrame(page);
      await useDocument(inner, markup);
      await untilIdle(page);
      const links = await inner.evaluate(countLinks);
      assert.equal(links, 0, `${name} made link elements`);
      assert.deepEqual(
        received.filter(({ type }) => type !== "preview-failed"),
        [],
        `${name} sent a message as the host's page`,
      );
      assert.equal(page.url(), address, `${name} navigated the page around the preview`);
      await page.close();
    });
    assert.equal(context.pages().length, 0, "a page opened another page");
    const requests = [...listeners].filter(([, { received }]) => received.length > 0);
    assert.deepEqual(
      requests.map(([name, { received }]) => `${name}: ${received.join(", ")}`),
      [],
    );
    const connected = [...listeners].filter(([, { connections }]) => connections > 0);
    assert.deepEqual(
      connected.map(([name]) => name),
      [],
    );
    for (const listener of listeners.values()) listener.close();
  }

  it(`send nothing ${ALL}`, () => assertSilent(PAGES));

  it(`would send something in an ordinary tab ${ALL}`, async () => {
    const listeners = new Map<string, Listener>();
    const plain = await (await pageBrowser()).newContext();
    await forEachPage(PAGES, async (name) => {
      const listener = await Listener.start();
      listeners.set(name, listener);
      const body = listener.fillIn(readFileSync(join(FOLDER, `${name}.html`), "utf8"));
      const page = await plain.newPage();
      const contentType = kindOf(name) === "svg" ? "image/svg+xml" : "text/html";
      const url = server.serveOrdinary(body, contentType);
      await page.goto(url, { waitUntil: "commit" }).catch(() => undefined);
      await useDocument(page, body);
      await untilIdle(page);
      await page.close();
    });
    await plain.close();
    const reached = [...listeners].filter(([, { received }]) => received.length > 0);
    for (const listener of listeners.values()) listener.close();
    const silent = PAGES.filter((name) => !reached.some(([other]) => other === name));
    assert.ok(reached.length >= 80, `these reached nothing: ${silent.join(", ")}`);
  });
});
