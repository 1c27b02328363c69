/**
 * Tells the host where the person reads, so that the place outlives the window. The page's own
 * memory (viewMemory.ts) is quicker and comes first; this is what is left after a crash.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { ScrollView } from "../../protocol/views";
import type { Host } from "../boot/hostClient";
import type { PanelStore } from "./store";
import type { ReadingPlace } from "./viewMemory";

/** How long a place waits to be told, in milliseconds. */
const REPORT_DELAY_MS = 500;

/** One per page. */
export class ScrollReporter {
  private waiting: { conversationId: string; place: ReadingPlace | undefined } | undefined;
  /** What the host knows of the conversation that was told of last. */
  private told: { conversationId: string; key: string } | undefined;
  private timer: Disposable | undefined;

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly clock: Clock,
  ) {}

  /** The person is here now; undefined for the end. */
  save(conversationId: string, place: ReadingPlace | undefined): void {
    this.waiting = { conversationId, place };
    this.timer ??= this.clock.after(REPORT_DELAY_MS, () => this.flush());
  }

  /** Tells the host now what it has not been told yet. */
  flush(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { waiting } = this;
    this.waiting = undefined;
    // The host takes it for the shown conversation's: a place in another one must not reach it.
    if (waiting === undefined || waiting.conversationId !== this.store.conversationId.peek())
      return;
    const { conversationId, place } = waiting;
    const scroll = place && toScroll(place);
    const key = JSON.stringify(scroll);
    if (key === this.knownKey(conversationId)) return;
    this.told = { conversationId, key };
    this.host.send({ type: "scrolled", conversationId, ...(scroll && { scroll }) });
  }

  private knownKey(conversationId: string): string {
    if (this.told?.conversationId === conversationId) return this.told.key;
    return JSON.stringify(this.store.hostScroll);
  }
}

/** The host's form of a place. */
function toScroll({ anchorId, offsetPx }: ReadingPlace): ScrollView {
  return { messageId: anchorId, offsetPx: -Math.round(offsetPx) };
}

/** The page's form of what the host remembers. */
export function toPlace(scroll: ScrollView | undefined): ReadingPlace | undefined {
  return scroll && { anchorId: scroll.messageId, offsetPx: -scroll.offsetPx };
}
