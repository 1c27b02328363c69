/**
 * Opens the panel for page tests: a server per suite, a browser context per test. After each
 * test, checks that no page failed, sent a request elsewhere or violated its policy.
 */
import assert from "node:assert/strict";
import type { BrowserContext } from "playwright-core";
import { FakeHost, type OpenOptions } from "./fakeHost";
import { pageBrowser } from "./pageBrowser";
import { PanelServer } from "./panelServer";

/** Widths of the panel, from a narrow side bar to an editor tab, in CSS pixels. */
export const WIDTHS_PX = [280, 330, 420, 900] as const;

/** Opens the panel for a test; the page is closed after the test. */
export type OpenPanel = (options?: OpenOptions) => Promise<FakeHost>;

/** Registers the hooks of a suite; call this inside `describe`. */
export function usePanel(): OpenPanel {
  let server: PanelServer;
  let context: BrowserContext;
  let hosts: FakeHost[] = [];

  before(async () => {
    server = await PanelServer.start();
  });
  after(() => server.close());
  beforeEach(async () => {
    // Tests need not wait for a fade; tests of motion request motion.
    context = await (await pageBrowser()).newContext({ reducedMotion: "reduce" });
  });
  afterEach(async () => {
    const opened = hosts;
    hosts = [];
    try {
      for (const host of opened) await assertNoFailure(host);
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

async function assertNoFailure(host: FakeHost): Promise<void> {
  assert.deepEqual(await host.policyViolations(), []);
  assert.deepEqual(host.foreignRequests, []);
  assert.deepEqual(
    host.receivedOf("view-failed").map(({ where }) => where),
    host.expectedFailures,
  );
}
