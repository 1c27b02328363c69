import type { Workbench } from "../support/vscode/workbench.mjs";

/** Drags the left edge of the secondary side bar to a position, in pixels of the window. */
export async function dragSideBarTo({ page }: Workbench, leftPx: number): Promise<void> {
  const { x } = (await page.locator(".part.auxiliarybar").boundingBox()) ?? { x: 0 };
  const sash = page.locator(".monaco-sash.vertical:not(.disabled)").filter({ visible: true });
  for (const one of await sash.all()) {
    const box = await one.boundingBox();
    if (box === null || Math.abs(box.x - x) > 12) continue;
    await page.mouse.move(box.x + box.width / 2, 300);
    await page.mouse.down();
    await page.mouse.move(leftPx, 300, { steps: 5 });
    await page.mouse.up();
  }
}
