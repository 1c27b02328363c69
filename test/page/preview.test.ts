/** The page of a preview: sizes, what is left out, and the comparison with a picture of the conversation. */
import assert from "node:assert/strict";
import type { BrowserContext } from "playwright-core";
import { violationsAround } from "../support/browser/axe";
import { addedIf, ALL } from "../support/depth";
import { poll } from "./support/fakeHost";
import { pageBrowser } from "./support/pageBrowser";
import type { ThemeName } from "./support/panelServer";
import { PreviewServer, type OpenPreview, type PreviewOptions } from "./support/previewServer";

const ORIGINAL = { hash: "a".repeat(64), name: "shop.png", widthPx: 800, heightPx: 600 };

/** Pages as models write them, with what is hard to draw a second time. */
const ORDINARY: Readonly<Record<string, string>> = {
  "a page with variables, rem and a background on body": `<!doctype html><html><head><style>
    :root { --accent: #0a7d55; font-size: 20px } html { color: #222 }
    body { box-sizing: border-box; margin: 0; padding-top: 2rem; background: linear-gradient(#fdf6e3 50%, #dfe9f3 50%); font-family: sans-serif; min-height: 100vh }
    .card { width: 15rem; margin: 0 auto; padding: 1rem; border-radius: 12px; background: #fff; box-shadow: 0 4px 12px #0003; border-top: .3rem solid var(--accent) }
    </style></head><body><div class="card"><h1>Shop</h1><p>Two items &amp; more</p><br><hr></div></body></html>`,
  "a page with vw, grid, media queries and fixed parts": `<!doctype html><html><head><style>
    * { box-sizing: border-box } html { background: #123 } body { margin: 0; color: #eee; font: 16px/1.5 sans-serif }
    header { position: fixed; inset: 0 0 auto 0; height: 10vh; background: #345 } main { padding-top: 12vh; display: grid; grid-template-columns: repeat(3, 1fr); gap: 2vw }
    div { background: #678; height: 20vh } @media (min-width: 700px) { div { background: #a52 } } @media (min-width: 900px) { div { background: lime } }
    </style></head><body><header>Header</header><main><div>1</div><div>2</div><div>3</div><div>4</div></main></body></html>`,
  "a page with attributes and elements that XML does not allow": `<body style="background: #eef"><div @click="go()" :class="a" x-on:click.prevent="b" onclick="c()"><o:p>Text</o:p> <custom-element>more\u000b</custom-element> <svg width="90" height="40" xmlns:xlink="http://www.w3.org/1999/xlink"><rect width="90" height="40" fill="teal"/></svg><img alt="" width="20" height="20" src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="></div></body>`,
  "a page with an animation that shows it": `<!doctype html><style>@keyframes in { from { opacity: 0; transform: translateY(40px) } to { opacity: 1; transform: none } } p { animation: in .01s ease forwards; opacity: 0; background: tomato; width: 300px; height: 80px }</style><p>Shown</p>`,
};

describe("the preview", function () {
  this.timeout(300_000);
  let server: PreviewServer;
  let context: BrowserContext;

  before(async () => {
    server = await PreviewServer.start();
    context = await (await pageBrowser()).newContext({ reducedMotion: "reduce" });
  });
  afterEach(() => Promise.all(context.pages().map((page) => page.close())));
  after(async () => {
    await context.close();
    await server.close();
  });

  const open = (options: PreviewOptions) => server.open(context, options);
  const button = ({ tab }: OpenPreview, name: string) => tab.getByRole("button", { name });

  /** Pictures of frames by their markup. */
  const pictures = new Map<string, Promise<Uint8Array>>();

  /** Returns the original with a picture of this page, as the user sees the page. */
  async function originalOf(markup: string) {
    const picture = pictures.get(markup) ?? screenshot(markup);
    pictures.set(markup, picture);
    return { originals: [ORIGINAL], pictures: new Map([[ORIGINAL.hash, await picture]]) };
  }

  async function screenshot(markup: string): Promise<Uint8Array> {
    const preview = await open({ code: { markup }, originals: [ORIGINAL] });
    const page = await context.newPage();
    await page.setViewportSize({ width: 800, height: 600 });
    const frame = preview.tab.locator(".preview-container iframe");
    await page.setContent(
      `<style>body{margin:0}</style><iframe sandbox style="border:0;width:800px;height:600px;background:#fff"></iframe>`,
    );
    const html = await frame.getAttribute("srcdoc");
    await page.locator("iframe").evaluate((one, text) => {
      (one as HTMLIFrameElement).srcdoc = text ?? "";
      return new Promise((resolve) => one.addEventListener("load", resolve, { once: true }));
    }, html);
    // Two frames later everything is painted.
    await page
      .locator("iframe")
      .evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
    const png = await page.screenshot();
    await page.close();
    await preview.page.close();
    return new Uint8Array(png);
  }

  it("shows HTML with the CSS of another block, without scripts", async () => {
    const preview = await open({
      code: {
        markup: `<p id="p">Before</p><script>document.getElementById("p").textContent = "After"</script>`,
        styles: ["#p { color: rgb(1, 2, 3) }"],
        hasScripts: true,
      },
    });
    const text = preview.document.locator("#p");
    assert.equal(await text.textContent(), "Before");
    assert.equal(await text.evaluate((one) => getComputedStyle(one).color), "rgb(1, 2, 3)");
  });

  it("says that scripts do not run, of each kind, and says nothing without any", async () => {
    const note = "Scripts do not run in a preview.";
    const codes: readonly PreviewOptions["code"][] = [
      { markup: "<script>document.body.textContent = 'made'</script><p>x</p>" },
      { markup: `<p onclick="this.textContent = 'made'">x</p>` },
      { markup: `<p>x</p><a href="javascript:made()">y</a>` },
      { markup: "<p>x</p>", hasScripts: true },
    ];
    for (const code of codes) {
      const preview = await open({ code });
      await preview.tab.getByText(note).waitFor();
      await preview.document.locator("p").click();
      assert.equal(await preview.document.locator("p").textContent(), "x");
      assert.equal(await preview.document.locator("script").count(), 0);
    }
    const data = `<p>x</p><script type="application/ld+json">{}</script>`;
    const plain = await open({ code: { markup: data } });
    await plain.document.locator("p").waitFor();
    assert.equal(await plain.tab.getByText(note).count(), 0);
  });

  /** Pages whose reading would take seconds or minutes, some with few tags in the code. */
  const ENDLESS: Readonly<Record<string, string>> = {
    "100,000 nested elements": "<div>".repeat(100_000),
    "a million elements in a row": "<br>".repeat(1_000_000),
    "thousands of unclosed elements": Array.from({ length: 9_000 }, (_, n) => `<b id=${n}>`).join(
      "",
    ),
    "elements that parsing repeats": `<p>${Array.from({ length: 190 }, (_, n) => `<b id=${n}>`).join("")}${"<p>x".repeat(5_000)}`,
  };
  for (const [name, markup] of Object.entries(ENDLESS)) {
    it(`refuses a page with ${name}`, async () => {
      const preview = await open({ code: { markup } });
      await preview.tab.getByText("This page has too many elements for a preview.").waitFor();
    });
  }

  it("ignores messages that a page could forge", async () => {
    const preview = await open({ code: { markup: "<p>x</p>" } });
    await preview.page.frame("tab")!.evaluate(() => {
      for (let n = 0; n < 1_000; n++)
        postMessage({ coreChatBlocked: { directive: "img-src", address: `https://a.b/${n}` } });
    });
    await preview.document.locator("p").waitFor();
    assert.equal(await preview.tab.locator(".left-out").count(), 0);
  });

  it("follows a link inside the page, and no other", async () => {
    const preview = await open({
      code: {
        markup: `<a href="#end">down</a> <a href="https://example.com/">out</a><p style="height:3000px"></p><p id="end">end</p>`,
      },
    });
    await preview.document.getByText("out").click();
    await preview.document.getByText("down").click();
    const scrolled = await preview.document.locator("#end").evaluate(() => scrollY);
    assert.ok(scrolled > 500, `scrolled by ${scrolled}`);
  });

  it("has the size of the original, of a phone or of the tab", async () => {
    const preview = await open({
      code: { markup: "<p>x</p>" },
      originals: [ORIGINAL],
      widthPx: 500,
    });
    const width = () => preview.document.locator("p").evaluate(() => innerWidth);
    const size = preview.tab.getByRole("combobox", { name: "Size" });
    assert.equal(await width(), 800);
    const shown = await preview.tab.locator(".preview-container").boundingBox();
    assert.ok(shown && shown.width <= 500, "the page is scaled to the tab");
    await size.selectOption({ label: "Phone: 390 × 844" });
    assert.equal(await width(), 390);
    await size.selectOption({ label: "Fit to tab" });
    assert.equal(await width(), 500);
  });

  for (const [name, markup] of Object.entries(ORDINARY)) {
    it(`draws ${name} as the browser shows it${addedIf(!/variables/.test(name))}`, async () => {
      const preview = await open({ code: { markup }, ...(await originalOf(markup)) });
      await button(preview, "Compare with the original").click();
      const status = preview.tab.getByRole("status").getByText("% of the pixels are equal");
      const percent = Number.parseFloat(await status.innerText());
      // Letters are placed by fractions of a pixel, which their edges show.
      assert.ok(percent > 98.5, `${name}: ${percent} % are equal`);
    });
  }

  it("compares side by side with one zoom, by a slider, and by the pixels that differ", async () => {
    const { page, tab } = await open({
      code: { markup: '<body style="margin:0;background:#fff"><hr>' },
      ...(await originalOf('<body style="margin:0;background:#fff"><hr>')),
    });
    const show = (name: string) => tab.getByRole("button", { name, exact: true }).click();
    await show("Compare with the original");
    await tab.getByRole("status").getByText("100 % of the pixels are equal").waitFor();
    const areas = tab.locator(".picture-area");
    await areas.first().focus();
    for (const key of "1++++") await page.keyboard.press(key);
    const sizes = () =>
      areas.locator("img").evaluateAll((all) => all.map((one) => one.clientWidth));
    await poll(async () => (await sizes()).join() === "3200,3200", "both pictures at 400 %");
    await areas.first().evaluate((area) => area.scrollTo(90, 60));
    const other = () => areas.last().evaluate((area) => `${area.scrollLeft},${area.scrollTop}`);
    await poll(async () => (await other()) === "90,60", "the same part");
    await show("Swipe");
    await tab.getByRole("slider", { name: "Border between the pictures" }).press("Home");
    const clip = () =>
      tab.locator(".swipe-layer").evaluate((one) => getComputedStyle(one).clipPath);
    await poll(async () => (await clip()) === "inset(0px 0px 0px 0%)", "only the original");
    await show("Difference");
    await tab.getByRole("img", { name: /^Difference of / }).waitFor();
    await page.close();
  });

  it("sends the original and the picture of the preview with one click", async () => {
    const preview = await open({
      code: { markup: '<body style="margin:0;background:#0a0">' },
      ...(await originalOf("<p>original</p>")),
    });
    await button(preview, "Compare with the original").click();
    await button(preview, "Fix the differences").click();
    assert.equal(preview.page.workers().length, 1, "the pictures are compared in a worker");
    const { hash, png } = await preview.waitFor("comparison-attached");
    assert.equal(hash, ORIGINAL.hash);
    const bytes = Object.values(png as unknown as Record<string, number>);
    const color = await preview.page.evaluate(async (given) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(given)]));
      const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      drawing.drawImage(bitmap, 0, 0);
      return [bitmap.width, bitmap.height, ...drawing.getImageData(799, 599, 1, 1).data];
    }, bytes);
    assert.deepEqual(color, [800, 600, 0, 170, 0, 255]);
  });

  /** Pages as models write them, with what a preview leaves out of each. */
  const INCOMPLETE: Readonly<Record<string, { markup: string; leftOut: readonly string[] }>> = {
    "Google Fonts, Font Awesome and a picture of unknown size": {
      markup: `<!DOCTYPE html><html><head><script src="https://cdn.tailwindcss.com"></script><link rel="preconnect" href="https://fonts.gstatic.com"><link href="https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap" rel="stylesheet"><link rel="stylesheet" href="https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.5.1/css/all.min.css"></head><body class="bg-gray-100"><img src="https://placehold.co/600x400" alt="x"><img src="https://placehold.co/600x400" alt="again"><img src="local.png" alt="y"><a href="https://example.com/">link</a></body></html>`,
      leftOut: [
        "https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap",
        "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.5.1/css/all.min.css",
        "https://placehold.co/600x400",
        "local.png",
      ],
    },
    "files next to the page": {
      markup: `<link rel="stylesheet" href="./theme.css"><style>@import url("https://a.example/css2?family=A:wght@400;700"); .hero { background: url(../images/hero.webp) }</style><img src="My logo.png" alt="x"><img src="/assets/team.jpg" srcset="team@2x.jpg 2x" alt="x"><script src="app.js"></script><img src="#" alt="x"><img src="file:///C:/pictures/a.png" alt="x"><svg><use href="icons.svg#cart"/></svg><iframe src="about:blank"></iframe>`,
      leftOut: [
        "./theme.css",
        "https://a.example/css2?family=A:wght@400;700",
        "../images/hero.webp",
        "My%20logo.png",
        "/assets/team.jpg",
        "team@2x.jpg",
        "app.js",
        "file:///C:/pictures/a.png",
        "icons.svg#cart",
      ],
    },
    "CSS that loads, and what frames and media load": {
      markup: `<style>/* url(https://no.example/) */ @import url("https://a.example/a.css"); @font-face { font-family: x; src: url('https://a.example/x.woff2') format("woff2") } body { background: url(https://a.example/b.png), url(data:image/gif;base64,R0lGODlhAQABAAAAACw=) }</style><div style="background-image: image-set('https://a.example/set.png' 1x)"></div><img srcset="https://a.example/1.png 1x,https://a.example/2.png 2x" alt="x"><video poster="https://a.example/p.jpg" src="https://a.example/v.mp4"></video><iframe src="https://a.example/map"></iframe><svg><image xlink:href="https://a.example/i.png"/><rect fill="url(#own)"/></svg><template><img src="https://a.example/t.png"></template>`,
      leftOut: [
        "https://a.example/a.css",
        "https://a.example/x.woff2",
        "https://a.example/b.png",
        "https://a.example/set.png",
        "https://a.example/1.png",
        "https://a.example/2.png",
        "https://a.example/p.jpg",
        "https://a.example/v.mp4",
        "https://a.example/map",
        "https://a.example/i.png",
        "https://a.example/t.png",
      ],
    },
  };

  for (const [name, { markup, leftOut }] of Object.entries(INCOMPLETE)) {
    it(`names what it leaves out of a page with ${name}${addedIf(/CSS/.test(name))}`, async () => {
      const preview = await open({ code: { markup }, ...(await originalOf("<p>original</p>")) });
      const count = `${leftOut.length} things were not loaded`;
      const note = preview.tab.locator("details").filter({ hasText: count });
      const line = note.getByText(count);
      await note.locator("summary").press("Enter");
      assert.deepEqual(await note.locator("li").allInnerTexts(), leftOut);
      await button(preview, "Compare with the original").click();
      await line.waitFor();
      await button(preview, "Fix the differences").click();
      const sent = await preview.waitFor("comparison-attached");
      assert.deepEqual(sent.leftOut, leftOut);
    });
  }

  it("says nothing of a page that is complete", async () => {
    const markup = `<html xmlns="http://www.w3.org/1999/xhtml"><head><link rel="stylesheet" href="style.css"><link rel="canonical" href="https://a.example/"><style>body { background: url(data:,) }</style></head><body><a href="https://a.example/">x</a><img src="data:," alt=""><svg xmlns="http://www.w3.org/2000/svg"><use href="#x"/></svg><p>url(https://a.example/)</p></body></html>`;
    const preview = await open({ code: { markup, styles: ["p { color: red }"] } });
    await preview.document.getByText("url(").waitFor();
    assert.equal(await preview.tab.locator(".left-out").count(), 0);
  });

  const LOOKS: readonly { theme: ThemeName; language: "en" | "zh-cn" }[] = [
    { theme: "dark", language: "en" },
    { theme: "light", language: "zh-cn" },
    { theme: "highContrast", language: "zh-cn" },
    { theme: "highContrastLight", language: "en" },
  ];
  for (const { theme, language } of LOOKS) {
    it(`has no accessibility problem in a narrow tab in ${theme} and ${language} ${ALL}`, async () => {
      const preview = await open({
        code: {
          markup:
            '<!doctype html><html lang=en><title>x</title><p>Text</p><script src="https://cdn.tailwindcss.com"></script><script src="https://a.example/b.js"></script><script>x()</script>',
        },
        ...(await originalOf("<p>original</p>")),
        theme,
        language,
        widthPx: 320,
      });
      const frame = preview.page.frame("tab")!;
      const isWide = await frame.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      assert.equal(isWide, false, "the page scrolls sideways");
      assert.deepEqual(await violationsAround(preview.tab.locator("main")), []);
      const name = language === "en" ? "Compare with the original" : "与原图比较";
      await button(preview, name).click();
      await preview.tab.locator(".picture-area img[src]").first().waitFor();
      assert.deepEqual(await violationsAround(preview.tab.locator("main")), []);
      await preview.page.keyboard.press("Escape");
      await preview.tab.locator(".preview-container iframe").waitFor();
      const focused = await frame.evaluate(() => document.activeElement?.textContent);
      assert.equal(focused, name);
    });
  }
});
