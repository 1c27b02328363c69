/** Minimal version of VS Code's events. */
import { toDisposable, type Disposable } from "./disposables";

export type Event<T> = (listener: (value: T) => void) => Disposable;

export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    const handler = (value: T) => listener(value);
    this.listeners.add(handler);
    return toDisposable(() => this.listeners.delete(handler));
  };

  /** Calls every listener, in order of subscription. */
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
