/**
 * Shows Mermaid code blocks as images, so that no diagram runs in the page. The source stays below;
 * the app's style sheet selects which of the two is visible. Images follow the change between light
 * and dark themes.
 */
import { makeElement } from "../dom";
import { DiagramFrame } from "./diagramFrame";
import type { DiagramTheme } from "./frameProgram";
import { quotedLabels } from "./quotedLabels";

/** Maximum length of a drawn source, in UTF-16 units. */
const MAX_SOURCE_LENGTH = 20_000;

/** Time limit of a drawing, in milliseconds. */
const DRAW_TIMEOUT_MS = 30_000;

/** Number of cached images, for replies that are rendered again. */
const MAX_IMAGES = 40;

/** Scale below which a flowchart's text would be too small to read. */
const SMALLEST_SCALE = 0.8;

/** Matches the direction of a flowchart that is drawn sideways. */
const SIDEWAYS = /^([^\S\n]{0,80}(?:flowchart|graph)[^\S\n]{1,80})(?:LR|RL)\b/m;

/** Class of a code block with a diagram. */
const DRAWN_CLASS = "has-diagram";

/** Texts of diagrams; English by default. */
export interface DiagramLabels {
  /** Accessible name of the image. */
  readonly image: string;
  readonly failed: string;
}

const ENGLISH: DiagramLabels = {
  image: "Diagram",
  failed: "This diagram could not be drawn. Show its source, or ask for a corrected diagram.",
};

class Diagrams {
  private readonly frame: DiagramFrame;
  /** Images by theme kind and source, least recently used first. */
  private readonly images = new Map<string, Promise<string | undefined>>();

  constructor(readonly document: Document) {
    this.frame = new DiagramFrame(document);
    const view = document.defaultView ?? window;
    let before = themeOf(document);
    const redrawIfThemeChanged = () => {
      const theme = themeOf(document);
      if (keyOf(theme) === keyOf(before)) return;
      before = theme;
      for (const block of document.querySelectorAll(`.${DRAWN_CLASS}`)) void this.redraw(block);
    };
    const observer = new view.MutationObserver(redrawIfThemeChanged);
    observer.observe(document.body, { attributeFilter: ["class"] });
    // VS Code writes the colors of a theme into this attribute.
    observer.observe(document.documentElement, { attributeFilter: ["style"] });
  }

  async draw(block: Element, labels: DiagramLabels): Promise<void> {
    this.show(block, await this.imageOf(block), labels);
  }

  private show(block: Element, svg: string | undefined, labels: DiagramLabels): void {
    if (svg === undefined) {
      const notice = makeElement(this.document, "p", { class: "diagram-failed" });
      notice.textContent = labels.failed;
      block.insertBefore(notice, block.querySelector("pre"));
      return;
    }
    const [kind = ""] = /\b[a-z]\w*/i.exec(sourceOf(block)) ?? [];
    const scroller = makeElement(this.document, "div", {
      class: "diagram-container",
      tabindex: "0",
      role: "group",
      "aria-label": `${labels.image}: ${kind}`,
    });
    const src = dataUrl(svg);
    scroller.append(
      makeElement(this.document, "img", { class: "diagram", alt: labels.image, src }),
    );
    const pre = block.querySelector("pre");
    const hasFocus = pre !== null && pre === this.document.activeElement;
    block.insertBefore(scroller, pre);
    block.classList.add(DRAWN_CLASS);
    if (hasFocus) scroller.focus();
  }

  private async redraw(block: Element): Promise<void> {
    const svg = await this.imageOf(block);
    if (svg !== undefined) block.querySelector("img.diagram")?.setAttribute("src", dataUrl(svg));
  }

  /** Returns the image of a block, from top to bottom if a flowchart is too wide for the panel. */
  private async imageOf(block: Element): Promise<string | undefined> {
    const source = sourceOf(block);
    const svg = await this.image(source).catch(() => undefined);
    const upright = source.replace(SIDEWAYS, "$1TB");
    const fits = svg === undefined || widthOf(svg) * SMALLEST_SCALE <= block.clientWidth;
    if (fits || upright === source) return svg;
    return (await this.image(upright).catch(() => undefined)) ?? svg;
  }

  private async drawOrRepair(source: string, theme: DiagramTheme): Promise<string | undefined> {
    const svg = await this.frame.draw(source, theme, DRAW_TIMEOUT_MS);
    const repaired = svg === undefined ? quotedLabels(source) : source;
    return repaired === source ? svg : this.frame.draw(repaired, theme, DRAW_TIMEOUT_MS);
  }

  /** Returns a cached image or draws it; what failed for lack of time is not cached. */
  private image(source: string): Promise<string | undefined> {
    if (source.length > MAX_SOURCE_LENGTH) return Promise.resolve(undefined);
    const theme = themeOf(this.document);
    const key = `${keyOf(theme)} ${source}`;
    const image = this.images.get(key) ?? this.drawOrRepair(source, theme);
    image.catch(() => {
      if (this.images.get(key) === image) this.images.delete(key);
    });
    this.images.delete(key);
    this.images.set(key, image);
    for (const oldest of this.images.keys()) {
      if (this.images.size <= MAX_IMAGES) break;
      this.images.delete(oldest);
    }
    return image;
  }
}

const diagramsByDocument = new WeakMap<Document, Diagrams>();

/** Shows a finished code block as a diagram, or a notice if it cannot be drawn. */
export function drawDiagram(block: Element, labels: DiagramLabels = ENGLISH): Promise<void> {
  const document = block.ownerDocument;
  let diagrams = diagramsByDocument.get(document);
  if (diagrams === undefined) {
    diagrams = new Diagrams(document);
    diagramsByDocument.set(document, diagrams);
  }
  return diagrams.draw(block, labels);
}

function sourceOf(block: Element): string {
  return block.querySelector("code")?.textContent ?? "";
}

/** Returns the width in CSS pixels that frameProgram.ts wrote into the image. */
function widthOf(svg: string): number {
  return Number(/^<svg[^>]*?\swidth="(\d+)"/.exec(svg)?.[1] ?? 0);
}

function dataUrl(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** Returns the colors of VS Code's theme; without them Mermaid's own are used. */
function themeOf(document: Document): DiagramTheme {
  const style = document.defaultView?.getComputedStyle(document.body);
  const color = (...names: readonly string[]) =>
    names
      .map((name) => style?.getPropertyValue(`--vscode-${name}`).trim() ?? "")
      .find((value) => COLOR.test(value));
  const background = color("editor-background");
  const foreground = color("editor-foreground");
  const border = color("contrastBorder", "editorLineNumber-foreground", "editor-foreground");
  const surface = color("editorWidget-background", "sideBar-background", "editor-background");
  const isComplete = background && foreground && border && surface;
  return {
    isDark: isDark(document),
    ...(isComplete && { colors: { background, foreground, border, surface } }),
  };
}

/** Opaque colors only: Mermaid derives others from them. */
const COLOR = /^(?:#[0-9a-f]{6}|rgb\(\d{1,3}, ?\d{1,3}, ?\d{1,3}\))$/i;

function keyOf({ isDark: dark, colors }: DiagramTheme): string {
  return `${dark} ${Object.values(colors ?? {}).join(" ")}`;
}

/** Checks the theme class of VS Code, or the system's color scheme outside VS Code. */
function isDark(document: Document): boolean {
  const { classList } = document.body;
  if (classList.contains("vscode-dark")) return true;
  if (classList.contains("vscode-high-contrast")) {
    return !classList.contains("vscode-high-contrast-light");
  }
  if (classList.contains("vscode-light")) return false;
  return document.defaultView?.matchMedia("(prefers-color-scheme: dark)").matches ?? false;
}
