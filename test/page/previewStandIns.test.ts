/** What a preview shows in place of things of the web: Tailwind, drawn pictures and system fonts. */
import assert from "node:assert/strict";
import type { BrowserContext } from "playwright-core";
import { violationsAround } from "../support/browser/axe";
import { pageBrowser } from "./support/pageBrowser";
import { PreviewServer, type OpenPreview, type PreviewOptions } from "./support/previewServer";

const THREE = `<script src="https://cdn.tailwindcss.com"></script>`;
const FOUR = `<script src="https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4"></script>`;

describe("what a preview shows in place of things of the web", function () {
  this.timeout(120_000);
  let server: PreviewServer;
  let context: BrowserContext;

  before(async () => {
    server = await PreviewServer.start();
    context = await (await pageBrowser()).newContext();
  });
  after(async () => {
    await context.close();
    await server.close();
  });
  const open = (markup: string, options: Partial<PreviewOptions> = {}) =>
    server.open(context, { code: { markup }, ...options });

  /** Returns the lists below the lines, which a key opens. */
  async function listed({ tab }: OpenPreview): Promise<string[]> {
    for (const line of await tab.locator("summary").all()) await line.press("Enter");
    return tab.locator(".left-out li").allInnerTexts();
  }

  const styleOf = ({ document }: OpenPreview, selector: string, name: string) =>
    document
      .locator(selector)
      .evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name);

  it("styles a page of Tailwind 3 with its colors and sizes, without running a script", async () => {
    const preview = await open(
      `${THREE}<style type="text/tailwindcss">@tailwind base; @tailwind utilities; @layer components { .btn { @apply px-4 bg-emerald-500 } }</style><p class="bg-blue-500 rounded-sm border shadow-sm">a</p><div class="bg-black bg-opacity-50 hover:bg-opacity-75">b</div><b class="btn">c</b>`,
    );
    assert.equal(await styleOf(preview, "p", "background-color"), "rgb(59, 130, 246)");
    assert.equal(await styleOf(preview, "p", "border-radius"), "2px");
    assert.equal(await styleOf(preview, "p", "border-color"), "rgb(229, 231, 235)");
    assert.match(await styleOf(preview, "div", "background-color"), /(?:\/|,) 0\.5\)$/);
    assert.equal(await styleOf(preview, "b", "background-color"), "rgb(16, 185, 129)");
    assert.equal(await preview.tab.locator("iframe").getAttribute("sandbox"), "");
    assert.equal(await preview.document.locator("script").count(), 0);
    assert.equal(await preview.tab.getByRole("button", { name: "Run scripts" }).count(), 0);
    await preview.tab.getByText("1 thing from the web was replaced").waitFor();
    assert.deepEqual(await listed(preview), ["https://cdn.tailwindcss.com/ → Tailwind 4.3.4"]);
    await preview.page.close();
  });

  it("styles what the scripts of a page make, also in a page of Tailwind 4", async () => {
    const script = `<script>tailwind.config = {}; document.body.insertAdjacentHTML("beforeend", "<i class='p-brand text-brand'>made</i>")</script>`;
    const sheet = `<style type="text/tailwindcss">@theme { --spacing-brand: 7px; --color-brand: #010203 }</style>`;
    for (const tailwind of [THREE, FOUR]) {
      const preview = await open(`${tailwind}${sheet}<body>${script}`, { runsScripts: true });
      await preview.document.locator("i").waitFor();
      await preview.document.locator("i").evaluate(async (element) => {
        while (getComputedStyle(element).padding !== "7px")
          await new Promise(requestAnimationFrame);
      });
      assert.equal(await styleOf(preview, "i", "color"), "rgb(1, 2, 3)");
      assert.equal(await preview.document.locator("script[src]").count(), 0);
      await preview.page.close();
    }
  });

  it("names the settings of Tailwind 3 that it does not read", async () => {
    const preview = await open(
      `<script src="https://cdn.tailwindcss.com?plugins=forms"></script><script>tailwind.config = { theme: {} }</script>`,
    );
    await preview.tab.getByText("2 things were left out: plugins=forms, tailwind.config").waitFor();
    await preview.page.close();
  });

  for (const [name, css] of Object.entries({
    "are endless": `@source inline("p-{1..9000000}");`,
    "have an error": ".a { @apply no-such-utility }",
  })) {
    it(`names Tailwind as left out if the page's rules for it ${name}`, async () => {
      const preview = await open(
        `${THREE}<style type="text/tailwindcss">${css}</style><p class="p-4">text</p>`,
      );
      assert.deepEqual(await listed(preview), ["Script: https://cdn.tailwindcss.com/"]);
      assert.equal(await preview.document.locator("p").innerText(), "text");
      await preview.page.close();
    });
  }

  it("takes no other script for Tailwind", async () => {
    const addresses = [
      "https://a.example/?https://cdn.tailwindcss.com",
      "https://cdn.tailwindcss.com.a.example/x",
      "https://cdn.jsdelivr.net/npm/@tailwindcss/browser-other@4",
      "https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.js",
    ];
    const markup = addresses.map((address) => `<script src="${address}"></script>`).join("");
    const preview = await open(markup);
    await preview.tab.getByText("4 things were left out").waitFor();
    assert.equal(await preview.tab.getByText("replaced").count(), 0);
    await preview.page.close();
  });

  it("lets class names end no element and run nothing", async () => {
    const preview = await open(
      `${THREE}<p class="before:content-['</style><img/src=x/onerror=alert(1)><script>alert(1)</script>'] p-4">text</p>`,
    );
    assert.equal(await styleOf(preview, "p", "padding"), "16px");
    assert.equal(await preview.document.locator("img, script").count(), 0);
    await preview.page.close();
  });

  it("starts no worker for a page, with and without Tailwind", async () => {
    const script = `<script>let made = 0; for (const url of [URL.createObjectURL(new Blob(["postMessage(1)"])), "data:text/javascript,postMessage(1)"]) try { const worker = new Worker(url); worker.onmessage = () => made++; } catch {} setTimeout(() => document.body.append("made " + made), 500);</script>`;
    for (const markup of [`${FOUR}<body>${script}`, `<body>${script}`]) {
      const preview = await open(markup, { runsScripts: true });
      await preview.document.getByText("made 0").waitFor();
      await preview.page.close();
    }
  });

  /** Addresses of services and what is drawn for each. */
  const DRAWN: readonly (readonly [address: string, size: string, text: string, fill?: string])[] =
    [
      ["https://placehold.co/600x400", "600 × 400", "600 × 400"],
      ["https://placehold.co/64", "64 × 64", "64 × 64"],
      ["https://placehold.co/600x400/000/FFF/png?text=A+B", "600 × 400", "A B", "#000"],
      ["https://placehold.co/600x400/orange/white?text=x", "600 × 400", "x", "orange"],
      ["https://via.placeholder.com/120.png/09f/fff?text=%3Ci%3E", "120 × 120", "<i>", "#09f"],
      ["https://dummyimage.com/300x50/0a0/fff&text=Logo", "300 × 50", "Logo", "#0a0"],
      ["https://fakeimg.pl/250x100/ff0000/", "250 × 100", "250 × 100", "#ff0000"],
      ["//picsum.photos/id/237/200/300", "200 × 300", "alt"],
      ["https://picsum.photos/seed/a-b/200?grayscale", "200 × 200", "alt"],
      ["https://placekitten.com/g/40/50", "40 × 50", "alt"],
      ["https://loremflickr.com/320/240/dog", "320 × 240", "alt"],
      ["https://source.unsplash.com/random/800x600/?sea", "800 × 600", "alt"],
      ["https://i.pravatar.cc/150?img=3", "150 × 150", "alt"],
      ["https://images.unsplash.com/photo-1?w=800&h=500&fit=crop&q=8", "800 × 500", "alt"],
    ];

  for (const [address, size, text, fill = "#cccccc"] of DRAWN) {
    it(`draws ${address}`, async () => {
      const preview = await open(`<img src="${address}" srcset="${address} 1x" alt="alt">`);
      assert.match(
        (await listed(preview)).join("|"),
        new RegExp(`^\\S+ → drawn picture, ${size}$`),
      );
      const drawn = await preview.document.locator("img").evaluate((image: HTMLImageElement) => {
        const [, svg = ""] = image.src.split("base64,");
        const bytes = Uint8Array.from(atob(svg), (one) => one.charCodeAt(0));
        const xml = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "text/xml");
        return {
          size: `${image.naturalWidth} × ${image.naturalHeight}`,
          text: xml.querySelector("text")?.textContent,
          fill: xml.querySelector("rect")?.getAttribute("fill"),
        };
      });
      assert.deepEqual(drawn, { size, text, fill });
      await preview.page.close();
    });
  }

  it("draws a picture whose element has its size, and names one of unknown size", async () => {
    const preview = await open(
      `<img src="https://a.example/a.jpg" width="120" height="80" alt="A"><img src="https://a.example/b.jpg" width="50%" height="80" alt=""><img src="https://images.unsplash.com/photo-1?w=800" alt=""><img src="own.png" width="9" height="9" alt=""><div style="background: url(https://picsum.photos/90/60)">x</div>`,
    );
    assert.deepEqual(await listed(preview), [
      "https://a.example/a.jpg → drawn picture, 120 × 80",
      "https://picsum.photos/90/60 → drawn picture, 90 × 60",
      "Picture: https://a.example/b.jpg",
      "Picture: https://images.unsplash.com/photo-1?w=800",
      "Picture: own.png",
    ]);
    assert.match(await styleOf(preview, "div", "background-image"), /^url\("data:image\/svg/);
    await preview.page.close();
  });

  it("replaces a font only by a system font that the page names after it", async () => {
    const google = "https://fonts.googleapis.com/css2?family=";
    const cases = {
      [`${google}Inter:wght@400&family=Roboto+Mono`]: "Inter: sans-serif, Roboto Mono: monospace",
      [`${google}Lora`]: undefined,
      [`${google}Playfair+Display`]: undefined,
      [`${google}Material+Symbols+Outlined`]: undefined,
      "https://fonts.bunny.net/css?family=open-sans:400,700": "open sans: sans-serif",
      "https://a.example/css2?family=Inter": undefined,
    };
    const css = `body { font-family: "Inter", sans-serif } code { font: 12px 'Roboto Mono', monospace } q { font-family: "Open Sans", sans-serif } h1 { font-family: Lora } h2 { font-family: "Playfair Display", serif } h3 { font-family: "Playfair Display", cursive }`;
    const links = Object.keys(cases).map((address) => `<link rel="stylesheet" href="${address}">`);
    const preview = await open(`<style>${css}</style>${links.join("")}<p>text</p>`);
    const expected = Object.entries(cases);
    assert.deepEqual(await listed(preview), [
      ...expected.flatMap(([address, by]) => (by ? [`${address} → ${by}`] : [])),
      ...expected.flatMap(([address, by]) => (by ? [] : [`Style sheet: ${address}`])),
    ]);
    await preview.page.close();
  });

  it("says in Chinese what was replaced, in a narrow tab and high contrast", async () => {
    const preview = await open(`${THREE}<img src="https://placehold.co/60x40" alt="x">`, {
      language: "zh-cn",
      theme: "highContrast",
      widthPx: 320,
    });
    await preview.tab.getByText("已替换 2 项网络内容").waitFor();
    assert.match((await listed(preview)).join("|"), /绘制的图片，60 × 40/);
    assert.deepEqual(await violationsAround(preview.tab.locator("main")), []);
    await preview.page.close();
  });
});
