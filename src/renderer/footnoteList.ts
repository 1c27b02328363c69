/** The list of footnotes at the end of a reply; a footnote is in it from its first letter on. */
import { make } from "./dom";

/** The list and what surrounds it; nothing of it is there before the first footnote. */
export class FootnoteList {
  /** The element at the end of the reply. */
  section: Element | undefined;

  constructor(readonly container: HTMLElement) {}

  /** Adds a footnote that begins. */
  add(item: Element): void {
    const page = this.container.ownerDocument;
    if (this.section === undefined) {
      this.section = make(page, "div", { class: "footnotes" });
      this.section.append(make(page, "ol"));
      this.container.append(this.section);
    }
    this.section.firstElementChild?.append(item);
  }

  /** Removes one that turned out to be something else, or whose label is taken. */
  remove(item: Element): void {
    item.remove();
    if (this.section?.firstElementChild?.childElementCount !== 0) return;
    this.section.remove();
    this.section = undefined;
  }
}
