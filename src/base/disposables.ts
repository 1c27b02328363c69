/** Resource that can be released; a second call is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function so that it runs at most once. */
export function toDisposable(run: () => void): Disposable {
  let isDone = false;
  return {
    dispose() {
      if (isDone) return;
      isDone = true;
      run();
    },
  };
}

/**
 * Disposables of an owner, released in reverse order. An item added after disposal is disposed at
 * once. If items throw, the others are still disposed, and the first error is thrown at the end.
 */
export class Disposables implements Disposable {
  private items: Disposable[] = [];
  private isDisposed = false;

  /** Takes ownership of `item` and returns `item`. */
  add<T extends Disposable>(item: T): T {
    if (this.isDisposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Disposes all items; the second call does nothing. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    const errors: unknown[] = [];
    for (const item of this.items.reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    this.items = [];
    if (errors.length > 0) throw errors[0];
  }
}

/** Object that releases what it owns when it is disposed. */
export abstract class DisposableOwner implements Disposable {
  protected readonly owned = new Disposables();

  dispose(): void {
    this.owned.dispose();
  }
}
