/** Connects a real page with a chat session in a child process, which runs this file again. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "playwright-core";
import type { HostReply, ToView } from "../../../src/protocol/toView";
import type { ToHost } from "../../../src/protocol/toHost";
import { FakeHost, poll } from "../../page/support/fakeHost";
import { PanelServer } from "../../page/support/panelServer";
import { startService } from "../../service/server";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { PanelRig } from "../../support/chat/panelRig";

const CONVERSATIONS = Number(process.env["BENCH_CONVERSATIONS"] ?? 50);
/** Replies of a conversation; with 50 conversations, one for each minute of eight hours. */
const REPLIES = 10;
const BLOCK_LENGTH = 60;
/** Number of conversations before the values that the others are compared with. */
const FIRST_CONVERSATIONS = 10;
const LIMIT = 1.1;
/** Time without input before a measurement, in milliseconds: longer than each timer of the page. */
const REST_MS = 12_000;

type Figures = Readonly<Record<string, number>>;

/** Message to the child process; the answer has the same id. */
type Order =
  | { readonly order: "message"; readonly message: ToHost }
  | { readonly order: "tab"; readonly conversationId: string }
  | { readonly order: "figures" };

/**
 * Logs the memory of page and host after some conversations, and if it stays.
 *
 * @param texts replies in turn
 */
export async function measure(
  texts: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  const server = await PanelServer.start();
  const service = await startService();
  const browser = await launchBrowser();
  const host = new HostProcess(service.url);
  try {
    const fake = await FakeHost.open(server, await browser.newContext(), {
      handle: (message, opened) => {
        host.onMessage ??= (sent) => void opened.send(sent);
        return host.order<HostReply | undefined>({ order: "message", message });
      },
    });
    const devtools = await fake.page.context().newCDPSession(fake.page);
    await devtools.send("Performance.enable");
    await devtools.send("HeapProfiler.enable");
    let first: Figures | undefined;
    for (let conversation = 1; conversation <= CONVERSATIONS; conversation++) {
      await converse(fake, host, (reply) => {
        const text = texts[reply % texts.length] ?? "";
        const blocks = text.match(new RegExp(`[^]{1,${BLOCK_LENGTH}}`, "g")) ?? [];
        service.script({ blocks });
      });
      fake.received.length = 0;
      service.reset();

      if (conversation % 10 !== 0 && conversation !== CONVERSATIONS) continue;
      await delay(REST_MS);
      const figures = { ...(await pageFigures(devtools)), ...(await host.figures()) };
      if (conversation === FIRST_CONVERSATIONS) first = figures;
      log(
        `after ${conversation} conversations, load ${(loadavg()[0] ?? 0).toFixed(1)}: ` +
          Object.entries(figures)
            .map(([name, value]) => `${name} ${value.toFixed(name.endsWith("MB") ? 1 : 0)}`)
            .join(", "),
      );
      if (conversation !== CONVERSATIONS || first === undefined) continue;
      for (const [name, value] of Object.entries(figures)) {
        const ratio = value / (first[name] ?? NaN);
        log(
          `${ratio <= LIMIT ? "held" : "MISSED"}: ${name} ${ratio.toFixed(3)} times that after ` +
            `${FIRST_CONVERSATIONS} conversations (at most ${LIMIT})`,
        );
      }
    }
  } finally {
    host.stop();
    await browser.close();
    await service.close();
    await server.close();
  }
}

/** Asks questions in a new conversation, shows the history, and opens the conversation again, in a tab too. */
async function converse(fake: FakeHost, host: HostProcess, prepare: (reply: number) => void) {
  const { page } = fake;
  const box = page.getByRole("textbox", { name: "Message", exact: true });
  for (let reply = 0; reply < REPLIES; reply++) {
    prepare(reply);
    const ended = host.endedReplies;
    await box.fill(`Question ${reply} about the queue and its worker`);
    await box.press("Enter");
    await poll(() => host.endedReplies > ended, "the end of the reply");
    await isStill(page);
  }
  const { conversationId } = host;
  await fake.send({ type: "history-opened" });
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  await host.order({ order: "message", message: { type: "conversation-asked" } });
  await page.locator("article").first().waitFor({ state: "detached" });
  await host.order({ order: "message", message: { type: "conversation-opened", conversationId } });
  await page.locator("article").last().waitFor();
  await isStill(page);
  await host.order({ order: "tab", conversationId });
  await host.order({ order: "message", message: { type: "conversation-asked" } });
  await page.locator("article").first().waitFor({ state: "detached" });
}

async function isStill(page: Page): Promise<void> {
  await page.locator('article[aria-busy="true"]').first().waitFor({ state: "detached" });
}

async function pageFigures(devtools: CDPSession): Promise<Figures> {
  for (let round = 0; round < 3; round++) await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const value = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
  const count = async (expression: string) => {
    const { result } = await devtools.send("Runtime.evaluate", { expression });
    const { objects } = await devtools.send("Runtime.queryObjects", {
      prototypeObjectId: result.objectId ?? "",
      objectGroup: "counted",
    });
    const length = await devtools.send("Runtime.callFunctionOn", {
      objectId: objects.objectId ?? "",
      functionDeclaration: "function () { return this.length; }",
    });
    await devtools.send("Runtime.releaseObjectGroup", { objectGroup: "counted" });
    return Number(length.result.value);
  };
  return {
    "page heap, MB": value("JSHeapUsedSize") / 1e6,
    // Without the nodes of the browser's own undo list, which has up to 1,000 steps of the text box.
    "page DOM nodes known to scripts": await count("Node.prototype"),
    "page listeners": value("JSEventListeners"),
  };
}

/** Child process with the chat session. */
class HostProcess {
  endedReplies = 0;
  conversationId = "";
  onMessage: ((message: ToView) => void) | undefined;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (answer: unknown) => void>();
  private nextId = 0;

  constructor(serviceUrl: string) {
    this.child = fork(fileURLToPath(import.meta.url), ["host", serviceUrl], {
      execArgv: ["--expose-gc"],
      serialization: "advanced",
    });
    this.child.on("message", (received: { id?: number; answer?: unknown; message?: ToView }) => {
      const { id, answer, message } = received;
      if (id !== undefined) {
        this.waiting.get(id)?.(answer);
        this.waiting.delete(id);
      } else if (message !== undefined) this.receive(message);
    });
  }

  async order<Answer>(order: Order): Promise<Answer> {
    const id = this.nextId++;
    const answer = new Promise<unknown>((resolve) => this.waiting.set(id, resolve));
    this.child.send({ id, ...order });
    return (await answer) as Answer;
  }

  figures(): Promise<Figures> {
    return this.order<Figures>({ order: "figures" });
  }

  stop(): void {
    this.child.kill();
  }

  private receive(message: ToView): void {
    if (message.type === "snapshot") this.conversationId = message.conversationId;
    if (message.type === "message-changed") {
      const { message: changed } = message;
      if (changed.role === "assistant" && !changed.isStreaming) this.endedReplies++;
    }
    this.onMessage?.(message);
  }
}

/** Runs in the child process. */
async function runHost(serviceUrl: string): Promise<void> {
  const rig = new PanelRig(serviceUrl);
  const panel = { load: () => rig.shownId, save: (id: string) => (rig.shownId = id) };
  const session = rig.openSession(panel, (message) => process.send?.({ message }));
  const execute = async (order: Order): Promise<unknown> => {
    switch (order.order) {
      case "message":
        return await session.handle(order.message);
      case "tab": {
        const { conversationId } = order;
        const tab = rig.openSession(
          { load: () => conversationId, save: () => undefined },
          () => undefined,
        );
        await tab.handle({ type: "view-ready" });
        await delay(100);
        tab.disconnect();
        tab.dispose(); // As when the tab is closed.
        return undefined;
      }
      case "figures":
        return hostFigures(rig);
    }
  };
  process.on("message", ({ id, ...order }: Order & { id: number }) => {
    void execute(order).then((answer) => process.send?.({ id, answer }));
  });
  await once(process, "disconnect");
}

/** Returns the memory of this process without the files of the disk in memory. */
function hostFigures(rig: PanelRig): Figures {
  // Lists of the test support.
  for (const list of [rig.logged, rig.choicesAsked, rig.actions, rig.files.changingCalls]) {
    list.length = 0;
  }
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const disk = [...rig.files.files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { "host heap, MB": heapUsed / 1e6, "host process, MB": (rss - disk) / 1e6 };
}

if (process.argv[2] === "host") await runHost(process.argv[3] ?? "");
