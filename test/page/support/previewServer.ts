/**
 * Serves the page of a preview on this machine as VS Code shows it: the host's own HTML in a frame with
 * the sandbox of a webview.
 */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext, Frame, FrameLocator, Page } from "playwright-core";
import { canBeInlined } from "../../../src/host/panel/pageHtml";
import { previewPageHtml } from "../../../src/host/preview/previewPageHtml";
import type { FromPreview, PreviewState } from "../../../src/protocol/previewMessages";
import { mentionsTailwind } from "../../../src/protocol/tailwindScripts";
import { poll } from "./fakeHost";
import { buildPanel } from "./panelBuild";
import { themeCss, type ThemeName } from "./panelServer";
import themes from "./themes.json";

/** Sandbox of VS Code's webviews (webview/browser/pre/index.html). */
const WEBVIEW_SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-pointer-lock allow-downloads";

export interface PreviewOptions {
  readonly code: Partial<PreviewState["code"]>;
  readonly originals?: PreviewState["originals"];
  /** PNGs by hash. */
  readonly pictures?: ReadonlyMap<string, Uint8Array>;
  readonly theme?: ThemeName;
  readonly language?: string;
  readonly widthPx?: number;
}

interface PreviewWindow extends Window {
  receiveFromPreview(envelope: unknown): void;
  previewState?: unknown;
}

/** An open preview. */
export interface OpenPreview {
  readonly page: Page;
  /** The host's page. */
  readonly tab: FrameLocator;
  /** The previewed document. */
  readonly document: FrameLocator;
  /** Messages of the page to the host, in order. */
  readonly received: readonly FromPreview[];
  /** Waits for the first message of a type. */
  waitFor<Type extends FromPreview["type"]>(
    type: Type,
  ): Promise<Extract<FromPreview, { type: Type }>>;
}

/** One server for a run of tests. */
export class PreviewServer {
  private readonly pages = new Map<string, string>();
  private readonly types = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
    private readonly folder: string,
  ) {}

  static async start(): Promise<PreviewServer> {
    const { folder } = await buildPanel();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const made = new PreviewServer(server, `http://127.0.0.1:${port}`, folder);
    server.on("request", ({ url = "" }, response) => {
      const body = made.pages.get(url);
      const type = made.types.get(url) ?? "text/html";
      response.writeHead(body === undefined ? 404 : 200, { "content-type": type });
      response.end(body);
    });
    return made;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Serves a page without any protection; returns its address. */
  serveOrdinary(body: string, type: string): string {
    const path = `/ordinary${this.pages.size}`;
    this.pages.set(path, body);
    this.types.set(path, type);
    return this.origin + path;
  }

  /** Opens a preview and waits until its frame is there. */
  async open(context: BrowserContext, options: PreviewOptions): Promise<OpenPreview> {
    const number = String(this.pages.size);
    const { originals = [] } = options;
    const code = {
      kind: "html" as const,
      markup: "",
      styles: [],
      hasScripts: false,
      ...options.code,
    };
    const state = {
      id: number,
      code,
      originals,
    };
    this.pages.set(`/page${number}`, await this.html(state, options));
    const frame = `<iframe name="tab" style="position:fixed;inset:0;width:100%;height:100%;border:0" sandbox="${WEBVIEW_SANDBOX}" src="/page${number}"></iframe>`;
    this.pages.set(`/host${number}`, `<!doctype html><link rel="icon" href="data:,">${frame}`);
    const page = await context.newPage();
    await page.setViewportSize({ width: options.widthPx ?? 900, height: 700 });
    const received: FromPreview[] = [];
    await page.exposeFunction("receiveFromPreview", async (envelope: unknown) => {
      const { kind, id, message } = envelope as { kind: string; id?: string; message: FromPreview };
      received.push(message);
      if (kind !== "request" || message.type !== "original-asked") return;
      const bytes = options.pictures?.get(message.hash);
      const picture = bytes && { mediaType: "image/png", bytes: [...bytes] };
      await tabFrame(page).evaluate(answer, { id, picture });
    });
    await page.addInitScript(stubEditor);
    await page.goto(`${this.origin}/host${number}`);
    const tab = page.frameLocator('iframe[name="tab"]');
    await tab.locator(".preview, [role=alert]").first().waitFor();
    const document = tab.frameLocator(".preview-container iframe");
    return {
      page,
      tab,
      document,
      received,
      waitFor: async (type) => {
        await poll(() => received.some((message) => message.type === type), type);
        return received.find((message) => message.type === type) as never;
      },
    };
  }

  private async html(state: PreviewState, options: PreviewOptions): Promise<string> {
    const { theme = "dark", language = "en" } = options;
    const read = (...path: string[]) => readFile(join(this.folder, ...path), "utf8");
    const tailwind = mentionsTailwind(state.code.markup)
      ? await read("webview", "tailwind.js")
      : "";
    const [script, worker, icons, panel, own] = await Promise.all([
      read("webview", "preview.js"),
      read("webview", "pictureWorker.js"),
      read("webview", "icons.css"),
      read("webview", "panel.css"),
      read("webview", "preview.css"),
    ]);
    const styles = [themeCss(theme), icons, panel, own].join("\n");
    if (![script, worker, styles, tailwind].every(canBeInlined))
      throw new Error("a file would end its element");
    const strings =
      language === "en"
        ? {}
        : (JSON.parse(await readFile(`l10n/bundle.l10n.${language}.json`, "utf8")) as object);
    const html = previewPageHtml({
      language,
      nonce: "0123456789abcdef",
      title: "Preview: HTML",
      strings: strings as Record<string, unknown>,
      script,
      worker,
      tailwind,
      styles,
      state,
    });
    return html.replace("<body>", `<body class="${themes[theme].bodyClass}">`);
  }
}

function tabFrame(page: Page): Frame {
  const frame = page.frame("tab");
  if (frame === null) throw new Error("the tab is closed");
  return frame;
}

/** Runs in the tab: delivers a reply as VS Code does. */
function answer({
  id,
  picture,
}: {
  id: string | undefined;
  picture: { mediaType: string; bytes: number[] } | undefined;
}): void {
  const message = picture && { picture: { ...picture, bytes: new Uint8Array(picture.bytes) } };
  window.postMessage({ kind: "reply", id, message: message ?? {} }, self.origin);
}

/** Runs in each frame before its own scripts: what VS Code provides in the page of a webview. */
function stubEditor(): void {
  if (!location.pathname.startsWith("/page")) return;
  const own = window as unknown as PreviewWindow & { acquireVsCodeApi: unknown };
  own.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => own.receiveFromPreview(message),
    getState: () => own.previewState,
    setState: (state: unknown) => (own.previewState = state),
  });
}
