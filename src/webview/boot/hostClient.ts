/**
 * The page's end of the bridge: takes the host's numbered messages in order into the store, asks
 * for a snapshot when one is missing or does not fit, and carries what the person does to the host.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import { Channel } from "../../protocol/channel";
import {
  hostReplySchema,
  toViewSchema,
  type HostReply,
  type ToHost,
  type ToView,
} from "../../protocol/messages";
import type { PanelStore } from "../state/store";

/** What the parts of the page may ask of the host. */
export interface Host {
  /** Tells the host what the person did. */
  send(message: ToHost): void;
  /** Asks the host; rejects when it refuses or is gone. */
  request(message: ToHost): Promise<HostReply>;
}

/** Shortest time between two requests for a snapshot while none comes, in milliseconds. */
const SNAPSHOT_PATIENCE_MS = 1000;

/** Longest name of a failure the host accepts, in UTF-16 units. */
const MAX_FAILURE_LENGTH = 200;

/** Most failures one page reports; a loop must not flood the log. */
const MAX_FAILURES = 20;

/** One per page. */
export class HostClient implements Host, Disposable {
  private readonly channel: Channel<ToHost, ToView, HostReply>;
  /** The number the next message must have; undefined until a snapshot has come. */
  private nextSeq: number | undefined;
  private askedAtMs = -Infinity;
  private failureCount = 0;

  constructor(
    post: (envelope: unknown) => void,
    private readonly store: PanelStore,
    private readonly clock: Clock,
  ) {
    // Names of types and fields only, see Channel: nothing of what was asked or answered.
    const report = (message: string) => this.reportFailure(message);
    const log: Log = { info() {}, warn: report, error: report };
    this.channel = new Channel<ToHost, ToView, HostReply>({
      post,
      incoming: toViewSchema,
      reply: hostReplySchema,
      handle: (message) => {
        this.take(message);
        return undefined;
      },
      log,
    });
  }

  /** Takes what came since the page said `view-ready`, which is answered by a snapshot. */
  start(heard: readonly MessageEvent<unknown>[]): void {
    this.askedAtMs = this.clock.nowMs();
    for (const event of heard) this.receive(event);
  }

  /** Takes a message event of the window; only the editor, of the page's own origin, is heard. */
  receive(event: MessageEvent<unknown>): void {
    if (event.origin !== self.origin) return;
    void this.channel.receive(event.data);
  }

  send(message: ToHost): void {
    this.channel.send(message);
  }

  request(message: ToHost): Promise<HostReply> {
    return this.channel.request(message);
  }

  /** Tells the host by name what the page could not do; never with content. */
  reportFailure(where: string): void {
    this.failureCount += 1;
    if (this.failureCount > MAX_FAILURES) return;
    this.send({ type: "view-failed", where: where.slice(0, MAX_FAILURE_LENGTH) });
  }

  dispose(): void {
    this.channel.dispose();
  }

  private take(message: ToView): void {
    if (message.type !== "snapshot" && message.seq !== this.nextSeq) {
      this.askForSnapshot();
      return;
    }
    this.nextSeq = message.seq + 1;
    if (!this.store.apply(message)) this.askForSnapshot();
  }

  private askForSnapshot(): void {
    const nowMs = this.clock.nowMs();
    const isWaiting = this.nextSeq === undefined;
    this.nextSeq = undefined;
    if (isWaiting && nowMs - this.askedAtMs < SNAPSHOT_PATIENCE_MS) return;
    this.askedAtMs = nowMs;
    this.send({ type: "snapshot-asked" });
  }
}
