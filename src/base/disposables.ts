/**
 * Things that must be let go, and one owner's list of them.
 */

/** Anything that can be let go; doing so twice is harmless. */
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
 * What one owner has to let go, in reverse order of adding. Adding after disposal disposes at
 * once; one failing item does not keep the others from being let go (the first error is thrown
 * at the end).
 */
export class Disposables implements Disposable {
  private items: Disposable[] = [];
  private isDisposed = false;

  /** Takes ownership of `item` and gives it back. */
  add<T extends Disposable>(item: T): T {
    if (this.isDisposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Lets everything go; the second call does nothing. */
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
