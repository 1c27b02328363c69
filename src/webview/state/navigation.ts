import { signal } from "@preact/signals";
import { Emitter } from "../../base/event";
import type { NavigationCommand } from "../../protocol/actions";
import type { Quoted } from "../../pointing/quoted";
import type { PanelStore } from "./store";

/** Position in the shown conversation: a message, or a part of the message. */
export interface Place {
  readonly messageId: string;
  /** `index` is 0-based, among the parts of this kind in the message. */
  readonly part?: { readonly kind: "code" | "heading" | "picture"; readonly index: number };
  /** Text to scroll to and to mark. */
  readonly quoted?: Quoted;
}

/** Commands that go to a place relative to the one being read. */
export type NavigationStep = Exclude<
  NavigationCommand,
  "outline" | "ask-about-this" | "ask-aside" | "summarize"
>;

/** The transcript, which scrolls to places. */
export interface Jumps {
  /**
   * Scrolls to a place, also in a message that has no elements yet.
   * @param takesFocus false for a preview of the place
   */
  show(place: Place, takesFocus: boolean): Promise<void>;
  step(step: NavigationStep): Promise<void>;
  /** Shows the end of an element that grows, until its start would leave the visible area. */
  followElement(element: HTMLElement): void;
  /** Returns the message being read; undefined at the end. */
  currentId(): string | undefined;
  /** Remembers the scroll position; the returned function goes back to it. */
  savePosition(): () => void;
}

/** Ways through the shown conversation, for the components around the transcript. */
export class Navigation {
  readonly isOutlineOpen = signal(false);
  /** True from the command to summarize until the request for it is sent. */
  readonly isSummaryAsked = signal(false);
  /** Message that needs elements, to be scrolled to. */
  readonly soughtId = signal<string | undefined>(undefined);
  /** Number of times that the user asked for the find bar since it was closed. */
  readonly findCount = signal(0);
  private transcript: Jumps | undefined;
  /** Last jump that was asked for before the transcript could scroll. */
  private waiting: ((jumps: Jumps) => Promise<void>) | undefined;

  private readonly historyAsked = new Emitter<void>();
  /** Fires when the list of conversations should open. */
  readonly onHistoryAsked = this.historyAsked.event;

  constructor(private readonly store: PanelStore) {
    store.on("navigation-asked", ({ command }) => this.run(command));
  }

  endSummaryAsked(): void {
    this.isSummaryAsked.value = false;
  }

  get jumps(): Jumps | undefined {
    return this.transcript;
  }

  setJumps(jumps: Jumps | undefined): void {
    this.transcript = jumps;
    if (jumps) void this.waiting?.(jumps);
    this.waiting = undefined;
  }

  openHistory(): void {
    this.historyAsked.fire();
  }

  find(): void {
    this.findCount.value += 1;
  }

  closeFind(): void {
    this.findCount.value = 0;
  }

  /** Does nothing in an empty conversation, where the list would be open once it has a question. */
  openOutline(): void {
    this.isOutlineOpen.value = this.store.messages.peek().length > 0;
  }

  closeOutline(): void {
    this.isOutlineOpen.value = false;
  }

  seek(messageId: string): void {
    this.soughtId.value = messageId;
  }

  show(place: Place): void {
    this.jump((jumps) => jumps.show(place, true));
  }

  private jump(run: (jumps: Jumps) => Promise<void>): void {
    if (this.transcript) void run(this.transcript);
    else this.waiting = run;
  }

  private run(command: NavigationCommand): void {
    switch (command) {
      case "outline":
        this.openOutline();
        break;
      case "ask-about-this":
      case "ask-aside":
        break; // The bar at the marking handles these.
      case "summarize":
        this.isSummaryAsked.value = true;
        break;
      default:
        this.jump((jumps) => jumps.step(command));
    }
  }
}
