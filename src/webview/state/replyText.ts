import { Emitter } from "../../base/event";

/** Class of a reply that the renderer has finished: no node changes until the reply is rendered again. */
export const FINAL_CLASS = "is-final";

export type ReplyTextChange =
  | { readonly kind: "appended"; readonly text: string }
  /** Another text, available as `whole`. */
  | { readonly kind: "replaced" };

/**
 * Text of a reply while it streams. New text goes to the Markdown renderer without rendering a
 * component. Offsets are in UTF-16 units.
 */
export class ReplyText {
  private readonly changes = new Emitter<ReplyTextChange>();
  readonly onChanged = this.changes.event;

  constructor(private value: string) {}

  get whole(): string {
    return this.value;
  }

  /** Appends text; false if `offset` is not the current end. */
  appendAt(offset: number, text: string): boolean {
    if (offset !== this.value.length) return false;
    this.append(text);
    return true;
  }

  /** Replaces the text, or appends to it where the new text starts with the old. */
  setText(text: string): void {
    if (text.startsWith(this.value)) {
      this.append(text.slice(this.value.length));
      return;
    }
    this.value = text;
    this.changes.fire({ kind: "replaced" });
  }

  append(text: string): void {
    if (text === "") return;
    this.value += text;
    this.changes.fire({ kind: "appended", text });
  }
}
