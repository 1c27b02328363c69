/**
 * What every suite of page tests shares: one server and one browser, a fresh context for each
 * test, and after each test the proof that the page broke nothing, asked nobody else for anything
 * and kept within its policy.
 */
import assert from "node:assert/strict";
import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser } from "./browser";
import { FakeHost, type OpenOptions } from "./fakeHost";
import { PanelServer } from "./panelServer";

/** Opens the panel for one test; closed after it. */
export type OpenPanel = (options?: OpenOptions) => Promise<FakeHost>;

/** Call inside `describe`. */
export function usePanel(): OpenPanel {
  let server: PanelServer;
  let browser: Browser;
  let context: BrowserContext;
  let hosts: FakeHost[] = [];

  before(async () => {
    server = await PanelServer.start();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  beforeEach(async () => {
    // No test has to wait for a fade; those of motion ask for motion.
    context = await browser.newContext({ reducedMotion: "reduce" });
  });
  afterEach(async () => {
    const opened = hosts;
    hosts = [];
    try {
      for (const host of opened) await assertUnharmed(host);
    } finally {
      await context.close();
    }
  });

  return async (options) => {
    const host = await FakeHost.open(server, context, options);
    hosts.push(host);
    return host;
  };
}

async function assertUnharmed(host: FakeHost): Promise<void> {
  assert.deepEqual(await host.policyViolations(), []);
  assert.deepEqual(host.strayRequests, []);
  assert.deepEqual(
    host.heardOf("view-failed").map(({ where }) => where),
    host.expectedFailures,
  );
}
