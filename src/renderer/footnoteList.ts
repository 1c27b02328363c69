/** List of footnotes at the end of a reply. It contains a footnote from its first character on. */
import { make } from "./dom";

export class FootnoteList {
  /** Element at the end of the reply; undefined without footnotes. */
  section: Element | undefined;

  constructor(readonly container: HTMLElement) {}

  /** Adds the element of a new footnote. */
  add(item: Element): void {
    const page = this.container.ownerDocument;
    if (this.section === undefined) {
      this.section = make(page, "div", { class: "footnotes" });
      this.section.append(make(page, "ol"));
      this.container.append(this.section);
    }
    this.section.firstElementChild?.append(item);
  }

  /** Removes a footnote that turned out to be something else, or whose label is already defined. */
  remove(item: Element): void {
    item.remove();
    if (this.section?.firstElementChild?.childElementCount !== 0) return;
    this.section.remove();
    this.section = undefined;
  }
}
