import type { FakeHost } from "./fakeHost";

/** Collects the texts of the polite live region, starting with the call. */
export async function listen(host: FakeHost): Promise<() => Promise<string[]>> {
  await host.page.evaluate(() => {
    const own = window as unknown as { spoken: string[] };
    own.spoken = [];
    const region = document.querySelector("[data-spoken=reply]")!;
    new MutationObserver(() => own.spoken.push(region.textContent)).observe(region, {
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  return () => host.page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
}
