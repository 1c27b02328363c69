/**
 * Opens the renderer in headless Chromium: a bare page from a local server with the panel's content
 * security policy. Records every request other than those for the page's own files.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as esbuild from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { pageBrowser } from "./support/pageBrowser";

/** Page with markdownEntry.ts as the global `markdown`. */
export interface MarkdownPage {
  readonly page: Page;
  /** Origin of the page; requests to its other paths are recorded. */
  readonly origin: string;
  /** Requested paths other than the page's own files. */
  readonly foreignRequests: string[];
  /** Returns the violations of the content security policy. */
  violations(): Promise<string[]>;
  close(): Promise<void>;
}

const NONCE = "bm9uY2U";

const POLICY = [
  "default-src 'none'",
  `script-src 'nonce-${NONCE}'`,
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src blob:",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  // Trusted Types policies of the page, and of a test that parses the specification's HTML.
  "trusted-types core-chat-worker expected-html",
].join("; ");

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Markdown</title>
<script nonce="${NONCE}">window.refused = []; addEventListener("securitypolicyviolation",
(event) => refused.push(event.violatedDirective + " " + event.blockedURI));</script>
<script type="module" nonce="${NONCE}" src="/entry.js"></script></head><body></body></html>`;

const SHARED = {
  bundle: true,
  target: "chrome138",
  outdir: "/bundle",
  loader: { ".woff2": "empty", ".woff": "empty", ".ttf": "empty" },
  write: false,
  logLevel: "silent",
} as const;

let bundled: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/** Bundles the page's script and the highlighting worker, once for each run. */
function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  return (bundled ??= buildBundle());
}

async function buildBundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const [page, worker] = await Promise.all([
    esbuild.build({
      ...SHARED,
      entryPoints: { entry: "test/page/markdownEntry.ts" },
      splitting: true,
      format: "esm",
      chunkNames: "chunks/[name]-[hash]",
    }),
    esbuild.build({
      ...SHARED,
      entryPoints: { highlightWorker: "src/renderer/highlight/worker.ts" },
      format: "iife",
    }),
  ]);
  return new Map(
    [...page.outputFiles, ...worker.outputFiles].map((file) => [
      file.path.replaceAll("\\", "/").replace(/^.*\/bundle/, ""),
      file.contents,
    ]),
  );
}

function serve(files: ReadonlyMap<string, Uint8Array>, foreignRequests: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const file = files.get(path);
    if (path === "/") {
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": POLICY,
      });
      response.end(HTML);
    } else if (file !== undefined) {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" });
      response.end(file);
    } else {
      if (path !== "/favicon.ico") foreignRequests.push(path);
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

export async function openMarkdownPage(): Promise<MarkdownPage> {
  const foreignRequests: string[] = [];
  const server = await serve(await bundle(), foreignRequests);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  let context: BrowserContext | undefined;
  try {
    context = await (await pageBrowser()).newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(origin);
    await page.waitForFunction("window.isReady === true");
    const opened = context;
    return {
      page,
      origin,
      foreignRequests,
      violations: () => page.evaluate<string[]>("window.refused"),
      close: async () => {
        await opened.close();
        server.close();
      },
    };
  } catch (error) {
    await context?.close();
    server.close();
    throw error;
  }
}
