/**
 * The text of one reply as it grows, outside the components: a token goes from here straight to
 * the Markdown driver and re-renders nothing.
 */
import { Emitter } from "../../base/event";

/** What happened to the text. */
export type ReplyTextChange =
  | { readonly kind: "appended"; readonly text: string }
  /** It is another text now; `whole` gives it. */
  | { readonly kind: "replaced" };

/** One reply's text; offsets are in UTF-16 units. */
export class ReplyText {
  private readonly changes = new Emitter<ReplyTextChange>();
  readonly onChanged = this.changes.event;

  constructor(private value: string) {}

  get whole(): string {
    return this.value;
  }

  /** Adds text that stands at `offset`; false when it does not stand at the end. */
  appendAt(offset: number, text: string): boolean {
    if (offset !== this.value.length) return false;
    this.append(text);
    return true;
  }

  /** Makes it this text; what is already there of it stays untouched. */
  become(text: string): void {
    if (text.startsWith(this.value)) {
      this.append(text.slice(this.value.length));
      return;
    }
    this.value = text;
    this.changes.fire({ kind: "replaced" });
  }

  private append(text: string): void {
    if (text === "") return;
    this.value += text;
    this.changes.fire({ kind: "appended", text });
  }
}
