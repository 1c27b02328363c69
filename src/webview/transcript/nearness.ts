/**
 * Tells when an element first comes near the visible part of the transcript.
 */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { toDisposable, type Disposable } from "../../base/disposables";

/** How far outside the viewport counts as near. */
const MARGIN = "800px 0px";

/** One observer for the whole transcript. */
export class Nearness implements Disposable {
  private observer: IntersectionObserver | undefined;
  private readonly waiting = new Map<Element, () => void>();

  /** Begins to watch; `root` is the element that scrolls. */
  attach(root: Element): void {
    this.observer = new IntersectionObserver((entries) => this.look(entries), {
      root,
      rootMargin: MARGIN,
    });
    for (const element of this.waiting.keys()) this.observer.observe(element);
  }

  /** Calls `run` once, when `element` comes near; never after disposal. */
  whenNear(element: Element, run: () => void): Disposable {
    this.waiting.set(element, run);
    this.observer?.observe(element);
    return toDisposable(() => this.forget(element));
  }

  dispose(): void {
    this.observer?.disconnect();
    this.waiting.clear();
  }

  private look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      const run = this.waiting.get(target);
      this.forget(target);
      run?.();
    }
  }

  private forget(element: Element): void {
    this.waiting.delete(element);
    this.observer?.unobserve(element);
  }
}

const NearnessContext = createContext<Nearness | undefined>(undefined);

export const NearnessProvider = NearnessContext.Provider;

/** The transcript's observer; only inside the provider. */
export function useNearness(): Nearness {
  const nearness = useContext(NearnessContext);
  if (nearness === undefined) throw new Error("no transcript around this");
  return nearness;
}
