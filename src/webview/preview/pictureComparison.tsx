/**
 * Compares a preview with a picture: side by side with common zoom and scroll position, by a movable
 * border, or as a picture of their differences, with the share of equal pixels.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Size } from "../../pointing/coordinates";
import type { PreviewOriginal } from "../../protocol/previewMessages";
import { PictureImage, ZoomTools } from "../pictures/pictureDialog";
import { usePicture } from "../pictures/pictureLoader";
import type { Difference } from "../pictures/pictureTools";
import { useZoomArea, type ZoomArea } from "../pictures/zoomArea";
import type { PreviewPictures } from "./previewPictures";

type Mode = "side-by-side" | "swipe" | "difference";

interface ComparisonProps {
  readonly picture: PreviewOriginal;
  /** Picture that is compared with `picture`. */
  readonly other: PreviewOriginal;
  readonly others: readonly PreviewOriginal[];
  readonly source: PreviewPictures;
  /** Called with the hash of another picture that the user chose. */
  readonly onChoose: (hash: string) => void;
  /** Asks for a correction of the differences. */
  readonly ask: () => void;
}

export function PictureComparison(props: ComparisonProps) {
  const { picture, other, others, source, onChoose, ask } = props;
  const [mode, setMode] = useState<Mode>("side-by-side");
  const { widthPx, heightPx } = picture;
  const difference = useDifference(picture, other, source);
  const drawn = difference === "failed" ? undefined : difference;
  // Rounded down, so that pictures with any difference never have 100 %.
  const percent = drawn && Math.floor(drawn.equalShare * 1000) / 10;

  const [zoom, setZoom] = useState(0);
  const key = `${picture.hash} ${other.hash} ${mode}`;
  const area = useZoomArea(key, widthPx, heightPx, false, { zoom, setZoom });
  const otherArea = useZoomArea(key, widthPx, heightPx, false, { zoom, setZoom });
  const [percentLeft, setPercentLeft] = useState(50);
  const modeNames: Readonly<Record<Mode, string>> = {
    "side-by-side": t("Side by side"),
    swipe: t("Swipe"),
    difference: t("Difference"),
  };

  const frame = { size: picture, zoom };
  const image = usePicture(picture.hash, source);
  const otherImage = usePicture(other.hash, source);
  const first = <PictureImage picture={image} name={picture.name} {...frame} />;
  const second = <PictureImage picture={otherImage} name={other.name} {...frame} />;
  const differenceName = t("Difference of {0} and {1}", picture.name, other.name);
  return (
    <>
      <div class="picture-tools comparison-tools" role="toolbar" aria-label={t("Compare")}>
        {others.length > 1 && (
          <select
            class="fit-choice"
            aria-label={t("Compare with")}
            value={other.hash}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            {others.map((one, index) => (
              <option key={index} value={one.hash}>
                {one.name}
              </option>
            ))}
          </select>
        )}
        <span class="toggle-group" role="group" aria-label={t("Compare")}>
          {(Object.keys(modeNames) as Mode[]).map((one) => (
            <button
              key={one}
              type="button"
              class="toggle-button"
              aria-pressed={mode === one}
              onClick={() => setMode(one)}
            >
              {modeNames[one]}
            </button>
          ))}
        </span>
        <ZoomTools area={area} />
        {mode === "swipe" && (
          <input
            type="range"
            class="swipe-range"
            aria-label={t("Border between the pictures")}
            value={percentLeft}
            onInput={(event) => setPercentLeft(event.currentTarget.valueAsNumber)}
          />
        )}
      </div>
      {mode === "side-by-side" && (
        <div class="picture-pair">
          <div class="compared-side">
            <ComparedArea area={area} name={picture.name} follower={otherArea} {...frame}>
              {first}
            </ComparedArea>
            <Names names={[picture.name]} />
          </div>
          <div class="compared-side">
            <ComparedArea area={otherArea} name={other.name} follower={area} {...frame}>
              {second}
            </ComparedArea>
            <Names names={[other.name]} />
          </div>
        </div>
      )}
      {mode === "swipe" && (
        <>
          <ComparedArea area={area} name={`${picture.name} | ${other.name}`} {...frame}>
            {first}
            <div class="swipe-layer" style={{ clipPath: `inset(0 0 0 ${percentLeft}%)` }}>
              {second}
            </div>
            <div class="swipe-border" style={{ left: `${percentLeft}%` }} />
          </ComparedArea>
          <Names names={[picture.name, other.name]} />
        </>
      )}
      {mode === "difference" && (
        <ComparedArea area={area} name={differenceName} {...frame}>
          {drawn && (
            <PictureImage picture={drawn.png} name={differenceName} size={picture} zoom={zoom} />
          )}
        </ComparedArea>
      )}
      <div class="comparison-result">
        <span role="status">{resultText(difference, percent)}</span>
        <button type="button" class="primary-button" disabled={percent === undefined} onClick={ask}>
          {t("Fix the differences")}
        </button>
      </div>
    </>
  );
}

function resultText(difference: Difference | "failed" | undefined, percent = 0): string {
  if (difference === undefined) return t("Comparing");
  if (difference === "failed") {
    return t("The pictures could not be compared. Open the preview again.");
  }
  return t("{0} % of the pixels are equal", percent);
}

/** Draws the difference of a pair: undefined meanwhile. */
function useDifference(
  picture: PreviewOriginal,
  other: PreviewOriginal,
  source: PreviewPictures,
): Difference | "failed" | undefined {
  const [drawn, setDrawn] = useState<Difference | "failed">();
  useEffect(() => {
    let isGone = false;
    const finish = (result: Difference | "failed") => !isGone && setDrawn(result);
    setDrawn(undefined);
    source.difference(picture.hash, other.hash, picture).then(finish, () => finish("failed"));
    return () => {
      isGone = true;
    };
  }, [picture.hash, other.hash, source]);
  return drawn;
}

/** Names of the pictures above; the areas have them for screen readers. */
function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <div class="compared-names" aria-hidden="true">
      {names.map((name, index) => (
        <bdi key={index}>{name}</bdi>
      ))}
    </div>
  );
}

interface ComparedAreaProps {
  readonly area: ZoomArea;
  readonly name: string;
  readonly follower?: ZoomArea;
  readonly size: Size;
  readonly zoom: number;
  readonly children: ComponentChildren;
}

/** Scrolling area with a box in which both pictures lie at the same place. */
function ComparedArea({ area, name, follower, size, zoom, children }: ComparedAreaProps) {
  const [width, height] = [size.widthPx * zoom, size.heightPx * zoom].map(
    (side) => `${Math.max(1, Math.round(side))}px`,
  );
  return (
    <div
      {...area.props}
      class="picture-area"
      tabIndex={0}
      role="group"
      aria-label={name}
      onScroll={({ currentTarget: { scrollLeft, scrollTop } }) =>
        follower?.props.ref.current?.scrollTo(scrollLeft, scrollTop)
      }
      onKeyDown={(event) => {
        if (area.onKey(event.key)) event.preventDefault();
      }}
    >
      <div class="picture-frame" style={{ width, height }}>
        {children}
      </div>
    </div>
  );
}
