/**
 * Replaces the coordinates in a rendered reply by buttons with their letters. Owns the buttons only; the
 * renderer owns all other nodes, so its text nodes stay in the document.
 */
import { t } from "@vscode/l10n";
import { pointLetter } from "../../pointing/namedPoints";
import { keyOf, type PlacedPoint, type PlacedPoints } from "../../pointing/placePointing";
import { PointingReader, writtenPoints } from "../../pointing/readPointing";
import { FINAL_CLASS } from "../state/replyText";
import { textNodes } from "../ui/textNodes";

/** Classes of the button of a mark, and of the list that is read for a hidden code block. */
const MARK_CLASS = "point-mark";
const LIST_CLASS = "listed-points";

/** Button of a code block. */
const APPLY = "apply-in-editor";

/** Elements whose text is no prose. */
const EXCLUDED = `pre, a, button, math, .math, .${MARK_CLASS}, .${LIST_CLASS}`;

/** Languages of code blocks whose entries can be listed instead. */
const DATA_LANGUAGE = /^(?:|json|jsonc|json5)$/i;

/**
 * Marks a reply once the renderer has finished it. Nothing is inserted while it streams: the renderer
 * sanitizes its elements when it finishes them.
 */
export class PointMarks {
  private readonly observer: MutationObserver;
  private placed: PlacedPoints | undefined;

  /** @param onListed called with true if a code block is hidden, because the list of marks shows it */
  constructor(
    private readonly body: HTMLElement,
    private readonly onListed: (isAnyListed: boolean) => void,
  ) {
    this.observer = new MutationObserver(() => this.mark());
    this.observer.observe(body, { attributes: true, attributeFilter: ["class"] });
  }

  update(placed: PlacedPoints): void {
    this.placed = placed;
    this.mark();
  }

  /** Shows which position is meant. */
  light(number: number | undefined): void {
    for (const mark of this.body.querySelectorAll<HTMLElement>(`.${MARK_CLASS}`)) {
      mark.classList.toggle("is-lit", Number(mark.dataset["point"]) === number);
    }
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private mark(): void {
    const { placed, body } = this;
    if (placed === undefined || !body.classList.contains(FINAL_CLASS)) return;
    this.restoreChanged(placed);
    for (const text of textNodes(body, EXCLUDED)) markText(text, placed.numbers);
    for (const block of body.querySelectorAll<HTMLElement>(".code-block")) {
      listCodeBlock(block, placed);
    }
    this.onListed(body.querySelector(".has-points") !== null);
  }

  /** Turns marks of coordinates that no longer count into text again. */
  private restoreChanged({ numbers }: PlacedPoints): void {
    let isChanged = false;
    for (const mark of this.body.querySelectorAll<HTMLElement>(`.${MARK_CLASS}[data-key]`)) {
      if (String(numbers.get(mark.dataset["key"] ?? "")) === mark.dataset["point"]) continue;
      isChanged = true;
      mark.replaceWith(mark.dataset["source"] ?? "");
    }
    if (isChanged) this.body.normalize();
  }
}

/** Reads a code block; hides it if it holds nothing but marks, for which it gets a list that is copied. */
function listCodeBlock(block: HTMLElement, { numbers, keys }: PlacedPoints): void {
  const language = block.querySelector(".code-language")?.textContent ?? "";
  const code = block.querySelector("pre");
  if (code === null || !DATA_LANGUAGE.test(language)) return;
  const points = new PointingReader().append(`\`\`\`json\n${code.textContent}\n\`\`\`\n`);
  const ofPicture = points.filter((point) => keys.has(keyOf(point.numbers)));
  const isListed = points.length > 0 && ofPicture.length === points.length;
  block.classList.toggle("has-points", isListed);
  // Marks are no code that could be applied to a file.
  const apply = block.querySelector<HTMLButtonElement>(`[data-code-action=${APPLY}]`);
  if (apply) apply.disabled = apply.hidden = isListed;
  const entries = points.map(({ numbers: coordinates, label }) => {
    const number = numbers.get(keyOf(coordinates));
    return number === undefined ? label : pointName({ number, label });
  });
  updateList(block, code, isListed ? entries : []);
}

export function pointName({ number, label }: Pick<PlacedPoint, "number" | "label">): string {
  return label === "" ? pointLetter(number) : `${pointLetter(number)} ${label}`;
}

/** Returns the number of the mark at `target`; undefined elsewhere. */
export function pointAt(target: EventTarget | null): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const number = Number(target.closest<HTMLElement>(`.${MARK_CLASS}`)?.dataset["point"] ?? NaN);
  return Number.isInteger(number) ? number : undefined;
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
  button.textContent = pointLetter(number);
  button.setAttribute("aria-label", t("Show mark {0}", pointLetter(number)));
  return button;
}

/** Puts these entries before the code; none for no entries. */
function updateList(block: Element, code: Element, entries: readonly string[]): void {
  block.querySelector(`.${LIST_CLASS}`)?.remove();
  if (entries.length === 0) return;
  const list = document.createElement("ul");
  list.className = LIST_CLASS;
  list.append(
    ...entries.map((entry) => {
      const item = document.createElement("li");
      item.textContent = entry;
      return item;
    }),
  );
  code.before(list);
}
