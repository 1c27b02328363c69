/**
 * A small likeness of a picture, in a place whose size is known before it comes: nothing moves when
 * it does.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChipView } from "../../bridge/views";
import { usePanel } from "../panelContext";

interface ThumbnailProps {
  readonly picture: NonNullable<ChipView["picture"]>;
  /** What a screen reader says. */
  readonly alt: string;
  readonly maxWidthPx: number;
  readonly maxHeightPx: number;
}

export function Thumbnail({ picture, alt, maxWidthPx, maxHeightPx }: ThumbnailProps) {
  const { pictures } = usePanel();
  const boxRef = useRef<HTMLSpanElement>(null);
  const [address, setAddress] = useState<string>();
  const { hash, widthPx, heightPx } = picture;
  const scale = Math.min(1, maxWidthPx / widthPx, maxHeightPx / heightPx);
  const width = Math.max(1, Math.round(widthPx * scale));
  const height = Math.max(1, Math.round(heightPx * scale));

  useEffect(() => {
    const box = boxRef.current;
    if (box === null) return undefined;
    let made: string | undefined;
    let isGone = false;
    const show = () => {
      pictures.loadSmall(hash).then(
        (blob) => {
          if (isGone) return;
          made = URL.createObjectURL(blob);
          setAddress(made);
        },
        () => undefined, // The frame stays empty; its name is still there.
      );
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        show();
      },
      { rootMargin: "600px 0px" },
    );
    observer.observe(box);
    return () => {
      isGone = true;
      observer.disconnect();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [hash, pictures]);

  return (
    <span ref={boxRef} class="thumbnail">
      <img
        {...(address !== undefined && { src: address })}
        alt={alt}
        width={width}
        height={height}
        draggable={false}
      />
    </span>
  );
}
