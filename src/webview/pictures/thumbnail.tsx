import { useEffect, useRef, useState } from "preact/hooks";
import type { ChipView } from "../../protocol/views";
import { Icon } from "../ui/iconButton";
import { lostWords } from "./pagePictures";
import { usePictures } from "./picturesContext";

interface ThumbnailProps {
  readonly picture: NonNullable<ChipView["picture"]>;
  /** Called with the reason if the picture cannot be loaded, with "" when it is loaded. */
  readonly onLost: (reason: string) => void;
}

/** Distance from the viewport at which pictures are loaded. */
const NEAR = "600px 0px";

/**
 * Thumbnail that fills its button, whose name names the picture too. Far from the viewport its object URL
 * is released, so that many pictures take little memory.
 */
export function Thumbnail({ picture: { hash }, onLost }: ThumbnailProps) {
  const pictures = usePictures();
  const boxRef = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();

  useEffect(() => {
    const box = boxRef.current;
    if (box === null) return undefined;
    let objectUrl: string | undefined;
    let isWanted = false;
    const show = () => {
      pictures.loadSmall(hash).then(
        (blob) => {
          if (!isWanted || objectUrl !== undefined) return;
          objectUrl = URL.createObjectURL(blob);
          setUrl(objectUrl);
          onLost("");
        },
        (error: unknown) => {
          if (isWanted) onLost(lostWords(error));
        },
      );
    };
    const release = () => {
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
      objectUrl = undefined;
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear === isWanted) return;
        isWanted = isNear;
        if (isNear) show();
        else {
          release();
          setUrl(undefined);
        }
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    observer.observe(box);
    return () => {
      isWanted = false;
      observer.disconnect();
      release();
    };
  }, [hash, pictures, onLost]);

  return (
    <span ref={boxRef} class="thumbnail">
      <img
        // A new element each time: an image whose src was removed shows a broken picture.
        key={url ?? ""}
        {...(url !== undefined && { src: url })}
        alt=""
        draggable={false}
      />
    </span>
  );
}

/** Reason why a picture cannot be shown, instead of its name. */
export function PictureLost({ reason }: { readonly reason: string }) {
  return (
    <span class="picture-lost">
      <Icon name="warning" />
      {reason}
    </span>
  );
}
