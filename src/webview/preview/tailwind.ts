/**
 * Styles a page that would load Tailwind with the extension's runtime of Tailwind, which runs in a worker.
 */
import { tailwindOf } from "../../protocol/tailwindScripts";
import { addressOutside } from "./leftOut";
import { replaceOpacity, tailwindThree } from "./tailwindThree";

/** The runtime, which the host writes into a page that can need it; see build/tailwindRuntime.mjs. */
interface Runtime {
  (document: Document, MutationObserver: unknown): void;
  readonly version: string;
}

const SHEET_TYPE = "text/tailwindcss";

/** Time limit for the styles of a page: a few characters can mean millions of rules. */
const MAX_MS = 5_000;

/** Replaces the scripts of a page; returns their addresses and the version of the runtime. */
export async function addTailwind(
  document: Document,
): Promise<{ readonly addresses: readonly string[]; readonly version: string }> {
  const { coreChatTailwind: runtime } = globalThis as { readonly coreChatTailwind?: Runtime };
  const runtimes = [...document.querySelectorAll("script[src]")].flatMap((script) => {
    const address = addressOutside(script.getAttribute("src") ?? "") ?? "";
    const url = URL.parse(address);
    const version = url ? tailwindOf(url) : undefined;
    return version ? [{ script, address, version }] : [];
  });
  const [first] = runtimes;
  if (first === undefined || runtime === undefined) return { addresses: [], version: "" };
  const isThree = runtimes.some(({ version }) => version === 3);
  const classed = document.querySelectorAll("[class]");
  if (isThree) for (const element of classed) replaceOpacity(element);
  const three = document.createElement("style");
  three.setAttribute("type", SHEET_TYPE);
  three.textContent = isThree ? tailwindThree() : "";
  first.script.before(three);
  const sheets = [...document.querySelectorAll(`style[type="${SHEET_TYPE}"]`)];
  const css = await stylesOf(
    sheets.map(({ textContent }) => textContent),
    [...new Set([...classed].flatMap(({ classList }) => [...classList]))],
    runtime,
  );
  three.remove();
  if (css === "") return { addresses: [], version: "" };
  const style = document.createElement("style");
  style.textContent = css.replace(/<\/style/gi, "<\\/style");
  document.head.append(style);
  for (const { script } of runtimes) script.remove();
  return { addresses: runtimes.map(({ address }) => address), version: runtime.version };
}

/** Returns the styles of a page's classes; "" if the page's own rules have an error or take too long. */
async function stylesOf(
  sheets: readonly string[],
  classes: readonly string[],
  runtime: Runtime,
): Promise<string> {
  const text = `(${answer.toString()})(${JSON.stringify([sheets, classes])}, ${runtime.toString()})`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(url);
  try {
    return await new Promise<string>((resolve) => {
      worker.onmessage = ({ data }) => resolve(String(data));
      worker.onerror = () => resolve("");
      setTimeout(() => resolve(""), MAX_MS);
    });
  } finally {
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}

/** Runs in the worker, so it uses nothing from this file. Gives the runtime what it reads of a document. */
function answer(
  [sheets, classes]: readonly [readonly string[], readonly string[]],
  runtime: (document: unknown, MutationObserver: unknown) => void,
): void {
  const style = { textContent: "" };
  const document = {
    createElement: () => style,
    querySelectorAll: (selector: string) =>
      selector.startsWith("style")
        ? sheets.map((textContent) => ({ textContent }))
        : [{ classList: classes }],
    head: { append: () => undefined },
  };
  class Observer {
    observe = () => undefined;
  }
  runtime(document, Observer);
  // The runtime waits for promises only, which come before the next task.
  setTimeout(() => postMessage(style.textContent));
}
