import { signal } from "@preact/signals";

/** Position in the shown conversation: a message, or a part of the message. */
export interface Place {
  readonly messageId: string;
  /** `index` is 0-based, among the parts of this kind in the message. */
  readonly part?: { readonly kind: "code" | "heading" | "picture"; readonly index: number };
}

/** Keys that move through the conversation. */
export type NavigationStep =
  "previous-question" | "next-question" | "previous-code-block" | "next-code-block";

/** The transcript, which scrolls to places. */
export interface Jumps {
  /**
   * Scrolls to a place, also in a message that has no elements yet.
   * @param takesFocus false for a preview of the place
   */
  show(place: Place, takesFocus: boolean): Promise<void>;
  step(step: NavigationStep): Promise<void>;
  /** Remembers the scroll position; the returned function goes back to it. */
  savePosition(): () => void;
}

/** Ways through the shown conversation, for the components around the transcript. */
export class Navigation {
  readonly isOutlineOpen = signal(false);
  /** Message that needs elements, to be scrolled to. */
  readonly soughtId = signal<string | undefined>(undefined);
  /** Set by the transcript. */
  jumps: Jumps | undefined;

  openOutline(): void {
    this.isOutlineOpen.value = true;
  }

  closeOutline(): void {
    this.isOutlineOpen.value = false;
  }

  seek(messageId: string): void {
    this.soughtId.value = messageId;
  }

  show(place: Place): void {
    void this.jumps?.show(place, true);
  }
}
