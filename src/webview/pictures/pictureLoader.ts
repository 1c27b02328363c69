/** Loads pictures for the views that show them: by hash, or while their place is near the viewport. */
import { t } from "@vscode/l10n";
import { useEffect, useRef, useState } from "preact/hooks";

/** Error for a picture that the host cannot read; the message is the host's error text, if any. */
export class LostPicture extends Error {
  override readonly name = "LostPicture";
}

export function lostText(error: unknown): string {
  const reason = error instanceof LostPicture ? error.message : "";
  return reason || t("The picture could not be shown. Reopen the conversation to try again.");
}

/**
 * Loads a picture: undefined while loading, an error text after a failure.
 * @param loader rejects with an error for `lostText`
 */
export function usePicture(hash: string, loader: { load(hash: string): Promise<Blob> }) {
  const [loaded, setLoaded] = useState<Blob | string>();
  useEffect(() => {
    let isUnmounted = false;
    setLoaded(undefined);
    loader.load(hash).then(
      (blob) => !isUnmounted && setLoaded(blob),
      (error: unknown) => !isUnmounted && setLoaded(lostText(error)),
    );
    return () => {
      isUnmounted = true;
    };
  }, [hash, loader]);
  return loaded;
}

/** Loads a picture while its element is near the viewport. */
export interface NearPicture {
  readonly load: () => Promise<Blob>;
  readonly onLoaded?: () => void;
  readonly onFailed?: (error: unknown) => void;
  /** Distance from the visible part at which the picture is loaded, in CSS pixels. */
  readonly nearPx: number;
  /** True for a picture that stays once it is loaded. */
  readonly isKept?: boolean;
  /** Selector of the scrolling element around the picture; missing for the viewport. */
  readonly scrolling?: string;
}

/**
 * Returns the object URL of a picture while the element with the ref is near. Far from the viewport the
 * URL is released, so that many pictures take little memory.
 * @param key identity of the picture; a change loads again
 */
export function useNearUrl<Box extends HTMLElement>(key: string, picture: NearPicture) {
  const ref = useRef<Box>(null);
  const [url, setUrl] = useState<string>();
  const latest = useRef(picture);
  latest.current = picture;
  useEffect(() => {
    const box = ref.current;
    if (box === null) return undefined;
    let objectUrl: string | undefined;
    let isWanted = false;
    const show = async () => {
      try {
        const blob = await latest.current.load();
        if (!isWanted || objectUrl !== undefined) return;
        objectUrl = URL.createObjectURL(blob);
        setUrl(objectUrl);
        latest.current.onLoaded?.();
      } catch (error) {
        if (isWanted) latest.current.onFailed?.(error);
      }
    };
    const release = () => {
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
      objectUrl = undefined;
    };
    const { scrolling, nearPx, isKept = false } = latest.current;
    const margin = `${nearPx}px 0px`;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear === isWanted) return;
        isWanted = isNear;
        if (isNear) {
          if (isKept) observer.disconnect();
          void show();
        } else {
          release();
          setUrl(undefined);
        }
      },
      {
        root: scrolling === undefined ? null : box.closest(scrolling),
        rootMargin: margin,
        scrollMargin: margin,
      },
    );
    observer.observe(box);
    return () => {
      isWanted = false;
      observer.disconnect();
      release();
    };
  }, [key]);
  return { ref, url };
}
