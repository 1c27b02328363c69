import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { toDisposable, type Disposable } from "../../base/disposables";

export const GROUP_CLASS = "message-group";

/** Distance from the visible area that counts as near: twice its height. */
const MARGIN = "200% 0px";

export interface Follower {
  comeNear(): void;
  goFar(): void;
}

/** Notifies followers when their group of messages comes near the visible area or leaves it. */
export class ViewportObserver implements Disposable {
  private observer: IntersectionObserver | undefined;
  private readonly followers = new Map<Element, Set<Follower>>();
  private readonly nearGroups = new Set<Element>();

  /** Starts observing; `root` is the element that scrolls. */
  attach(root: Element): void {
    this.observer = new IntersectionObserver((entries) => this.notify(entries), {
      root,
      rootMargin: MARGIN,
    });
    for (const group of this.followers.keys()) this.observer.observe(group);
  }

  /** Notifies the follower about the group around `element` until disposed. */
  follow(element: Element, follower: Follower): Disposable {
    const group = element.closest(`.${GROUP_CLASS}`);
    if (group === null) throw new Error("the element is in no message group");
    const groupFollowers = this.followers.get(group);
    if (groupFollowers !== undefined) groupFollowers.add(follower);
    else {
      this.followers.set(group, new Set([follower]));
      this.observer?.observe(group);
    }
    if (this.nearGroups.has(group)) follower.comeNear();
    return toDisposable(() => this.unfollow(group, follower));
  }

  dispose(): void {
    this.observer?.disconnect();
    this.followers.clear();
    this.nearGroups.clear();
  }

  private notify(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.nearGroups.add(target);
      else this.nearGroups.delete(target);
      for (const follower of this.followers.get(target) ?? []) {
        if (isIntersecting) follower.comeNear();
        else follower.goFar();
      }
    }
  }

  private unfollow(group: Element, follower: Follower): void {
    const groupFollowers = this.followers.get(group);
    if (groupFollowers === undefined || !groupFollowers.delete(follower) || groupFollowers.size > 0)
      return;
    this.followers.delete(group);
    this.nearGroups.delete(group);
    this.observer?.unobserve(group);
  }
}

const ViewportContext = createContext<ViewportObserver | undefined>(undefined);

export const ViewportObserverProvider = ViewportContext.Provider;

export function useViewportObserver(): ViewportObserver {
  const observer = useContext(ViewportContext);
  if (observer === undefined) throw new Error("useViewportObserver needs ViewportObserverProvider");
  return observer;
}
