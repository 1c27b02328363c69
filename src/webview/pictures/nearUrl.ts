import { useEffect, useRef, useState } from "preact/hooks";

/** Loads a picture while its element is near the viewport. */
export interface NearPicture {
  readonly load: () => Promise<Blob>;
  readonly onLoaded?: () => void;
  readonly onFailed?: (error: unknown) => void;
  /** Distance from the visible part at which the picture is loaded, in CSS pixels. */
  readonly nearPx: number;
  /** Selector of the scrolling element around the picture; missing for the viewport. */
  readonly scrolling?: string;
}

/**
 * Returns the object URL of a picture while the element with the ref is near. Far from the viewport the
 * URL is released, so that many pictures take little memory.
 * @param key identity of the picture; a change loads again
 */
export function useNearUrl(key: string, picture: NearPicture) {
  const ref = useRef<HTMLSpanElement>(null);
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
    const { scrolling, nearPx } = latest.current;
    const margin = `${nearPx}px 0px`;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear === isWanted) return;
        isWanted = isNear;
        if (isNear) void show();
        else {
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
