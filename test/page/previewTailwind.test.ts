/** Pages of a preview that would load Tailwind from the web. */
import assert from "node:assert/strict";
import type { BrowserContext } from "playwright-core";
import { addedIf, ALL } from "../support/depth";
import { pageBrowser } from "./support/pageBrowser";
import { PreviewServer, type OpenPreview, type PreviewOptions } from "./support/previewServer";

const THREE = `<script src="https://cdn.tailwindcss.com"></script>`;
const FOUR = `<script src="https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4"></script>`;

describe("Tailwind in a preview", function () {
  this.timeout(120_000);
  let server: PreviewServer;
  let context: BrowserContext;

  before(async () => {
    server = await PreviewServer.start();
    context = await (await pageBrowser()).newContext();
  });
  afterEach(() => Promise.all(context.pages().map((page) => page.close())));
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
    await preview.tab.getByText("Styled with Tailwind 4.3.4").waitFor();
    assert.deepEqual(await listed(preview), []);
  });

  it(`styles a page of Tailwind 4 with its own theme ${ALL}`, async () => {
    const sheet = `<style type="text/tailwindcss">@theme { --spacing-brand: 7px; --color-brand: #010203 }</style>`;
    const preview = await open(`${FOUR}${sheet}<i class="p-brand text-brand">x</i>`);
    assert.equal(await styleOf(preview, "i", "padding"), "7px");
    assert.equal(await styleOf(preview, "i", "color"), "rgb(1, 2, 3)");
  });

  it(`names the settings of Tailwind 3 that it does not read ${ALL}`, async () => {
    const preview = await open(
      `<script src="https://cdn.tailwindcss.com?plugins=forms"></script><script>tailwind.config = { theme: {} }</script>`,
    );
    await preview.tab
      .getByText("2 things were not loaded: plugins=forms, tailwind.config")
      .waitFor();
  });

  for (const [name, css] of Object.entries({
    "are endless": `@source inline("p-{1..9000000}");`,
    "have an error": ".a { @apply no-such-utility }",
  })) {
    it(`names Tailwind as left out if the page's rules for it ${name}${addedIf(name === "are endless")}`, async () => {
      const preview = await open(
        `${THREE}<style type="text/tailwindcss">${css}</style><p class="p-4">text</p>`,
      );
      assert.deepEqual(await listed(preview), ["https://cdn.tailwindcss.com/"]);
      assert.equal(await preview.document.locator("p").innerText(), "text");
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
    await preview.tab.getByText("4 things were not loaded").waitFor();
    assert.equal(await preview.tab.getByText("Styled with").count(), 0);
  });

  it("lets class names end no element and run nothing", async () => {
    const preview = await open(
      `${THREE}<p class="before:content-['</style><img/src=x/onerror=alert(1)><script>alert(1)</script>'] p-4">text</p>`,
    );
    assert.equal(await styleOf(preview, "p", "padding"), "16px");
    assert.equal(await preview.document.locator("img, script").count(), 0);
  });
});
