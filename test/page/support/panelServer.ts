/** Serves the built panel on this machine with the host's page and the styles that VS Code adds. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { canBeInlined, pageHtml } from "../../../src/host/panel/pageHtml";
import type { SendKey } from "../../../src/protocol/views";
import { buildPanel } from "./panelBuild";
import themes from "./themes.json";

export type ThemeName = keyof typeof themes;

/** Theme and language of a page. */
export interface PageLook {
  readonly theme: ThemeName;
  /** BCP 47 tag. */
  readonly language: string;
  /** Send key of the page's HTML, before the first snapshot. */
  readonly sendKey?: SendKey | undefined;
  /** Whether code gets its colors; false by default, because that takes longer than the panel itself. */
  readonly hasCodeColors?: boolean | undefined;
}

/** First part of the paths of a panel whose code stays plain. */
const PLAIN = "/plain";

/** Worker that colors no code. */
const PLAIN_WORKER = `onmessage = ({ data }) => {
  if (data.type === "block-opened") postMessage({ type: "block-refused", block: data.block });
};
postMessage({ type: "ready" });`;

const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".ttf": "font/ttf",
  ".svg": "image/svg+xml",
};

/** Server of the panel. It ends with its process, if it is not closed before. */
export class PanelServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<PanelServer> {
    const { folder } = await buildPanel();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.unref();
    const { port } = server.address() as AddressInfo;
    const made = new PanelServer(server, `http://127.0.0.1:${port}`);
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", made.origin);
      void made.answer(url, folder).then(({ status, type, body }) => {
        // Scripts of the panel stay compiled for the next page.
        const isPart = status === 200 && url.pathname.includes("/webview/");
        const cacheControl = isPart ? "max-age=3600" : "no-store";
        response.writeHead(status, { "content-type": type, "cache-control": cacheControl });
        response.end(body);
      });
    });
    return made;
  }

  /** Returns the address of a page with this theme and language. */
  pageUrl({ theme, language, sendKey = "enter", hasCodeColors = false }: PageLook): string {
    const base = this.origin + (hasCodeColors ? "" : PLAIN);
    return `${base}/?theme=${theme}&language=${language}&sendKey=${sendKey}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(url: URL, folder: string) {
    const isPlain = url.pathname.startsWith(PLAIN);
    const path = isPlain ? url.pathname.slice(PLAIN.length) : url.pathname;
    if (path === "/") {
      const theme = (url.searchParams.get("theme") ?? "dark") as ThemeName;
      const language = url.searchParams.get("language") ?? "en";
      const sendKey = url.searchParams.get("sendKey") as SendKey;
      const look = { theme, language, sendKey, hasCodeColors: !isPlain };
      const body = await page(this.origin, folder, look);
      return { status: 200, type: "text/html; charset=utf-8", body };
    }
    if (url.pathname === "/theme.css") {
      const theme = (url.searchParams.get("theme") ?? "dark") as ThemeName;
      return { status: 200, type: "text/css", body: themeCss(theme) };
    }
    if (isPlain && path.endsWith("/highlightWorker.js"))
      return { status: 200, type: "text/javascript", body: PLAIN_WORKER };
    const file = normalize(join(folder, path));
    try {
      if (!file.startsWith(folder + sep)) throw new Error("outside");
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      return { status: 200, type, body: await readFile(file) };
    } catch {
      return { status: 404, type: "text/plain", body: "not found" };
    }
  }
}

async function strings(language: string): Promise<Record<string, unknown>> {
  if (language === "en") return {};
  const text = await readFile(join("l10n", `bundle.l10n.${language}.json`), "utf8");
  return JSON.parse(text) as Record<string, unknown>;
}

/** Returns the host's page with the additions that VS Code makes to every webview. */
async function page(origin: string, folder: string, look: PageLook): Promise<string> {
  const read = (...path: string[]) => readFile(join(folder, ...path), "utf8");
  const [script, icons, own] = await Promise.all([
    read("webview", "boot.js"),
    read("webview", "icons.css"),
    read("webview", "panel.css"),
  ]);
  for (const text of [script, icons, own]) {
    if (!canBeInlined(text)) throw new Error("a file would end its element in the page");
  }
  const html = pageHtml({
    language: look.language,
    sendKey: look.sendKey ?? "enter",
    fontSizePx: 0,
    nonce: "0123456789abcdef",
    ownSource: origin,
    baseUrl: `${origin}${look.hasCodeColors === true ? "" : PLAIN}/webview/`,
    strings: await strings(look.language),
    script,
    styles: `${icons}\n${own}`,
  });
  const { bodyClass, themeId } = themes[look.theme];
  return html
    .replace(
      "<style",
      `<link rel="icon" href="data:,"><link rel="stylesheet" href="/theme.css?theme=${look.theme}"><style`,
    )
    .replace("<body>", `<body class="${bodyClass}" data-vscode-theme-id="${themeId}">`);
}

/** Returns theme colors as variables, and VS Code's default styles of webviews. */
export function themeCss(theme: ThemeName): string {
  const colors = Object.entries(themes[theme].colors);
  return `:root {
${colors.map(([name, value]) => `  --vscode-${name}: ${value};`).join("\n")}
  --vscode-font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif;
  --vscode-font-size: 13px;
  --vscode-editor-font-size: 14px;
  --vscode-editor-font-family: "Droid Sans Mono", "DejaVu Sans Mono", monospace;
}
@layer vscode-default {
  html {
    background: var(--vscode-sideBar-background);
    scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background);
  }
  body {
    overscroll-behavior-x: none;
    background-color: transparent;
    color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size);
    margin: 0;
    padding: 0 20px;
  }
  img, video { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, input:focus, select:focus, textarea:focus {
    outline: 1px solid -webkit-focus-ring-color;
    outline-offset: -1px;
  }
  code {
    font-family: var(--monaco-monospace-font);
    color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background);
    padding: 1px 3px;
    border-radius: 4px;
  }
  pre code { padding: 0; }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-corner { background-color: var(--vscode-editor-background); }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
  blockquote {
    background: var(--vscode-textBlockQuote-background);
    border-color: var(--vscode-textBlockQuote-border);
  }
}`;
}
