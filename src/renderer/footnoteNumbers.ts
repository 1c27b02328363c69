/**
 * Numbers footnotes in the order of their first references, in the text first and then in the
 * footnotes; footnotes without a reference come last. Runs again after new footnotes, because a
 * late one may be referred to first.
 */
import { makeElement } from "./dom";
import type { RenderContext } from "./renderContext";
import { RestNote } from "./restNote";
import { MAX_FOOTNOTES } from "./styles";

/**
 * Writes the numbers into references and ids, and sorts the list, in steps that take far less than a
 * millisecond.
 *
 * @param isEnd true if no footnote follows: references to footnotes that are not drawn show their source
 */
export function* numberFootnotes(
  context: RenderContext,
  container: HTMLElement,
  isEnd: boolean,
): Generator<void, void> {
  context.hasNewFootnotes = false;
  const { footnoteElements, footnotes } = context;
  const list = footnotes.section?.firstElementChild;
  const hasReferences = isEnd && context.hasFootnoteLabels;
  if ((list === null || list === undefined || footnoteElements.size === 0) && !hasReferences)
    return;
  const prefix = context.options.idPrefix ?? "";

  const numbers = new Map<string, number>();
  function* visit(references: Iterable<Element>): Generator<void, void> {
    for (const reference of references) {
      yield;
      const label = reference.getAttribute("data-footnote") ?? "";
      if (!footnoteElements.has(label)) {
        if (isEnd) reference.textContent = `[^${label}]`;
        continue;
      }
      const isFirst = !numbers.has(label);
      const number = numbers.get(label) ?? numbers.size + 1;
      numbers.set(label, number);
      const id = isFirst ? `${prefix}fnref-${number}` : "";
      writeReference(context, reference, number, `${prefix}fn-${number}`, id);
    }
  }
  const all = [...container.querySelectorAll("sup.footnote-reference")];
  yield* visit(all.filter((reference) => footnotes.section?.contains(reference) !== true));
  const visited = new Set<string>();
  function* visitFootnotes(): Generator<void, void> {
    // `numbers` grows during the loop: footnotes that footnotes refer to are visited too.
    for (const label of numbers.keys()) {
      if (visited.has(label)) continue;
      visited.add(label);
      yield* visit(footnoteElements.get(label)?.querySelectorAll("sup.footnote-reference") ?? []);
    }
  }
  yield* visitFootnotes();
  for (const label of footnoteElements.keys()) {
    if (numbers.has(label)) continue;
    numbers.set(label, numbers.size + 1);
    yield* visitFootnotes();
  }
  if (list) yield* sortList(context, list, numbers, prefix);
}

function* sortList(
  context: RenderContext,
  list: Element,
  numbers: ReadonlyMap<string, number>,
  prefix: string,
): Generator<void, void> {
  let next = list.firstElementChild;
  for (const [label, number] of numbers) {
    yield;
    const item = context.footnoteElements.get(label);
    if (item === undefined) continue;
    const id = `${prefix}fn-${number}`;
    if (item.id !== id) item.setAttribute("id", id);
    // Asking for the child at an index would count the children again after each move.
    if (item === next) next = next.nextElementSibling;
    else list.insertBefore(item, next);
  }
  const { footnotes } = context;
  const count = numbers.size - MAX_FOOTNOTES;
  if (count <= 0) {
    footnotes.note?.element.remove();
    footnotes.note = undefined;
    return;
  }
  footnotes.note ??= new RestNote(context.document, context.options);
  footnotes.note.show(({ undrawnFootnotes }) => undrawnFootnotes(count));
  list.after(footnotes.note.element);
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
  const address = `#${target}`;
  if (link.getAttribute("href") !== address) link.setAttribute("href", address);
  if (id === "") link.removeAttribute("id");
  else if (link.id !== id) link.setAttribute("id", id);
  if (link.textContent !== String(number)) link.textContent = String(number);
}
