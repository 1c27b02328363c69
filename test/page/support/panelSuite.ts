/**
 * Opens the panel for page tests: a server for each suite, a browser context for each test, and
 * after each test the check that no page failed, sent a request elsewhere or violated its policy.
 */
import assert from "node:assert/strict";
import type { BrowserContext } from "playwright-core";
import { FakeHost, type OpenOptions } from "./fakeHost";
import { pageBrowser } from "./pageBrowser";
import { PanelServer } from "./panelServer";

/** Opens the panel for one test; closed after it. */
export type OpenPanel = (options?: OpenOptions) => Promise<FakeHost>;

/** Call inside `describe`. */
export function usePanel(): OpenPanel {
  let server: PanelServer;
  let context: BrowserContext;
  let hosts: FakeHost[] = [];

  before(async () => {
    server = await PanelServer.start();
  });
  after(() => server.close());
  beforeEach(async () => {
    // No test has to wait for a fade; those of motion ask for motion.
    context = await (await pageBrowser()).newContext({ reducedMotion: "reduce" });
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
