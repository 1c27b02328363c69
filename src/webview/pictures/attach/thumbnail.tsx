import type { ChipView } from "../../../protocol/views";
import { Icon } from "../../ui/iconButton";
import { lostText, useNearUrl } from "../pictureLoader";
import { usePictures } from "../picturesContext";

interface ThumbnailProps {
  readonly picture: NonNullable<ChipView["picture"]>;
  /** Called with the reason if the picture cannot be loaded, with "" when it is loaded. */
  readonly onLost: (reason: string) => void;
}

/** Distance from the viewport at which thumbnails are loaded, in CSS pixels. */
const NEAR_PX = 600;

/** Thumbnail that fills its button, whose name names the picture too. */
export function Thumbnail({ picture: { hash }, onLost }: ThumbnailProps) {
  const pictures = usePictures();
  const { ref, url } = useNearUrl<HTMLSpanElement>(hash, {
    nearPx: NEAR_PX,
    load: () => pictures.loaded.loadSmall(hash),
    onLoaded: () => onLost(""),
    onFailed: (error) => onLost(lostText(error)),
  });
  return (
    <span ref={ref} class="thumbnail">
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
