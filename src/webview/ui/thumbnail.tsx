/**
 * A small likeness of a picture, in a place whose size is known before it comes: nothing moves when
 * it does. Far from what is seen it is let go, so that any number of pictures take little memory.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChipView } from "../../protocol/views";
import { Icon } from "./iconButton";
import { usePanel } from "../state/panelContext";
import { lostWords } from "../pictures/pagePictures";

interface ThumbnailProps {
  readonly picture: NonNullable<ChipView["picture"]>;
  /** What a screen reader says. */
  readonly alt: string;
  readonly maxWidthPx: number;
  readonly maxHeightPx: number;
  /** Told in a sentence when it is not there any more, empty when it is. */
  readonly onLost: (words: string) => void;
}

/** How far from what is seen pictures are there already; the transcript scrolls in a box of its own. */
const NEAR = "600px 0px";

export function Thumbnail({ picture, alt, maxWidthPx, maxHeightPx, onLost }: ThumbnailProps) {
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
    let isWanted = false;
    const show = () => {
      pictures.loadSmall(hash).then(
        (blob) => {
          if (!isWanted || made !== undefined) return;
          made = URL.createObjectURL(blob);
          setAddress(made);
          onLost("");
        },
        (error: unknown) => {
          if (isWanted) onLost(lostWords(error));
        },
      );
    };
    const letGo = () => {
      if (made !== undefined) URL.revokeObjectURL(made);
      made = undefined;
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear === isWanted) return;
        isWanted = isNear;
        if (isNear) show();
        else {
          letGo();
          setAddress(undefined);
        }
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    observer.observe(box);
    return () => {
      isWanted = false;
      observer.disconnect();
      letGo();
    };
  }, [hash, pictures, onLost]);

  return (
    <span ref={boxRef} class="thumbnail">
      <img
        // Another element each time: taken from one, an address leaves an empty one behind.
        key={address ?? ""}
        {...(address !== undefined && { src: address })}
        alt={alt}
        width={width}
        height={height}
        draggable={false}
      />
    </span>
  );
}

/** In the place of its name: that a picture is not there any more. */
export function PictureLost({ words }: { readonly words: string }) {
  return (
    <span class="picture-lost">
      <Icon name="warning" />
      {words}
    </span>
  );
}
