/**
 * What a long conversation may hold in rendered replies: those far away stay rendered while there
 * are few of them, then the ones that were left longest ago become plain text again.
 */
import type { Disposable } from "../../base/disposables";

/** Text of far replies that stays rendered, in UTF-16 units; some 10,000 nodes. */
const MAX_LENGTH = 50_000;

/** A rendered reply that is far away. */
export interface CachedReply {
  /** Of its text, in UTF-16 units. */
  readonly length: number;
  /** Becomes plain text, unless something in it would be lost. */
  unload(): void;
}

/** One per page. */
export class ReplyCache {
  private readonly lengths = new Map<CachedReply, number>();
  private length = 0;

  /** The reply is far away now; disposed when it comes near again or leaves the page. */
  add(reply: CachedReply): Disposable {
    const { length } = reply;
    this.remove(reply);
    this.lengths.set(reply, length);
    this.length += length;
    for (const oldest of this.lengths.keys()) {
      if (this.length <= MAX_LENGTH) break;
      this.remove(oldest);
      oldest.unload();
    }
    return { dispose: () => this.remove(reply) };
  }

  private remove(reply: CachedReply): void {
    this.length -= this.lengths.get(reply) ?? 0;
    this.lengths.delete(reply);
  }
}
