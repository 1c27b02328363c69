/**
 * Draws a document without scripts as a picture. A frame with an opaque origin cannot be read, so the
 * document is drawn again as an SVG image, which loads nothing and runs nothing.
 */
import { toBase64 } from "../../base/base64";
import { newCanvas } from "../pictures/canvas";
import type { PreviewSize } from "./previewSizes";

const SVG = "http://www.w3.org/2000/svg";

/** Ends animations at once, as a picture shows a single moment. */
const STILL =
  "*, *::before, *::after { animation-delay: -1e6s !important; animation-play-state: paused !important; transition: none !important; caret-color: transparent !important }";

/** Characters that XML does not allow. */
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const XML_NAME = /^[A-Za-z_][\w.-]*$/;

/** Draws the first screen of a document; rejects if the browser cannot draw the document. */
export async function drawPreview(document: Document, size: PreviewSize): Promise<Blob> {
  const image = new Image();
  const svg = new TextEncoder().encode(svgOf(document, size));
  // A blob: URL would taint the canvas.
  image.src = `data:image/svg+xml;base64,${toBase64(svg)}`;
  await image.decode();
  const context = newCanvas(size.picture.widthPx, size.picture.heightPx);
  const { canvas } = context;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}

function svgOf(document: Document, { widthPx, heightPx }: PreviewSize): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  makeXml(copy);
  for (const style of copy.querySelectorAll("style")) {
    style.textContent = withRootOfSvg(style.textContent);
  }
  // A browser paints the background of `html` or `body` over the whole viewport.
  copy.style.minHeight = "100%";
  const canvas = document.createElement("div");
  canvas.setAttribute(
    "style",
    "all: initial; position: fixed; inset: 0; z-index: -1; background: inherit",
  );
  copy.querySelector("body")?.append(canvas);
  const still = document.createElement("style");
  still.textContent = STILL;
  copy.append(still);
  const html = new XMLSerializer().serializeToString(copy).replace(NOT_IN_XML, "");
  const side = `width="${widthPx}" height="${heightPx}"`;
  return `<svg xmlns="${SVG}" ${side}><foreignObject ${side}>${html}</foreignObject></svg>`;
}

/** Applies rules for `html` also to the root of the picture, on which `rem` and `:root` depend. */
function withRootOfSvg(css: string): string {
  return css.replace(/(^|[\s,{}>])html(?=[\s,.:#[>{])/g, "$1:is(html, :root)");
}

/** Removes what HTML allows and XML does not: names such as "@click" and "o:p". */
function makeXml(root: Element): void {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, prefix } of [...element.attributes]) {
      const local = prefix === "xlink" || prefix === "xml" ? name.slice(prefix.length + 1) : name;
      if (!XML_NAME.test(local)) element.removeAttribute(name);
    }
    if (element === root || XML_NAME.test(element.localName)) continue;
    const plain = element.ownerDocument.createElement("span");
    plain.append(...element.childNodes);
    element.replaceWith(plain);
  }
}
