/**
 * Opens the panel for page tests, in the page of the test before unless a suite has its own pages.
 * After each test, checks that no page failed, sent a request elsewhere or violated its policy.
 */
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { FakeHost, type OpenOptions } from "./fakeHost";
import { pageBrowser } from "./pageBrowser";
import { PanelServer } from "./panelServer";

/** Widths of the panel, from a narrow side bar to an editor tab, in CSS pixels. */
export const WIDTHS_PX = [280, 330, 420, 900] as const;

/** Opens the panel for a test; the page is closed after the test. */
export type OpenPanel = (options?: OpenOptions) => Promise<FakeHost>;

/** Server and page that the suites of a process share. */
let shared: Promise<PanelServer> | undefined;
let context: BrowserContext | undefined;
let usedPage: Page | undefined;

/**
 * Registers the hooks of a suite; call this inside `describe`.
 *
 * @param options.isPageReused whether a test opens its panel in the page of the test before, which
 *   costs less than a new page; not for tests that install a clock or change a page for ever
 * @param options.hasCodeColors whether the code of replies gets its colors
 */
export function usePanel({ isPageReused = true, hasCodeColors = false } = {}): OpenPanel {
  let server: PanelServer;
  let hosts: FakeHost[] = [];

  const closeContext = async () => {
    await context?.close();
    context = usedPage = undefined;
  };

  before(async () => {
    server = await (shared ??= PanelServer.start());
    if (!isPageReused) await closeContext();
  });
  afterEach(async function () {
    const opened = hosts;
    hosts = [];
    let isReusable = false;
    try {
      for (const host of opened) await assertNoFailure(host);
      isReusable = isPageReused && this.currentTest?.state === "passed";
    } finally {
      if (!isReusable) await closeContext();
      else if (opened.length > 0) usedPage = await resetPage(opened);
    }
  });

  return async (options) => {
    // Tests need not wait for a fade; tests of motion request motion.
    context ??= await (await pageBrowser()).newContext({ reducedMotion: "reduce" });
    const page = hosts.length === 0 ? usedPage : undefined;
    const host = await FakeHost.open(server, context, { hasCodeColors, ...options }, page);
    hosts.push(host);
    return host;
  };
}

/** Closes all pages of a test but the first; returns that one as a new page would be. */
async function resetPage([first, ...others]: readonly FakeHost[]): Promise<Page> {
  const { page } = first!;
  for (const other of others) await other.page.close();
  await page.context().clearPermissions();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.emulateMedia({ reducedMotion: "reduce", forcedColors: null, colorScheme: null });
  await page.mouse.move(-9, -9);
  return page;
}

async function assertNoFailure(host: FakeHost): Promise<void> {
  assert.deepEqual(await host.policyViolations(), []);
  assert.deepEqual(host.foreignRequests, []);
  assert.deepEqual(
    host.receivedOf("view-failed").map(({ where }) => where),
    host.expectedFailures,
  );
}
