/**
 * Scripts of a preview put data into host names: no name reaches the resolver and nothing connects. The
 * names are read from Chromium's own network log, because a look-up alone opens no connection. The script
 * of the frame (guardScript.ts) and the policy are tested each without the other.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser/browser.mjs";
import { Listener } from "./support/listener";
import { PreviewServer } from "./support/previewServer";

/** Elements that load or navigate, with the attribute of the address. */
const ELEMENTS: Readonly<Record<string, string>> = {
  iframe: `src="URL"`,
  frame: `src="URL"`,
  embed: `src="URL"`,
  object: `data="URL"`,
  link: `rel="preconnect" href="URL"`,
  link2: `rel="dns-prefetch" href="URL"`,
  link3: `rel="stylesheet" href="URL"`,
  link4: `rel="preload" as="script" href="URL"`,
  srcdoc: `srcdoc="&lt;iframe src='URL'>&lt;/iframe>"`,
  blank: `id="BLANK"`,
};

/** Ways of a script to make an element from its markup. */
const MAKERS: Readonly<Record<string, string>> = {
  innerHTML: `host.innerHTML = html`,
  outerHTML: `const d = document.createElement("div"); host.append(d); d.outerHTML = html`,
  adjacent: `host.insertAdjacentHTML("beforeend", html)`,
  upper: `host.innerHTML = html.replace(/<(\\w+)/, (all) => all.toUpperCase())`,
  newline: `host.innerHTML = html.replace(/<(\\w+) /, "<$1\\n")`,
  slash: `host.innerHTML = html.replace(/<(\\w+) /, "<$1/")`,
  unsafe: `host.setHTMLUnsafe(html)`,
  sanitizer: `host.setHTML(html, { sanitizer: { removeElements: [] } })`,
  create: `host.append(filled(document.createElement(name)))`,
  createUpper: `host.append(filled(document.createElement(name.toUpperCase())))`,
  createNs: `host.append(filled(document.createElementNS(XHTML, name)))`,
  createPrefix: `host.append(filled(document.createElementNS(XHTML, "x:" + name)))`,
  createCall: `host.append(filled(Document.prototype.createElement.call(document, name)))`,
  otherDocument: `host.append(document.adoptNode(filled(document.implementation.createHTMLDocument("").createElement(name))))`,
  xmlDocument: `host.append(document.adoptNode(filled(document.implementation.createDocument(XHTML, name).documentElement)))`,
  xmlPrefix: `host.append(document.adoptNode(filled(document.implementation.createDocument(XHTML, "x:" + name).documentElement)))`,
  parser: `host.append(...document.adoptNode(new DOMParser().parseFromString(html, "text/html")).querySelectorAll(name))`,
  parserXml: `host.append(document.importNode(new DOMParser().parseFromString(xml, "application/xhtml+xml").documentElement, true))`,
  parserSvg: `host.append(document.importNode(new DOMParser().parseFromString("<svg xmlns='http://www.w3.org/2000/svg'><foreignObject>" + xml + "</foreignObject></svg>", "image/svg+xml").documentElement, true))`,
  parseUnsafe: `host.append(...Document.parseHTMLUnsafe(html).querySelectorAll(name))`,
  range: `host.append(document.createRange().createContextualFragment(html))`,
  template: `const t = document.createElement("template"); t.innerHTML = html; host.append(t.content.cloneNode(true))`,
  shadow: `const d = document.createElement("div"); host.append(d); d.attachShadow({ mode: "closed" }).innerHTML = html`,
  declarative: `host.setHTMLUnsafe("<div><template shadowrootmode=open>" + html + "</template></div>")`,
  foreign: `host.innerHTML = "<svg><foreignObject>" + html + "</foreignObject></svg>"`,
  mutation: `host.innerHTML = "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;" + html.replaceAll("<", "&lt;").replaceAll("'", "&#39;") + "'>"; host.innerHTML += ""`,
  write: `document.write(html)`,
  writePieces: `document.write(html.slice(0, 3), html.slice(3))`,
  writeTwice: `document.write(html.slice(0, 3)); document.write(html.slice(3))`,
  openWrite: `document.open(); document.write(html); document.close()`,
  command: `host.contentEditable = "true"; host.focus(); document.execCommand("selectAll"); document.execCommand("insertHTML", false, html)`,
  custom: `const base = document.createElement(name).constructor; customElements.define("own-" + name + "-" + ++made, class extends base {}, { extends: name }); host.append(filled(document.createElement(name, { is: "own-" + name + "-" + made })))`,
  clone: `const d = document.createElement("div"); d.innerHTML = html; host.append(d.cloneNode(true), document.importNode(d, true))`,
  xslt: `const p = new XSLTProcessor(); p.importStylesheet(new DOMParser().parseFromString("<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'><xsl:element name='" + name + "'><xsl:attribute name='src'>" + url + "</xsl:attribute></xsl:element></xsl:template></xsl:stylesheet>", "text/xml")); host.append(p.transformToFragment(new DOMParser().parseFromString("<a/>", "text/xml"), document))`,
};

/** Ways to load or send without an element of the list above. */
const OTHERS: Readonly<Record<string, string>> = {
  fetch: `fetch("URL")`,
  later: `fetchLater("URL")`,
  beacon: `navigator.sendBeacon("URL", "x")`,
  xhr: `const x = new XMLHttpRequest(); x.open("GET", "URL"); x.send()`,
  socket: `new WebSocket("URL".replace("http", "ws"))`,
  events: `new EventSource("URL")`,
  image: `new Image().src = "URL"`,
  audio: `new Audio("URL").play()`,
  font: `new FontFace("x", "url(URL)").load()`,
  css: `document.head.append(Object.assign(document.createElement("style"), { textContent: "@import 'URL'; body { background: url(URL) }" }))`,
  style: `document.documentElement.style.backgroundImage = "url(URL)"`,
  sheet: `const s = new CSSStyleSheet(); s.replaceSync("html { cursor: url(URL), auto }"); document.adoptedStyleSheets = [s]`,
  module: `import("URL")`,
  script: `document.head.append(Object.assign(document.createElement("script"), { src: "URL" }))`,
  worker: `new Worker("URL")`,
  blobWorker: `new Worker(URL2.createObjectURL(new Blob(["fetch('URL')"])))`,
  speculation: `document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ urls: ["URL"] }], prerender: [{ urls: ["URL"] }] }) }))`,
  ping: `const a = document.createElement("a"); a.href = "#x"; a.ping = "URL"; document.body.append(a); a.click()`,
  anchor: `const a = document.createElement("a"); a.href = "URL"; document.body.append(a)`,
  form: `const f = document.createElement("form"); f.action = "URL"; document.body.append(f); f.submit()`,
  popup: `open("URL")`,
  top: `top.location = "URL"`,
  javascript: `location = "javascript:'<iframe src=URL></iframe>'"`,
};

/** Ways to navigate the frame itself, which nothing forbids before the browser learns of them. */
const NAVIGATIONS: Readonly<Record<string, string>> = {
  location: `location = "URL"`,
  assign: `document.location.assign("URL")`,
  self: `open("URL", "_self")`,
  click: `const a = document.createElement("a"); a.href = "URL"; a.click()`,
  svgLink: `document.body.innerHTML = "<svg><a href='URL'><text>x</text></a></svg>"; document.querySelector("a").dispatchEvent(new MouseEvent("click"))`,
  api: `navigation.navigate("URL")`,
  many: `let n = 0; setInterval(() => { location = "URL".replace("://", "://" + n++ + "-") }, 50)`,
};

/** Resolves names of this domain to the listener. */
const DOMAIN = "leak.test";

const LISTEN_MS = 2_500;

interface Way {
  readonly name: string;
  readonly script: string;
}

const urlOf = (name: string) => `http://${name.toLowerCase()}.${DOMAIN}/x`;

function elementWays(): Way[] {
  return Object.entries(ELEMENTS).flatMap(([key, attributes]) =>
    Object.entries(MAKERS).map(([maker, make]) => {
      const element = key === "srcdoc" || key === "blank" ? "iframe" : key.replace(/\d/, "");
      const name = `${key}-${maker}`;
      const html = `<${element} ${attributes}></${element}>`.replaceAll("URL", urlOf(name));
      const xml = html
        .replace(/<(\w)/, `<x:$1`)
        .replace("</", "</x:")
        .replace(" ", ' xmlns:x="http://www.w3.org/1999/xhtml" ');
      const values = { name: element, html, xml, url: urlOf(name) };
      const assigned = Object.entries(values).map(([k, v]) => `const ${k} = ${JSON.stringify(v)};`);
      // A frame of a set of frames loads within the set only.
      const inSet =
        element === "frame"
          ? `document.body = document.createElement("frameset"); const host = document.body;`
          : "const host = document.createElement('div'); document.documentElement.append(host);";
      return { name, script: `${assigned.join(" ")} current = html; ${inSet} ${make}` };
    }),
  );
}

function waysOf(table: Readonly<Record<string, string>>): Way[] {
  return Object.entries(table).map(([name, script]) => ({
    name,
    script: script.replaceAll("URL2", "self.URL").replaceAll(/(?<!\.)URL/g, urlOf(name)),
  }));
}

/** Returns a page that tries one way after the other. */
function pageOf(ways: readonly Way[]): string {
  const common = `const XHTML = "http://www.w3.org/1999/xhtml"; let made = 0; let current = ""; const filled = (one) => { const t = new DOMParser().parseFromString(current.replace(/<\\w+/, "<p"), "text/html").querySelector("p"); for (const { name, value } of t.attributes) one.setAttribute(name, value); return one; };`;
  const tries = ways.map(({ script }) => `try { await (async () => { ${script} })(); } catch {}`);
  const text = `${common} (async () => { ${tries.join("\n")} document.documentElement.dataset.done = ""; })();`;
  return `<!doctype html><body><p>page</p><script>${text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--")}</script>`;
}

/** Chromium with a resolver for the listener, and a log of the names that it looks up. */
class Observed {
  private isClosed = false;

  private constructor(
    readonly browser: Browser,
    readonly listener: Listener,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Observed> {
    const listener = await Listener.start();
    const folder = mkdtempSync(join(tmpdir(), "core-chat-names-"));
    const browser = await launchBrowser([
      `--host-resolver-rules=MAP *.${DOMAIN} ${listener.fillIn("LISTENER")}`,
      `--log-net-log=${join(folder, "log.json")}`,
    ]);
    return new Observed(browser, listener, folder);
  }

  /** Closes the browser and the listener, which would keep the process alive. */
  async close(): Promise<void> {
    await this.browser.close();
    if (this.isClosed) return;
    this.isClosed = true;
    rmSync(this.folder, { recursive: true });
    this.listener.close();
  }

  /** Closes the browser; returns the names in its log, and what the listener received. */
  async end() {
    await this.browser.close(); // Completes the log.
    const log = readFileSync(join(this.folder, "log.json"), "utf8");
    await this.close();
    const names = log.match(/[\w-]+(?=\.leak\.test)/g) ?? [];
    const { received, connections } = this.listener;
    return { names: [...new Set(names)].sort(), received, connections };
  }
}

describe("names of servers in a preview with scripts", function () {
  this.timeout(60_000);
  let server: PreviewServer;
  const started: Observed[] = [];

  afterEach(async () => {
    for (const observed of started.splice(0)) await observed.close();
  });

  async function observe(): Promise<Observed> {
    const observed = await Observed.start();
    started.push(observed);
    return observed;
  }

  before(async () => (server = await PreviewServer.start()));
  after(() => server.close());

  /** Opens pages as previews; returns what left, and what the frames hold. */
  async function preview(pages: readonly string[]) {
    const observed = await observe();
    const context = await observed.browser.newContext();
    const held: number[] = [];
    for (const markup of pages) {
      const opened = await server.open(context, { code: { markup }, runsScripts: true });
      await delay(pages.length > 1 ? LISTEN_MS / 3 : LISTEN_MS);
      const body = opened.document.locator("html");
      const count = (root: Element) =>
        frames.length + root.querySelectorAll("iframe, frame, embed, object, link").length;
      if ((await body.count()) > 0) held.push(await body.evaluate(count));
      await opened.page.close();
    }
    return { ...(await observed.end()), held };
  }

  /** Opens pages in a sandboxed frame without the policy, and without the first script if asked. */
  async function unprotected(pages: readonly string[], hasGuard: boolean) {
    const observed = await observe();
    const context = await observed.browser.newContext();
    for (const markup of pages) {
      const opened = await server.open(context, { code: { markup }, runsScripts: true });
      const frame = opened.tab.locator(".preview-container iframe");
      const html = (await frame.getAttribute("srcdoc")) ?? "";
      await opened.page.close();
      const policy = hasGuard ? "require-trusted-types-for 'script'; trusted-types default" : "";
      let bare = html.replace(/content="default-src[^"]*"/, `content="${policy}"`);
      if (!hasGuard)
        bare = bare.replace(/(<base href="about:srcdoc">)<script>[^]*?<\/script>/, "$1");
      assert.notEqual(bare, html);
      const attribute = bare.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      const page = await context.newPage();
      const url = server.serveOrdinary(
        `<!doctype html><iframe sandbox="allow-scripts" srcdoc="${attribute}"></iframe>`,
        "text/html",
      );
      await page.goto(url, { waitUntil: "commit" });
      // On a busy machine the script takes longer than the browser needs for the last names.
      const done = page.frameLocator("iframe").locator("html[data-done]");
      await done.waitFor({ state: "attached" });
      let connections: number;
      do {
        ({ connections } = observed.listener);
        await delay(LISTEN_MS);
      } while (observed.listener.connections > connections);
      await page.close();
    }
    return observed.end();
  }

  const elements = elementWays();
  const others = waysOf(OTHERS);

  for (const run of [1, 2]) {
    it(`reach no resolver, run ${run}`, async () => {
      const { names, received, connections, held } = await preview([
        pageOf([...elements, ...others]),
      ]);
      assert.deepEqual(
        { names, received, connections, held },
        { names: [], received: [], connections: 0, held: [0] },
      );
    });
  }

  it("reach no resolver by an element of a script even without the policy", async () => {
    const { names } = await unprotected([pageOf(elements)], true);
    assert.deepEqual(names, []);
  });

  it("would reach the resolver without the policy and the first script", async () => {
    const isFrameset = ({ name }: Way) => name.startsWith("frame-");
    const rest = elements.filter((way) => !isFrameset(way) && !way.name.endsWith("openWrite"));
    const { names, connections } = await unprotected([pageOf(rest)], false);
    assert.ok(
      names.length > 150 && connections > 100,
      `${names.length} names, ${connections} connections: ${names.join(" ")}`,
    );
  });

  it("send nothing when a script navigates the frame, of which the preview says what it can do", async () => {
    // Browsers that connect before they check the policy look up the name; none sends a request.
    const { received } = await preview(waysOf(NAVIGATIONS).map((way) => pageOf([way])));
    assert.deepEqual(received, []);
    const opened = await server.open(await (await observe()).browser.newContext(), {
      code: { markup: "<script>x = 1</script>" },
      runsScripts: true,
    });
    await opened.tab.getByText("can make the browser look up its server").waitFor();
  });
});
