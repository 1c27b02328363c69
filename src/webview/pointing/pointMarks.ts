/**
 * Replaces the coordinates in a rendered reply by buttons with their numbers. Owns the buttons only; the
 * renderer owns all other nodes, so its text nodes stay in the document.
 */
import { t } from "@vscode/l10n";
import { keyOf, type PlacedPoint, type PlacedPoints } from "../../pointing/placePointing";
import { PointingReader, writtenPoints } from "../../pointing/readPointing";
import { FINAL_CLASS } from "../state/replyText";

/** Classes of the button of a position, and of the list that replaces a code block. */
const MARK_CLASS = "point-mark";
const LIST_CLASS = "point-list";

/** Elements whose text is no prose. */
const EXCLUDED = `pre, a, button, math, .math, .${MARK_CLASS}, .${LIST_CLASS}`;

/** Blocks at the end that may still change until the renderer has finished. */
const OPEN_BLOCKS = 2;

/** Languages of code blocks whose entries can be listed instead. */
const DATA_LANGUAGE = /^(?:|json|jsonc|json5)$/i;

export class PointMarks {
  private readonly marked = new WeakSet<Element>();
  /** State in which each code block was read last. */
  private readonly codeBlocks = new WeakMap<
    Element,
    { readonly numbers: PlacedPoints["numbers"]; readonly isFinal: boolean }
  >();
  private readonly observer: MutationObserver;
  private readonly finalObserver: MutationObserver;
  private placed: PlacedPoints | undefined;

  constructor(private readonly body: HTMLElement) {
    this.observer = new MutationObserver(() => this.markNew());
    this.observer.observe(body, { childList: true, subtree: true, characterData: true });
    this.finalObserver = new MutationObserver(() => this.markNew());
    this.finalObserver.observe(body, { attributes: true, attributeFilter: ["class"] });
  }

  update(placed: PlacedPoints): void {
    this.placed = placed;
    this.restoreChanged();
    this.markNew();
  }

  /** Shows which position is meant. */
  light(number: number | undefined): void {
    for (const mark of this.body.querySelectorAll<HTMLElement>(`.${MARK_CLASS}`)) {
      mark.classList.toggle("is-lit", Number(mark.dataset["point"]) === number);
    }
  }

  dispose(): void {
    this.observer.disconnect();
    this.finalObserver.disconnect();
  }

  private get isFinal(): boolean {
    return this.body.classList.contains(FINAL_CLASS);
  }

  /** Turns marks of coordinates that no longer count into text again. */
  private restoreChanged(): void {
    let isChanged = false;
    for (const mark of this.body.querySelectorAll<HTMLElement>(`.${MARK_CLASS}[data-key]`)) {
      const number = this.placed?.numbers.get(mark.dataset["key"] ?? "");
      if (String(number) === mark.dataset["point"]) continue;
      isChanged = true;
      mark.replaceWith(mark.dataset["source"] ?? "");
    }
    if (isChanged) this.body.normalize();
    // Blocks that were read before a scale or picture was chosen are read again.
    const count = this.placed?.numbers.size ?? 0;
    if (isChanged || (this.isFinal && count > 0)) this.marked.delete(this.body);
  }

  private markNew(): void {
    const { placed, body } = this;
    if (placed === undefined || body.classList.contains("is-plain")) return;
    this.listCodeBlocks(placed);
    const blocks = [...body.children];
    const { isFinal } = this;
    const finished = isFinal ? blocks : blocks.slice(0, -OPEN_BLOCKS);
    const isAgain = isFinal && !this.marked.has(body);
    for (const block of finished) {
      if (this.marked.has(block) && !isAgain) continue;
      this.marked.add(block);
      markTexts(block, placed.numbers);
    }
    if (isFinal) this.marked.add(body);
    // Own changes are no reason to look again.
    this.observer.takeRecords();
  }

  /** Shows the entries of a code block that holds nothing but positions as a list. */
  private listCodeBlocks(placed: PlacedPoints): void {
    for (const block of this.body.querySelectorAll<HTMLElement>(".code-block")) {
      const isFinal = this.isFinal || block.querySelector(".code-actions > *") !== null;
      const state = this.codeBlocks.get(block);
      // The text is read again only for a new position, so that the total cost stays linear.
      if (state?.numbers === placed.numbers && state.isFinal === isFinal) continue;
      this.codeBlocks.set(block, { numbers: placed.numbers, isFinal });
      listCodeBlock(block, placed.numbers);
    }
  }
}

/** Reads a code block; shows its positions as a list if it holds nothing else. */
function listCodeBlock(block: HTMLElement, numbers: ReadonlyMap<string, number>): void {
  const language = block.querySelector(".code-language")?.textContent ?? "";
  const code = block.querySelector("pre");
  if (code === null || !DATA_LANGUAGE.test(language)) return;
  const found = new PointingReader().append(`\`\`\`json\n${code.textContent}\n\`\`\`\n`);
  const entries = found.flatMap(({ numbers: coordinates, label }) => {
    const number = numbers.get(keyOf(coordinates));
    return number === undefined ? [] : [{ number, label }];
  });
  const isListed = entries.length > 0 && entries.length === found.length;
  block.classList.toggle("has-points", isListed);
  updateList(block, code, isListed ? entries : []);
  addSourceToggle(block, isListed);
}

/** Returns the name of a position: its number and label. */
export function pointName({ number, label }: Pick<PlacedPoint, "number" | "label">): string {
  return label === "" ? String(number) : `${number} ${label}`;
}

/** Returns the number of the mark at `target`; undefined elsewhere. */
export function pointAt(target: EventTarget | null): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const number = Number(target.closest<HTMLElement>(`.${MARK_CLASS}`)?.dataset["point"] ?? NaN);
  return Number.isInteger(number) ? number : undefined;
}

function markTexts(block: Element, numbers: ReadonlyMap<string, number>): void {
  const walker = block.ownerDocument.createTreeWalker(
    block,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) =>
      !(node instanceof Element)
        ? NodeFilter.FILTER_ACCEPT
        : node.matches(EXCLUDED)
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_SKIP,
  );
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) texts.push(node);
  }
  for (const text of texts) markText(text, numbers);
}

function markText(text: Text, numbers: ReadonlyMap<string, number>): void {
  // Backwards, so that the offsets of earlier coordinates stay valid.
  for (const { start, end, lists, label } of writtenPoints(text.data).reverse()) {
    const marks = lists.flatMap((list) => {
      const number = numbers.get(keyOf(list));
      return number === undefined ? [] : [{ key: keyOf(list), number }];
    });
    if (marks.length === 0 || marks.length < lists.length) continue;
    const written = text.splitText(start);
    written.splitText(end - start);
    const buttons = marks.map(({ key, number }, index) => {
      const button = markButton(number);
      button.dataset["key"] = key;
      button.dataset["source"] = index === 0 ? written.data : "";
      return button;
    });
    written.replaceWith(...(label === "" ? [] : [`${label} `]), ...buttons);
  }
}

function markButton(number: number): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = MARK_CLASS;
  button.dataset["point"] = String(number);
  button.textContent = String(number);
  button.setAttribute("aria-label", t("Show position {0}", number));
  return button;
}

/** Changes the list before the code to these entries; items that stay are kept. */
function updateList(
  block: Element,
  code: Element,
  entries: readonly Pick<PlacedPoint, "number" | "label">[],
): void {
  let list = block.querySelector<HTMLElement>(`.${LIST_CLASS}`);
  if (entries.length === 0) {
    list?.remove();
    return;
  }
  if (list === null) {
    list = document.createElement("ul");
    list.className = LIST_CLASS;
    code.before(list);
  }
  const items = [...list.children];
  for (const [index, { number, label }] of entries.entries()) {
    const text = `${number} ${label}`;
    const item = items[index];
    if (item?.textContent === text) continue;
    const made = document.createElement("li");
    made.append(markButton(number), ` ${label}`);
    if (item) item.replaceWith(made);
    else list.append(made);
  }
  for (const item of items.slice(entries.length)) item.remove();
}

/** Adds the button that shows the code; the click is handled with the block's other buttons. */
function addSourceToggle(block: Element, isListed: boolean): void {
  const actions = block.querySelector(".code-actions");
  const toggle = actions?.querySelector("[data-code-action=source]");
  if (!isListed) toggle?.remove();
  else if (actions && actions.childElementCount > 0 && !toggle) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "icon-button";
    button.dataset["codeAction"] = "source";
    button.title = t("Show source");
    button.tabIndex = -1;
    button.setAttribute("aria-pressed", "false");
    const icon = document.createElement("span");
    icon.className = "codicon codicon-code";
    icon.setAttribute("aria-hidden", "true");
    button.append(icon);
    actions.lastElementChild?.before(button);
  }
}
