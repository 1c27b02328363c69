import type { BrowserContext } from "playwright-core";

const PAGE = `<!doctype html><style>
body { margin: 0; font: 24px/1.5 system-ui, sans-serif; color: #1f2937; background: #f3f4f6 }
header { padding: 28px 64px; background: #1e3a8a; color: white; font-size: 34px; font-weight: 600 }
main { display: grid; grid-template-columns: 1fr 520px; gap: 48px; padding: 48px 64px }
section { padding: 36px; border-radius: 16px; background: white; box-shadow: 0 2px 12px #0002 }
div { display: flex; justify-content: space-between; padding: 18px 0; border-bottom: 1px solid #e5e7eb }
b { font-size: 30px } .wrong { color: #b91c1c }
p { margin-top: 36px; padding: 20px; border-radius: 12px; background: #2563eb; color: white; text-align: center }
</style><header>Shop · Checkout</header><main>
<section><h2>Your cart</h2><div><span>Teapot, green</span><span>2 × €24.00</span></div>
<div><span>Tea, Darjeeling 250 g</span><span>1 × €12.50</span></div>
<div><span>Two cups, porcelain</span><span>1 × €18.00</span></div>
<div><span>Gift wrapping</span><span>€3.00</span></div></section>
<section><h2>Total</h2><div><span>Subtotal</span><span>€81.50</span></div>
<div><span>VAT 19 %</span><span>€15.49</span></div><div><span>Discount 10 %</span><span>−€8.15</span></div>
<div><b>To pay</b><b class="wrong">€88.84</b></div><p>Pay now</p></section></main>`;

/**
 * Takes a screenshot of a web shop, 1600 × 1000 pixels, as an example of a picture in a question.
 */
export async function pictureOfShop(context: BrowserContext): Promise<Uint8Array<ArrayBuffer>> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.setContent(PAGE);
  const bytes = await page.screenshot({ scale: "css" });
  await page.close();
  return Uint8Array.from(bytes);
}
