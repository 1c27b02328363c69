import type { Disposable } from "../../base/disposables";

/** Upper limit of rendered text far from the viewport, in UTF-16 units; about 10,000 nodes. */
const MAX_LENGTH = 50_000;

/** Rendered reply far from the viewport. */
export interface CachedReply {
  /** Length of the text, in UTF-16 units. */
  readonly length: number;
  /** Replaces the reply by plain text unless user state would be lost. */
  unload(): void;
}

/** Limits the rendered replies far from the viewport; unloads the least recently visible. */
export class ReplyCache {
  private readonly lengths = new Map<CachedReply, number>();
  private length = 0;

  /** Adds a reply; disposed when the reply is near again or unmounted. */
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
