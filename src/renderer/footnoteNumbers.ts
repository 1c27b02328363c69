/**
 * Numbers footnotes in the order of their first references, in the text first and then in the
 * footnotes; footnotes without a reference come last. Runs again for each new footnote, because a
 * late one may be referred to first.
 */
import { makeElement } from "./dom";
import type { RenderContext } from "./renderContext";

/** Writes the numbers into references and ids, and sorts the list. */
export function numberFootnotes(context: RenderContext, container: HTMLElement): void {
  context.hasNewFootnotes = false;
  const { section } = context.footnotes;
  const list = section?.firstElementChild;
  if (
    section === undefined ||
    list === null ||
    list === undefined ||
    context.footnoteElements.size === 0
  )
    return;
  const prefix = context.options.idPrefix ?? "";

  const numbers = new Map<string, number>();
  const visit = (references: Iterable<Element>) => {
    for (const reference of references) {
      const label = reference.getAttribute("data-footnote") ?? "";
      if (!context.footnoteElements.has(label)) continue;
      const isFirst = !numbers.has(label);
      const number = numbers.get(label) ?? numbers.size + 1;
      numbers.set(label, number);
      writeReference(
        context,
        reference,
        number,
        `${prefix}fn-${number}`,
        isFirst ? `${prefix}fnref-${number}` : "",
      );
    }
  };
  visit(
    [...container.querySelectorAll("sup.footnote-reference")].filter(
      (reference) => !section.contains(reference),
    ),
  );
  const visited = new Set<string>();
  const visitFootnotes = () => {
    // `numbers` grows during the loop: footnotes that footnotes refer to are visited too.
    for (const label of numbers.keys()) {
      if (visited.has(label)) continue;
      visited.add(label);
      visit(context.footnoteElements.get(label)?.querySelectorAll("sup.footnote-reference") ?? []);
    }
  };
  visitFootnotes();
  for (const label of context.footnoteElements.keys()) {
    if (numbers.has(label)) continue;
    numbers.set(label, numbers.size + 1);
    visitFootnotes();
  }

  for (const [label, number] of numbers) {
    const item = context.footnoteElements.get(label);
    if (item === undefined) continue;
    item.setAttribute("id", `${prefix}fn-${number}`);
    if (list.children[number - 1] !== item)
      list.insertBefore(item, list.children[number - 1] ?? null);
  }
}

function writeReference(
  context: RenderContext,
  reference: Element,
  number: number,
  target: string,
  id: string,
): void {
  let link = reference.firstElementChild;
  if (link === null) {
    link = makeElement(context.document, "a", { role: "doc-noteref" });
    reference.append(link);
  }
  link.setAttribute("href", `#${target}`);
  if (id === "") link.removeAttribute("id");
  else link.setAttribute("id", id);
  if (link.textContent !== String(number)) link.textContent = String(number);
}
