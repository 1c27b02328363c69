/**
 * Fake host for the panel's page, controlled by a test: records every message of the page, numbers
 * its own messages, and answers requests as configured.
 */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { HostReply, ToView } from "../../../src/protocol/toView";
import type { ToHost } from "../../../src/protocol/toHost";
import type {
  MessageView,
  PanelView,
  AttachmentView,
  EditingView,
  MeterView,
  QueuedView,
  ReplyView,
  UserView,
} from "../../../src/protocol/views";
import type { PageLook, PanelServer, ThemeName } from "./panelServer";
import themes from "./themes.json";
import { madePng } from "../../support/pictures/madePng";
import { PANEL_SETTINGS } from "../../support/fakes/panelSettings";

/** Time limit of a step in the page, in milliseconds; generous for a busy machine. */
const PATIENCE_MS = 90_000;

/** Factor by which the page's scripts are slowed down, to find races. */
const SLOWDOWN = Number(process.env["CORE_CHAT_TEST_SLOWDOWN"] ?? 1);

type MessageOf<Type> = Extract<ToHost, { type: Type }>;

/** A panel without any problem. */
export const readyPanel: PanelView = {
  setup: [
    { id: "service", isDone: true, title: "Service", detail: "https://maas.example.com" },
    { id: "key", isDone: true, title: "API key", detail: "••••cdef" },
  ],
  models: [
    { id: "auto", label: "Auto" },
    { id: "llm", label: "core_llm" },
    { id: "vl", label: "core_vl" },
  ],
  model: "auto",
  hasWorkspace: true,
  notices: [],
  settings: PANEL_SETTINGS,
  isRunning: false,
};

/** Returns a question in the shape that the host sends. */
export function question(id: string, text: string, more: Partial<UserView> = {}): UserView {
  const version = { index: 1, count: 1 };
  return { role: "user", id, text, chips: [], version, ...more };
}

/** Returns a finished reply in the shape that the host sends. */
export function reply(id: string, text: string, more: Partial<ReplyView> = {}): ReplyView {
  return {
    role: "assistant",
    id,
    text,
    isStreaming: false,
    modelKind: "llm",
    metaLine: "core_llm",
    toolCalls: [],
    version: { index: 1, count: 1 },
    ...more,
  };
}

/** Returns the state of the context meter; everything left out is empty. */
export function meterOf(more: Partial<MeterView>): MeterView {
  const counts = { system: 0, history: 0, files: 0, pictures: 0, question: 0, budget: 32_000 };
  return { ...counts, leftOut: "", olderPictures: 0, olderPicturesLeftOut: [], ...more };
}

/** Returns the host's answer to a request for a picture of this size. */
export function pictureAnswer(widthPx: number, heightPx: number): HostReply {
  const bytes = Uint8Array.from(madePng(widthPx, heightPx));
  return { isAccepted: true, picture: { mediaType: "image/png", bytes } };
}

/** Types with an input method, whose text is not inserted yet; returns the session that inserts it. */
export async function compose(page: Page, text: string): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  const selection = { selectionStart: text.length, selectionEnd: text.length };
  await session.send("Input.imeSetComposition", { text, ...selection });
  return session;
}

/** Content of a snapshot; everything left out is empty. */
export interface Shown {
  readonly conversationId?: string;
  readonly messages?: MessageView[];
  /** Number of messages before `messages` that the test sends itself; default 0. */
  readonly earlierCount?: number;
  readonly draft?: string;
  readonly editing?: EditingView;
  readonly fields?: string[];
  readonly attachments?: AttachmentView[];
  readonly queued?: QueuedView[];
  readonly panel?: Partial<PanelView>;
}

/** Options for opening the page. */
export interface OpenOptions extends Partial<PageLook> {
  readonly widthPx?: number;
  readonly heightPx?: number;
  /** Content of the answer to `view-ready` and `snapshot-asked`; `null` for no answer. */
  readonly shown?: Shown | null;
  /** Time that each message needs, in milliseconds; default 0. */
  readonly delayMs?: number;
  /** Handles all messages instead of the fake answers; the result is the reply to a request. */
  readonly handle?: (message: ToHost, host: FakeHost) => Promise<HostReply | undefined>;
  /** Answer to requests from the start. */
  readonly answer?: FakeHost["answer"];
  /**
   * Acts as the user before the panel is built; the page does not finish loading until this
   * resolves.
   */
  readonly early?: (page: Page) => Promise<void>;
}

interface PageWindow extends Window {
  receiveFromPage(envelope: unknown, address: string): void;
  policyViolations: string[];
  /** Texts of toasts, in order; each is visible for a few seconds only. */
  toasts: string[];
}

/** Hosts by their page; a page that is opened again gets another host. */
const hostOfPage = new WeakMap<Page, FakeHost>();

/** Number of opened panels, which makes each address different. */
let openedCount = 0;

/** Fake host of a page. */
export class FakeHost {
  /** Messages of the page, in order. */
  readonly received: ToHost[] = [];
  /** Requests of the page to other addresses than the server's. */
  readonly foreignRequests: string[] = [];
  /** Errors of the page that the test causes. */
  expectedFailures: string[] = [];
  /** Answer to the next requests; "refuse" is a refusal without a reason, "none" no answer. */
  answer: HostReply | "refuse" | "none" = { isAccepted: true };
  /** PNGs by hash, for picture requests; other requests get `answer`. */
  readonly pictures = new Map<string, Uint8Array>();
  private address = "";
  private readonly unanswered: string[] = [];
  private seq = 0;

  private constructor(
    readonly page: Page,
    private shown: Shown | null,
    private shownTheme: ThemeName,
    private readonly delayMs: number,
    private readonly handle: OpenOptions["handle"],
  ) {}

  /**
   * Opens the panel and waits until its first snapshot is drawn; the text of a reply is drawn later
   * than its message.
   *
   * @param usedPage page of an earlier panel, which saves the start of another process
   */
  static async open(
    server: PanelServer,
    context: BrowserContext,
    options: OpenOptions = {},
    usedPage?: Page,
  ): Promise<FakeHost> {
    const page = usedPage ?? (await newPage(context));
    const {
      widthPx = 370,
      heightPx = 700,
      theme = "dark",
      language = "en",
      shown = {},
      sendKey,
      hasCodeColors,
    } = options;
    await page.setViewportSize({ width: widthPx, height: heightPx });
    const host = new FakeHost(page, shown, theme, options.delayMs ?? 0, options.handle);
    if (options.answer !== undefined) host.answer = options.answer;
    const url = `${server.pageUrl({ theme, language, sendKey, hasCodeColors })}&opened=${++openedCount}`;
    host.address = url;
    hostOfPage.set(page, host);
    page.removeAllListeners("request");
    page.on("request", (request) => {
      const url = request.url();
      const ours = [server.origin, `blob:${server.origin}`, "data:"];
      if (!ours.some((start) => url.startsWith(start))) host.foreignRequests.push(url);
    });
    if (options.early) await withLoadingHeld(page, url, options.early);
    else await page.goto(url);
    await host.waitFor("view-ready");
    await page.getByRole("button").first().waitFor(); // The panel is built.
    if (shown !== null) await page.getByRole("combobox").last().waitFor(); // The model picker appears with the snapshot.
    const last = shown?.messages?.at(-1);
    if (last?.role === "assistant" && last.text !== "" && !last.isStreaming)
      await page
        .locator(`[data-message-id=${JSON.stringify(last.id)}] .is-final`)
        .waitFor({ state: "attached" });
    return host;
  }

  get theme(): ThemeName {
    return this.shownTheme;
  }

  /** Changes the theme of the open page, as VS Code does. */
  async changeTheme(theme: ThemeName): Promise<void> {
    const { bodyClass, themeId } = themes[theme];
    const href = `/theme.css?theme=${theme}`;
    await this.page.evaluate(applyTheme, { href, bodyClass, themeId });
    this.shownTheme = theme;
  }

  /** Sends a message as an event with the next number. */
  async send(message: ToView): Promise<void> {
    await this.post({ kind: "event", seq: this.seq++, message });
  }

  /** Leaves numbers to messages that the test sends itself; returns the first. */
  skip(count: number): number {
    const first = this.seq;
    this.seq += count;
    return first;
  }

  /** Skips a number, as if a message had been lost. */
  lose(): void {
    this.seq += 1;
  }

  /** Posts any data to the page; with a delay, resolves before the data arrives. */
  async post(data: unknown): Promise<void> {
    if (this.delayMs === 0) await this.deliver(data);
    else setTimeout(() => void this.deliver(data).catch(() => undefined), this.delayMs);
  }

  private async deliver(data: unknown): Promise<void> {
    await this.page.evaluate((posted) => window.postMessage(posted, self.origin), data);
  }

  /** Sends a snapshot; later requests for a snapshot get the same content. */
  async show(shown: Shown): Promise<void> {
    this.shown = shown;
    const { conversationId = "c1", messages = [], draft = "" } = shown;
    const { attachments = [], queued = [], panel = {} } = shown;
    await this.send({
      type: "snapshot",
      conversationId,
      title: "A conversation",
      earlierCount: shown.earlierCount ?? 0,
      messages,
      draft,
      ...(shown.editing && { editing: shown.editing }),
      ...(shown.fields && { fields: shown.fields }),
      attachments,
      queued,
      panel: { ...readyPanel, ...panel },
    });
  }

  /** Sets the content of the next requested snapshot. */
  willShow(shown: Shown | null): void {
    this.shown = shown;
  }

  /** Refuses every unanswered request. */
  async refuseWaiting(): Promise<void> {
    for (const id of this.unanswered.splice(0)) await this.post({ kind: "refusal", id });
  }

  /** Answers every unanswered request. */
  async answerWaiting(answer: HostReply): Promise<void> {
    const ids = this.unanswered.splice(0);
    for (const id of ids) await this.post({ kind: "reply", id, message: answer });
  }

  /** Sends text of a reply, each piece as a message. */
  async stream(messageId: string, offset: number, pieces: readonly string[]): Promise<void> {
    let at = offset;
    for (const text of pieces) {
      await this.send({ type: "turn-delta", messageId, offset: at, text });
      at += text.length;
    }
  }

  /** Shows a question and its streaming reply, with the text so far. */
  async showStreaming(text = ""): Promise<void> {
    const view = reply("r1", text, { isStreaming: true });
    await this.show({ messages: [question("q1", "A question"), view], panel: { isRunning: true } });
  }

  /** Ends the reply of `showStreaming`. */
  async endStreaming(more: Partial<ReplyView> = {}): Promise<void> {
    await this.send({ type: "message-changed", message: reply("r1", "", more) });
    await this.send({ type: "panel-changed", panel: readyPanel });
  }

  /** Returns all messages of the page that have this type. */
  receivedOf<Type extends ToHost["type"]>(type: Type): MessageOf<Type>[] {
    return this.received.filter((message): message is MessageOf<Type> => message.type === type);
  }

  /** Waits until the page has sent at least `count` messages of a type; returns the last. */
  async waitFor<Type extends ToHost["type"]>(type: Type, count = 1): Promise<MessageOf<Type>> {
    await poll(() => this.receivedOf(type).length >= count, `${count} × ${type}`);
    return this.receivedOf(type).at(-1)!;
  }

  /** Waits until a toast with this text was shown, even if the toast is gone again. */
  async waitForToast(text: string): Promise<void> {
    const readToasts = () => (window as unknown as PageWindow).toasts;
    await poll(async () => (await this.page.evaluate(readToasts)).includes(text), `"${text}"`);
  }

  /** Returns the violations of the content security policy. */
  policyViolations(): Promise<string[]> {
    return this.page.evaluate(() => (window as unknown as PageWindow).policyViolations);
  }

  /** Receives an envelope of the page, unless an earlier panel sent it while it was unloaded. */
  async receive(envelope: unknown, address: string): Promise<void> {
    if (address !== this.address) return;
    const { kind, id, message } = envelope as { kind: string; id?: string; message?: ToHost };
    if (message === undefined) return; // The page refused a request of the host.
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    this.received.push(message);
    if (this.handle !== undefined) {
      const reply = await this.handle(message, this);
      if (kind !== "request") return;
      await this.post(
        reply === undefined ? { kind: "refusal", id } : { kind: "reply", id, message: reply },
      );
    } else if (message.type === "view-ready" || message.type === "snapshot-asked") {
      if (this.shown !== null) await this.show(this.shown);
    } else if (kind === "request" && id !== undefined) {
      const bytes = message.type === "picture-asked" ? this.pictures.get(message.hash) : undefined;
      const answer = bytes
        ? { isAccepted: true, picture: { mediaType: "image/png", bytes } }
        : this.answer;
      if (answer === "none") this.unanswered.push(id);
      else if (answer === "refuse") await this.post({ kind: "refusal", id });
      else await this.post({ kind: "reply", id, message: answer });
    }
  }
}

/** Opens a page whose documents have the API of webviews, and send to the host of their address. */
async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  if (SLOWDOWN > 1) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  }
  await page.exposeFunction("receiveFromPage", (envelope: unknown, address: string) =>
    hostOfPage.get(page)?.receive(envelope, address),
  );
  await page.addInitScript(stubEditor);
  return page;
}

/** Opens a page whose loading waits for a picture while `act` runs. */
async function withLoadingHeld(
  page: Page,
  url: string,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace("</body>", '<img src="/held"></body>') });
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/held", async (route) => {
    await held;
    await route.fulfill({ contentType: "image/svg+xml", body: EMPTY_PICTURE });
  });
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await act(page);
  release();
}

/** Keeps a part of the panel from loading until the returned function is called; for `early`. */
export async function holdPart(page: Page, name: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/chunks/${name}-*.js`, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

const EMPTY_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Chooses from the menu of the picture that is shown over the panel. */
export async function chooseMore(page: Page, item: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "More actions" }).click();
  await dialog.getByRole("menu").getByText(item, { exact: true }).click();
}

/** Polls until the condition is true; throws after the time limit. */
export async function poll(
  condition: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const untilMs = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > untilMs) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Runs in the page: loads the theme's colors, and names the theme on the body. */
async function applyTheme(theme: {
  href: string;
  bodyClass: string;
  themeId: string;
}): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")!;
  const loaded = new Promise((resolve) => (link.onload = resolve));
  link.href = theme.href;
  await loaded;
  const { classList, dataset } = document.body;
  classList.remove(...[...classList].filter((name) => name.startsWith("vscode-")));
  classList.add(...theme.bodyClass.split(" "));
  dataset["vscodeThemeId"] = theme.themeId;
}

/** Runs in the page before its own scripts: provides the API of VS Code's webviews. */
function stubEditor(): void {
  const own = window as unknown as PageWindow & { acquireVsCodeApi: unknown };
  // The state of an earlier panel of this page.
  if (sessionStorage.getItem("address") !== location.href) sessionStorage.clear();
  sessionStorage.setItem("address", location.href);
  own.policyViolations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    own.policyViolations.push(`${event.violatedDirective} ${event.blockedURI}`);
  });
  own.toasts = [];
  new MutationObserver(() => {
    const text = document.querySelector("[role=status] .toast")?.textContent;
    if (text && text !== own.toasts.at(-1)) own.toasts.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
  own.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => own.receiveFromPage(message, location.href),
    getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
    setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
  });
}
