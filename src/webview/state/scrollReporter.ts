/**
 * Reports the scroll position to the host, which keeps it after a crash or in another window. The
 * page's own state in viewMemory.ts is newer and has precedence.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { ScrollView } from "../../protocol/views";
import type { Host } from "./host";
import type { PanelStore } from "./store";
import type { ScrollPosition } from "./viewMemory";

/** Delay of a report, in milliseconds. */
const REPORT_DELAY_MS = 500;

export class ScrollReporter {
  private waiting: { conversationId: string; place: ScrollPosition | undefined } | undefined;
  /** Last reported position, as JSON. */
  private reported: { conversationId: string; key: string } | undefined;
  private timer: Disposable | undefined;

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly clock: Clock,
  ) {}

  /** Reports a position after a delay; undefined is the end. */
  save(conversationId: string, place: ScrollPosition | undefined): void {
    this.waiting = { conversationId, place };
    this.timer ??= this.clock.after(REPORT_DELAY_MS, () => this.flush());
  }

  /** Sends a waiting report now. */
  flush(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { waiting } = this;
    this.waiting = undefined;
    // The host applies the report to the shown conversation.
    if (waiting === undefined || waiting.conversationId !== this.store.conversationId.peek())
      return;
    const { conversationId, place } = waiting;
    const scroll = place && toScroll(place);
    const key = JSON.stringify(scroll);
    if (key === this.knownKey(conversationId)) return;
    this.reported = { conversationId, key };
    this.host.send({ type: "scrolled", conversationId, ...(scroll && { scroll }) });
  }

  private knownKey(conversationId: string): string {
    if (this.reported?.conversationId === conversationId) return this.reported.key;
    return JSON.stringify(this.store.hostScroll);
  }
}

function toScroll({ anchorId, offsetPx }: ScrollPosition): ScrollView {
  return { messageId: anchorId, offsetPx: -Math.round(offsetPx) };
}

/** Converts the host's position to the page's. */
export function toScrollPosition(scroll: ScrollView | undefined): ScrollPosition | undefined {
  return scroll && { anchorId: scroll.messageId, offsetPx: -scroll.offsetPx };
}
