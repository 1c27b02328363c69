/**
 * The page's end of the channel: applies the host's messages to the store and asks for a
 * snapshot after a gap.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import { Channel } from "../../protocol/channel";
import { hostReplySchema, toViewSchema, type HostReply, type ToView } from "../../protocol/toView";
import type { HostRequest, ToHost } from "../../protocol/toHost";
import type { Host } from "../state/host";
import type { PanelStore } from "../state/store";

/** Minimum time between two requests for a snapshot while none arrives, in milliseconds. */
const SNAPSHOT_INTERVAL_MS = 1000;

/** Upper limit of the host for the name of a failure, in UTF-16 units. */
const MAX_FAILURE_LENGTH = 200;

/** Upper limit of reports from a page; a loop must not flood the log. */
const MAX_FAILURES = 20;

export class HostClient implements Host, Disposable {
  private readonly channel: Channel<ToHost, ToView, HostReply>;
  /** False until a snapshot arrives, and again after a gap. */
  private isInSync = false;
  private askedAtMs = -Infinity;
  private failureCount = 0;

  constructor(
    post: (envelope: unknown) => void,
    private readonly store: PanelStore,
    private readonly clock: Clock,
  ) {
    // Channel reports names of types and fields only, never content.
    const report = (message: string) => this.reportFailure(message);
    const log: Log = { info() {}, warn: report, error: report };
    this.channel = new Channel<ToHost, ToView, HostReply>({
      post,
      incoming: toViewSchema,
      reply: hostReplySchema,
      handle: (message) => {
        this.applyMessage(message);
        return undefined;
      },
      onGap: () => this.askForSnapshot(),
      log,
    });
  }

  /** Applies the messages received since `view-ready`, which the host answers with a snapshot. */
  start(queued: readonly MessageEvent<unknown>[]): void {
    this.askedAtMs = this.clock.nowMs();
    for (const event of queued) this.receive(event);
  }

  /** Accepts a message event of the window; ignores other origins than the page's own. */
  receive(event: MessageEvent<unknown>): void {
    if (event.origin !== self.origin) return;
    void this.channel.receive(event.data);
  }

  send(message: Exclude<ToHost, HostRequest>): void {
    this.channel.send(message);
  }

  request(message: HostRequest): Promise<HostReply> {
    return this.channel.request(message);
  }

  /** Time for a message to the host and back, in milliseconds; 0 before the first request. */
  get roundTripMs(): number {
    return this.channel.roundTripMs;
  }

  /** Reports a failure by name only, never with content. */
  reportFailure(where: string): void {
    this.failureCount += 1;
    if (this.failureCount > MAX_FAILURES) return;
    this.send({ type: "view-failed", where: where.slice(0, MAX_FAILURE_LENGTH) });
  }

  dispose(): void {
    this.channel.dispose();
  }

  private applyMessage(message: ToView): void {
    if (message.type === "snapshot") this.isInSync = true;
    if (!this.isInSync || !this.store.apply(message)) this.askForSnapshot();
  }

  private askForSnapshot(): void {
    const nowMs = this.clock.nowMs();
    const isWaiting = !this.isInSync;
    this.isInSync = false;
    if (isWaiting && nowMs - this.askedAtMs < SNAPSHOT_INTERVAL_MS) return;
    this.askedAtMs = nowMs;
    this.send({ type: "snapshot-asked" });
  }
}
