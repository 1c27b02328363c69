/**
 * A fact told to many listeners; the smallest form of VS Code's own events.
 */
import { toDisposable, type Disposable } from "./disposables";

/** Subscribes a listener until it is disposed. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The telling end of an event. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  /** The listening end. */
  readonly event: Event<T> = (listener) => {
    const own = (value: T) => listener(value);
    this.listeners.add(own);
    return toDisposable(() => this.listeners.delete(own));
  };

  /** Tells every listener, in the order they came. */
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
