/** Line that states what of a reply is not drawn, with a button that opens the text. */
import { makeElement } from "./dom";

/** Texts for what is not drawn. */
export interface RestLabels {
  readonly undrawnLines: (count: number) => string;
  /** For text that is shown without formatting. */
  readonly plain: string;
  /** Name of the button. */
  readonly open: string;
}

export interface RestOptions {
  /** Texts for what is not drawn; English by default. */
  readonly restLabels?: RestLabels;
  /** Opens the text of the reply. Without it there is no button next to what is not drawn. */
  readonly onOpenText?: () => void;
}

const ENGLISH: RestLabels = {
  undrawnLines: (count) => `${count} more lines are not shown.`,
  plain: "The rest of this reply is shown without formatting.",
  open: "Open as text",
};

export class RestNote {
  readonly element: HTMLElement;
  private readonly sentence: HTMLElement;
  private readonly labels: RestLabels;

  constructor(document: Document, options: RestOptions) {
    const { onOpenText, restLabels = ENGLISH } = options;
    this.labels = restLabels;
    this.element = makeElement(document, "div", { class: "rest-note" });
    this.sentence = makeElement(document, "span");
    this.element.append(this.sentence);
    if (onOpenText === undefined) return;
    const button = makeElement(document, "button", { type: "button" });
    button.textContent = restLabels.open;
    button.addEventListener("click", onOpenText);
    this.element.append(" ", button);
  }

  show(text: (labels: RestLabels) => string): void {
    const sentence = text(this.labels);
    if (this.sentence.textContent !== sentence) this.sentence.textContent = sentence;
  }
}
