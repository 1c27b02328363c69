/**
 * Script of the diagram frame, next to Mermaid. The function is serialized with `toString`, so it
 * uses nothing outside of itself. The frame has an opaque origin and can neither reach nor load
 * anything. Its output is SVG text, without anything that could point outside.
 */

export interface DiagramTheme {
  readonly isDark: boolean;
  /** Colors of the editor around the diagram; Mermaid's own without them. */
  readonly colors?: {
    readonly background: string;
    readonly foreground: string;
    readonly border: string;
    /** Background of shapes. */
    readonly surface: string;
  };
}

type Colors = NonNullable<DiagramTheme["colors"]>;

/** Messages to the frame: Mermaid's script first, then diagrams. */
export type ToFrame =
  | { readonly kind: "program"; readonly text: string }
  | {
      readonly kind: "draw";
      readonly id: number;
      readonly source: string;
      readonly theme: DiagramTheme;
    };

/** Messages from the frame: an image, or a refusal. */
export type FromFrame =
  | { readonly kind: "drawn"; readonly id: number; readonly svg: string }
  | { readonly kind: "refused"; readonly id: number };

interface Mermaid {
  initialize(config: unknown): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

/** @param nonce the page's nonce, for Mermaid's script under the inherited policy */
export function frameProgram(policyName: string, nonce: string): void {
  interface Rules {
    createHTML(text: string): string;
    createScript(text: string): string;
  }
  const scope = globalThis as unknown as {
    trustedTypes?: { createPolicy(name: string, rules: Rules): Rules };
    mermaid?: Mermaid;
    /** Called by the patched Mermaid, see diagramProgram.ts. */
    decodeLabel?: (text: string) => string;
  };
  const unchanged: Rules = { createHTML: (text) => text, createScript: (text) => text };
  const trusted = scope.trustedTypes?.createPolicy(policyName, unchanged) ?? unchanged;
  // The inherited policy forbids strings as markup and inline styles. Nothing can be reached from
  // this frame, so Mermaid's markup is passed on unchanged and its styles through style sheet
  // objects.
  const allowMarkup = (
    target: object,
    name: string,
    at: number,
    prepare: (markup: string) => string = (markup) => markup,
  ) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name);
    if (typeof descriptor?.value === "function") {
      const original = descriptor.value as (...args: unknown[]) => unknown;
      Object.defineProperty(target, name, {
        ...descriptor,
        value(this: unknown, ...args: unknown[]) {
          if (typeof args[at] === "string") args[at] = trusted.createHTML(prepare(args[at]));
          return original.apply(this, args);
        },
      });
    } else if (descriptor?.set !== undefined) {
      Object.defineProperty(target, name, {
        ...descriptor,
        set(this: Element, value: unknown) {
          descriptor.set?.call(this, trusted.createHTML(String(value)));
          if (this.localName === "style") showStyle(String(value));
        },
      });
    }
  };
  /** Tags allowed in a label; any other "<" is text, such as in "a<b" or "List<String>". */
  const labelTag =
    /<(?!\/?(?:br|b|i|u|s|em|strong|code|sub|sup|span|p|div|small)(?:\s[^<>]*)?\/?>)/gi;
  // DOMPurify parses labels with this function, and the finished image.
  const escapeText = (markup: string) =>
    markup.startsWith("<svg") ? markup : markup.replace(labelTag, "&lt;");
  if (scope.trustedTypes !== undefined) {
    // DOMPurify would create its own policy, which the page's policy refuses with an error.
    const createHTML = (markup: string) => trusted.createHTML(escapeText(markup));
    scope.trustedTypes.createPolicy = () => ({ ...unchanged, createHTML });
  }
  const resolver = document.createElement("textarea");
  const decodeLabel = (text: string) =>
    text.replace(/&(?:[a-z]\w{1,30}|#\d{1,7});/gi, (reference) => {
      resolver.innerHTML = trusted.createHTML(reference);
      return resolver.value;
    });
  scope.decodeLabel = decodeLabel;

  const showStyle = (css: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [layoutSheet, sheet];
  };
  // Some kinds of diagram fill the available width.
  const layoutSheet = new CSSStyleSheet();
  layoutSheet.replaceSync("body { width: 800px; margin: 0; }");
  document.adoptedStyleSheets = [layoutSheet];
  allowMarkup(Element.prototype, "innerHTML", 0);
  allowMarkup(Element.prototype, "outerHTML", 0);
  allowMarkup(Element.prototype, "insertAdjacentHTML", 1);
  allowMarkup(DOMParser.prototype, "parseFromString", 0, escapeText);
  allowMarkup(Range.prototype, "createContextualFragment", 0);
  // Called with the element as `this`, so the method of the prototype is needed.
  const { setAttribute } = Element.prototype as { setAttribute: (...args: unknown[]) => void };
  Element.prototype.setAttribute = function (this: SVGElement, name: string, value: string) {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };

  /** HTML elements allowed in labels; others are removed. */
  const labelParts = new Set(
    "div,span,p,br,b,i,em,strong,code,s,u,sub,sup,pre,li,ul,ol".split(","),
  );
  const pointsOutside = (css: string) =>
    /@import|expression|url\s*\(\s*(?!["']?#)/i.test(css.replace(/\\/g, ""));

  const clean = (element: Element) => {
    for (const part of [...element.querySelectorAll("*")]) {
      const isHtml = part.namespaceURI === "http://www.w3.org/1999/xhtml";
      const isAllowed = isHtml
        ? labelParts.has(part.localName)
        : !/^(script|image|feimage|iframe|set|animate.*|handler|audio|video)$/i.test(
            part.localName,
          );
      if (!isAllowed || (part.localName === "style" && pointsOutside(part.textContent))) {
        part.remove();
        continue;
      }
      for (const { name, value } of [...part.attributes]) {
        const isReference = /^(xlink:)?href$|^src$|^action$/i.test(name);
        const isBad = isReference ? !value.startsWith("#") : pointsOutside(value);
        if (isBad || /^on/i.test(name)) part.removeAttribute(name);
      }
    }
  };

  const slices = ["#3f6d9e", "#4a8a41", "#95628a", "#b0562f", "#3a7f7b", "#a13d57", "#7d6a1e"];
  const pie = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`pie${at + 1}`, slices[at % slices.length]]),
  );

  /** Variables of Mermaid's theme "base", which derives the others, by the color of the page. */
  const themeNames: Record<keyof Colors, string> = {
    surface: "mainBkg primaryColor noteBkgColor",
    background: "background secondaryColor tertiaryColor clusterBkg edgeLabelBackground",
    foreground:
      "primaryTextColor secondaryTextColor textColor tertiaryTextColor titleColor noteTextColor lineColor",
    border: "primaryBorderColor nodeBorder clusterBorder noteBorderColor",
  };
  const variablesOf = (colors: Colors) => {
    const variables: Record<string, string> = { ...pie, pieSectionTextColor: "#ffffff" };
    for (const [color, names] of Object.entries(themeNames)) {
      for (const name of names.split(" ")) variables[name] = colors[color as keyof Colors];
    }
    return variables;
  };

  const draw = async (
    mermaid: Mermaid,
    source: string,
    { isDark, colors }: DiagramTheme,
  ): Promise<string> => {
    const labels = { htmlLabels: false, useMaxWidth: false };
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true,
      theme: colors ? "base" : isDark ? "dark" : "default",
      darkMode: isDark,
      // Mermaid's default slices are almost black in its dark theme.
      ...(colors ? { themeVariables: variablesOf(colors) } : isDark && { themeVariables: pie }),
      fontFamily: "system-ui, sans-serif",
      logLevel: "fatal",
      deterministicIds: true,
      maxTextSize: 20_000,
      maxEdges: 400,
      ...labels,
      flowchart: labels,
      // Settings that a diagram's directives cannot change.
      secure: [
        ...["secure", "securityLevel", "startOnLoad", "maxTextSize", "suppressErrorRendering"],
        ...["maxEdges", "htmlLabels", "themeCSS", "fontFamily", "altFontFamily", "dompurifyConfig"],
      ],
    });
    const { svg } = await mermaid.render("diagram", source);
    const holder = document.implementation.createHTMLDocument().body;
    holder.innerHTML = svg;
    const image = holder.querySelector("svg");
    if (image === null) throw new Error("no image");
    clean(holder);
    // Titles still contain the references that the escaping of labels wrote.
    for (const part of image.querySelectorAll("text, tspan")) {
      if (part.childElementCount === 0) part.textContent = decodeLabel(part.textContent);
    }
    // An image needs an explicit size.
    const { width, height } = image.viewBox.baseVal;
    if (!(width > 0 && height > 0)) throw new Error("no size");
    image.setAttribute("width", String(Math.ceil(width)));
    image.setAttribute("height", String(Math.ceil(height)));
    image.style.maxWidth = "";
    return new XMLSerializer().serializeToString(image);
  };

  addEventListener("message", ({ ports: [port] }) => {
    if (port === undefined) return;
    // The page sends one diagram at a time: Mermaid's configuration is global.
    port.onmessage = async ({ data }: MessageEvent<ToFrame>) => {
      if (data.kind === "program") {
        const script = document.createElement("script");
        script.nonce = nonce;
        script.text = trusted.createScript(data.text);
        document.head.append(script);
        return;
      }
      const { id, source, theme } = data;
      const { mermaid } = scope;
      let answer: FromFrame = { kind: "refused", id };
      try {
        if (mermaid !== undefined) {
          answer = { kind: "drawn", id, svg: await draw(mermaid, source, theme) };
        }
      } catch {
        // Not a valid diagram: the page shows the source.
      }
      document.body.replaceChildren();
      port.postMessage(answer);
    };
  });
}
