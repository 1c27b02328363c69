/**
 * Tells what is in a group of messages when the group comes near the visible part of the transcript
 * and when it goes far away again.
 */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { toDisposable, type Disposable } from "../../base/disposables";

/** Class of the element around a group of messages. */
export const GROUP_CLASS = "message-group";

/** How far outside the visible part counts as near: twice its height. */
const MARGIN = "200% 0px";

/** Who wants to know. */
export interface Follower {
  comeNear(): void;
  goFar(): void;
}

/** One observer for the whole transcript. */
export class ViewportObserver implements Disposable {
  private observer: IntersectionObserver | undefined;
  private readonly followers = new Map<Element, Set<Follower>>();
  private readonly nearGroups = new Set<Element>();

  /** Begins to watch; `root` is the element that scrolls. */
  attach(root: Element): void {
    this.observer = new IntersectionObserver((entries) => this.look(entries), {
      root,
      rootMargin: MARGIN,
    });
    for (const group of this.followers.keys()) this.observer.observe(group);
  }

  /** Tells the follower whenever the group around `element` comes near or goes far. */
  follow(element: Element, follower: Follower): Disposable {
    const group = element.closest(`.${GROUP_CLASS}`);
    if (group === null) throw new Error("no group around this");
    const others = this.followers.get(group);
    if (others !== undefined) others.add(follower);
    else {
      this.followers.set(group, new Set([follower]));
      this.observer?.observe(group);
    }
    if (this.nearGroups.has(group)) follower.comeNear();
    return toDisposable(() => this.leave(group, follower));
  }

  dispose(): void {
    this.observer?.disconnect();
    this.followers.clear();
    this.nearGroups.clear();
  }

  private look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.nearGroups.add(target);
      else this.nearGroups.delete(target);
      for (const follower of this.followers.get(target) ?? []) {
        if (isIntersecting) follower.comeNear();
        else follower.goFar();
      }
    }
  }

  private leave(group: Element, follower: Follower): void {
    const others = this.followers.get(group);
    if (others === undefined || !others.delete(follower) || others.size > 0) return;
    this.followers.delete(group);
    this.nearGroups.delete(group);
    this.observer?.unobserve(group);
  }
}

const NearnessContext = createContext<ViewportObserver | undefined>(undefined);

export const ViewportObserverProvider = NearnessContext.Provider;

/** The transcript's observer; only inside the provider. */
export function useViewportObserver(): ViewportObserver {
  const nearness = useContext(NearnessContext);
  if (nearness === undefined) throw new Error("no transcript around this");
  return nearness;
}
