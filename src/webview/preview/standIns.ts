/**
 * Replaces what a page would load from the web where the extension has or can draw the same: Tailwind,
 * pictures of a known size, and fonts in place of which the page itself names a system font.
 */
import { t } from "@vscode/l10n";
import type { PreviewState } from "../../protocol/previewMessages";
import { addressOutside } from "./leftOut";
import { drawingOf, drawnPicture } from "./placeholders";
import { htmlOf, parse } from "./safeDocument";
import { addTailwind } from "./tailwind";

type PreviewCode = PreviewState["code"];

/** Replacement of an address of the web in a page. */
export interface StandIn {
  readonly address: string;
  /** Name for users. */
  readonly by: string;
  /** False if the page looks different with it. */
  readonly isSame: boolean;
}

/** Servers of style sheets for fonts: Google's, its mirrors, and one with the same addresses. */
const FONT_SERVERS =
  /^https:\/\/(?:fonts\.(?:googleapis\.com|googleapis\.cn|loli\.net|bunny\.net))\/css2?\?/;

/** https://www.w3.org/TR/css-fonts-4/#generic-family-name-syntax */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-(?:serif|sans-serif|monospace|rounded))$/;

/** Values of declarations, of which only lists of fonts have the name of a font. */
const VALUES = /:([^:;{}]{1,999})/g;

const CSS_ADDRESS = /url\(\s{0,9}(["']?)(?<url>(?:https?:)?\/\/[^"')\s]{1,2000})\1\s{0,9}\)/gi;

const CSS_IMPORT =
  /@import\s{0,9}(?:url\(\s{0,9})?["']?(?<url>[^"')\s]{1,2000})["']?\s{0,9}\)?\s{0,9};?/gi;

/** Returns the code with what replaces things of the web. */
export async function withStandIns(
  code: PreviewCode,
  runsScripts: boolean,
): Promise<{ readonly code: PreviewCode; readonly standIns: readonly StandIn[] }> {
  if (code.kind === "svg") return { code, standIns: [] };
  const document = parse(code.markup);
  const found = new Map<string, StandIn>();
  const add = (address: string, by: string, isSame = false) =>
    found.set(address, { address, by, isSame });
  const tailwind = await addTailwind(document, runsScripts);
  for (const address of tailwind.addresses) add(address, `Tailwind ${tailwind.version}`, true);
  for (const image of document.querySelectorAll("img")) replaceImage(image, add);
  const replaced = (css: string) => withDrawings(css, add);
  const sheets = document.querySelectorAll("style");
  let styles = code.styles.map(replaced);
  for (const sheet of sheets) sheet.textContent = replaced(sheet.textContent);
  for (const element of document.querySelectorAll("[style]")) {
    element.setAttribute("style", replaced(element.getAttribute("style") ?? ""));
  }
  const stacks = fontStacks(document, styles);
  const replaceFonts = (address: string | undefined) => {
    const by = address && systemFonts(address, stacks);
    if (address && by) add(address, by);
    return Boolean(by);
  };
  for (const link of document.querySelectorAll("link[rel~=stylesheet i][href]")) {
    if (replaceFonts(addressOutside(link.getAttribute("href") ?? ""))) link.remove();
  }
  const withoutFonts = (css: string) =>
    css.replace(CSS_IMPORT, (all, url: string) =>
      all.endsWith(";") && replaceFonts(addressOutside(url)) ? "" : all,
    );
  for (const sheet of sheets) sheet.textContent = withoutFonts(sheet.textContent);
  styles = styles.map(withoutFonts);
  if (found.size === 0) return { code, standIns: [] };
  return { code: { ...code, markup: htmlOf(document), styles }, standIns: [...found.values()] };
}

type Add = (address: string, by: string) => void;

function replaceImage(image: HTMLImageElement, add: Add): void {
  const address = addressOutside(image.getAttribute("src") ?? "");
  const url = address === undefined ? null : URL.parse(address);
  if (address === undefined || url === null) return;
  const [width = 0, height = 0] = ["width", "height"].map((name) =>
    Number(/^\d{1,4}$/.exec(image.getAttribute(name) ?? "")?.[0]),
  );
  const size = width > 0 && height > 0 ? { width, height } : undefined;
  const drawing = drawingOf(url, image.alt, size);
  if (drawing === undefined) return;
  const by = drawingName(drawing);
  add(address, by);
  image.src = drawnPicture(drawing);
  // Other sizes of the same picture.
  const others = [image, ...(image.closest("picture")?.querySelectorAll("source") ?? [])];
  for (const other of others) {
    for (const candidate of (other.getAttribute("srcset") ?? "").split(/,\s+/)) {
      const outside = addressOutside(candidate.trim().split(/\s/)[0] ?? "");
      if (outside !== undefined) add(outside, by);
    }
    other.removeAttribute("srcset");
  }
}

/** Returns a style sheet with drawn pictures of those whose address has the size. */
function withDrawings(css: string, add: Add): string {
  return css.replace(CSS_ADDRESS, (all, _quote, text: string) => {
    const address = addressOutside(text);
    const url = address === undefined ? null : URL.parse(address);
    const drawing = url && drawingOf(url, "");
    if (address === undefined || !drawing) return all;
    add(address, drawingName(drawing));
    return `url("${drawnPicture(drawing)}")`;
  });
}

function drawingName({ width, height }: { readonly width: number; readonly height: number }) {
  return t("drawn picture, {0} × {1}", width, height);
}

/** Returns the lists of fonts in a page's CSS, in lower case. */
function fontStacks(document: Document, styles: readonly string[]): string[][] {
  const css = [
    ...styles,
    ...[...document.querySelectorAll("style")].map((style) => style.textContent),
    ...[...document.querySelectorAll("[style]")].map((one) => one.getAttribute("style") ?? ""),
  ];
  return css.flatMap((text) =>
    [...text.matchAll(VALUES)].map(([, stack = ""]) =>
      stack.split(",").map((font) =>
        font
          .replace(/!important|["']/gi, "")
          .trim()
          .toLowerCase(),
      ),
    ),
  );
}

/**
 * Returns the system fonts that the page itself names after each font of a style sheet; undefined unless
 * it always names one.
 */
function systemFonts(address: string, stacks: readonly (readonly string[])[]): string | undefined {
  if (!FONT_SERVERS.test(address)) return undefined;
  const families = [...new URL(address).searchParams.getAll("family")]
    .flatMap((value) => value.split("|"))
    .map((family) => (family.split(":")[0] ?? "").replaceAll("-", " ").trim());
  const names: string[] = [];
  for (const family of families) {
    // The shorthand `font` has the first family after its size.
    const isFamily = (font: string) =>
      ` ${font.replaceAll("-", " ")}`.endsWith(` ${family.toLowerCase()}`);
    const own = stacks.filter((stack) => stack.some(isFamily));
    const generics = own.map((stack) => stack.find((font) => GENERIC.test(font)));
    const [generic] = generics;
    if (generic === undefined || generics.some((other) => other !== generic)) return undefined;
    names.push(`${family}: ${generic}`);
  }
  return names.length > 0 ? names.join(", ") : undefined;
}
