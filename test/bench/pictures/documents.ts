/**
 * Measures a PDF of a hundred pages by the page's clock: from the drop to the frame that shows the
 * first page. Then scrolls the list to its end and measures the previews and the memory in use.
 */
import type { Locator } from "playwright-core";
import { madePdf } from "../../support/pictures/madePdf";
import type { Workbench } from "../../support/vscode/workbench.mjs";

const PAGES = 100;

interface Memory {
  readonly memory?: { readonly usedJSHeapSize: number };
}

/** Logs all figures. */
export async function measureDocument(window: Workbench, log: (line: string) => void) {
  const box = window.panel.getByRole("textbox", { name: "Message", exact: true });
  const pdf = madePdf(PAGES).toString("base64");
  for (const round of ["the first time", "again"]) {
    const heapBefore = await usedHeap(box);
    const firstPageMs = await box.evaluate(dropDocument, pdf);
    const limit = "(limit 1000)";
    log(
      `a PDF of ${PAGES} pages, ${round}: first page after ${firstPageMs.toFixed(0)} ms ${limit}`,
    );
    const list = window.panel.locator(".pdf-pages");
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await window.panel.getByRole("checkbox", { name: `Page ${PAGES}`, exact: true }).waitFor();
    await window.panel.locator(".pdf-pages li").last().locator("img").waitFor();
    const held = await window.panel.locator(".pdf-preview img").count();
    const heap = (await usedHeap(box)) - heapBefore;
    log(
      `  ${held} previews held at the end of the list, ${(heap / 1e6).toFixed(1)} MB more on the heap`,
    );
    await window.panel.getByRole("button", { name: "Close", exact: true }).click();
  }
}

function usedHeap(box: Locator): Promise<number> {
  return box.evaluate(() => (performance as Memory).memory?.usedJSHeapSize ?? 0);
}

/** Runs in the panel: drops a PDF and waits for the frame that shows its first page. */
function dropDocument(box: Element, base64: string): Promise<number> {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  data.items.add(new File([bytes], "long.pdf", { type: "application/pdf" }));
  const startMs = performance.now();
  const shared = { bubbles: true, cancelable: true };
  box.dispatchEvent(new DragEvent("drop", { ...shared, dataTransfer: data }));
  return new Promise((resolve) => {
    const look = () => {
      const image = document.querySelector<HTMLImageElement>(".pdf-preview img");
      if (image?.complete) requestAnimationFrame(() => resolve(performance.now() - startMs));
      else requestAnimationFrame(look);
    };
    look();
  });
}
