/**
 * Renders the examples of the CommonMark suite in the page, each at once and in pieces of three units, and
 * counts those whose elements and text are the suite's. Elements that only decorate, such as the frame of a
 * code block, do not count, nor does whitespace; raw HTML may be shown as text.
 */
import commonmarkSpec from "commonmark-spec";
import createMarkdownIt from "markdown-it";

/** Returns the examples with the accepted HTML. */
export function examples() {
  const withHtml = createMarkdownIt("commonmark");
  const asText = createMarkdownIt("commonmark", { html: false });
  return commonmarkSpec.tests.map(({ markdown, html, section }) => {
    const text = markdown.replaceAll("→", "\t");
    const isRaw = withHtml.render(text) !== asText.render(text);
    return { text, section, wanted: isRaw ? [html, asText.render(text)] : [html] };
  });
}

/** Runs in the page, which has `start`; returns the numbers of correct examples, and the sections of the others. */
export async function countCorrect(all) {
  const KEPT = new Set(
    "P UL OL LI BLOCKQUOTE PRE CODE H1 H2 H3 H4 H5 H6 HR EM STRONG A BR".split(" "),
  );
  /** Links of Core Chat that cannot be followed, and of Streamdown, which asks first. */
  const LINK = [".refused-link", '[data-streamdown="link"]'];
  const DECORATION = new Set("BUTTON SVG STYLE SCRIPT".split(" "));
  const textOf = (node) => (node.textContent ?? "").replaceAll(/\s+/g, "");
  const shapeOf = (node) => {
    if (node instanceof Text) return textOf(node);
    if (!(node instanceof Element)) return [...node.childNodes].map(shapeOf).join("");
    const tag = LINK.some((link) => node.matches(link)) ? "A" : node.tagName.toUpperCase();
    if (node.matches(".image-source")) {
      return (/^!\[(.*)\]\(/s.exec(node.textContent)?.[1] ?? "").replaceAll(/\s+/g, "");
    }
    if (DECORATION.has(tag) || node.matches(".code-header")) return "";
    if (tag === "IMG") return (node.getAttribute("alt") ?? "").replaceAll(/\s+/g, "");
    if (tag === "PRE") return `<PRE>${textOf(node.querySelector("code") ?? node)}</PRE>`;
    const inner = [...node.childNodes].map(shapeOf).join("");
    if (!KEPT.has(tag)) return inner;
    const start = tag === "OL" ? ` ${node.getAttribute("start") ?? "1"}` : "";
    return `<${tag}${start}>${inner}</${tag}>`;
  };
  const wantedOf = (html) => shapeOf(new DOMParser().parseFromString(html, "text/html").body);
  const correct = {};
  const missed = new Map();
  for (const [way, length] of [
    ["atOnce", Infinity],
    ["inPieces", 3],
  ]) {
    const containers = [];
    for (const { text } of all) {
      const container = document.createElement("div");
      document.body.append(container);
      containers.push(container);
      try {
        const reply = globalThis.start(container);
        for (let at = 0; at < text.length; at += length) {
          reply.append(text.slice(at, at + length));
          if (length !== Infinity && at % 30 === 0) await new Promise(requestAnimationFrame);
        }
        await reply.end();
      } catch {
        container.textContent = "failed";
      }
    }
    // Some renderers load code and formulas late.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const isCorrect = ({ wanted }, index) =>
      wanted.some((html) => wantedOf(html) === shapeOf(containers[index]));
    correct[way] = all.filter(isCorrect).length;
    if (length !== Infinity) {
      for (const [index, example] of all.entries()) {
        if (isCorrect(example, index)) continue;
        missed.set(example.section, (missed.get(example.section) ?? 0) + 1);
      }
    }
    for (const container of containers) container.remove();
  }
  const sections = [...missed].sort(([, one], [, other]) => other - one).slice(0, 5);
  return { ...correct, all: all.length, sections };
}
