/**
 * Compares two pictures: side by side with common zoom and scroll position, by a movable border, or as
 * a picture of their differences, with the share of equal pixels. A picture of the same proportions is
 * shown in the size of the other.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ComparisonMode } from "../../../protocol/previewMessages";
import type { Attempt, Attempts } from "./attempts";
import { AttemptStrip, equalText } from "./attemptStrip";
import { comparedSize, type ComparedSize } from "../comparedSize";
import type { GalleryPicture } from "./gallery";
import { PictureImage, ZoomTools } from "../pictureDialog";
import { usePicture, type Difference, type PictureLoader } from "../pictureLoader";
import { useZoomArea, type ZoomArea } from "../zoomArea";

/** Buttons of the modes, for the toolbar above a comparison. */
export function ComparisonModes({
  mode,
  onMode,
}: {
  readonly mode: ComparisonMode;
  readonly onMode: (mode: ComparisonMode) => void;
}) {
  const names: Readonly<Record<ComparisonMode, string>> = {
    "side-by-side": t("Side by side"),
    swipe: t("Swipe"),
    difference: t("Difference"),
  };
  return (
    <span class="toggle-group" role="group" aria-label={t("Compare")}>
      {(Object.keys(names) as ComparisonMode[]).map((one) => (
        <button
          key={one}
          type="button"
          class="toggle-button"
          aria-pressed={mode === one}
          onClick={() => onMode(one)}
        >
          {names[one]}
        </button>
      ))}
    </span>
  );
}

interface ComparisonProps {
  readonly mode: ComparisonMode;
  readonly picture: GalleryPicture;
  /** Picture that is compared with `picture`, usually an earlier one. */
  readonly other: GalleryPicture;
  readonly others: readonly GalleryPicture[];
  readonly source: PictureLoader;
  /** Called with the hash of another picture that the user chose. */
  readonly onChoose: (hash: string) => void;
  /** Asks about the differences. */
  readonly ask: () => void;
  /** Text of the button that asks. */
  readonly askName: string;
  readonly attempts: Attempts;
  readonly attempt: Pick<Attempt, "id" | "name">;
  readonly isAttemptFocused?: boolean;
  /** Receives the picture as an attempt with the hash of the picture that it was compared with. */
  readonly onCompared: (otherHash: string, attempt: Attempt) => void;
  /** Called with the id of an attempt that the user chose. */
  readonly onAttempt: (id: string, otherHash: string) => void;
}

export function PictureComparison(props: ComparisonProps) {
  const { mode, picture, other, others, source, onChoose, ask, askName } = props;
  const { attempts, attempt, isAttemptFocused, onCompared, onAttempt } = props;
  const size = comparedSize(picture, other);
  const { widthPx, heightPx } = size.whole;
  const difference = useDifference(picture, other, source);
  const drawn = difference === "failed" ? undefined : difference;
  // Rounded down, so that pictures with any difference never have 100 %.
  const percent = drawn && Math.floor(drawn.equalShare * 1000) / 10;
  useEffect(() => {
    if (percent !== undefined) onCompared(other.hash, { ...attempt, percent });
  }, [picture.hash, other.hash, percent]);

  const [zoom, setZoom] = useState(0);
  const key = `${picture.hash} ${other.hash} ${mode}`;
  const area = useZoomArea(key, widthPx, heightPx, false, { zoom, setZoom });
  const otherArea = useZoomArea(key, widthPx, heightPx, false, { zoom, setZoom });
  const [percentLeft, setPercentLeft] = useState(50);

  const first = <Layer source={source} picture={picture} size={size.first} zoom={zoom} />;
  const second = <Layer source={source} picture={other} size={size.second} zoom={zoom} />;
  const frame = { size, zoom };
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
            <PictureImage picture={drawn.png} name={differenceName} size={size.whole} zoom={zoom} />
          )}
        </ComparedArea>
      )}
      <div class="comparison-result">
        <span role="status">{resultText(difference, percent)}</span>
        <button type="button" class="primary-button" disabled={percent === undefined} onClick={ask}>
          {askName}
        </button>
      </div>
      <AttemptStrip
        attempts={attempts.get(other.hash) ?? []}
        shown={attempt.id}
        isFocused={isAttemptFocused}
        onChoose={(id) => onAttempt(id, other.hash)}
      />
    </>
  );
}

function resultText(difference: Difference | "failed" | undefined, percent = 0): string {
  if (difference === undefined) return t("Comparing");
  if (difference === "failed") {
    return t("The pictures could not be compared. Close the viewer and try again.");
  }
  return equalText(percent);
}

/** Draws the difference of a pair: undefined meanwhile. */
function useDifference(
  picture: GalleryPicture,
  other: GalleryPicture,
  source: PictureLoader,
): Difference | "failed" | undefined {
  const pair = `${picture.hash} ${other.hash}`;
  const [result, setResult] = useState<{
    readonly pair: string;
    readonly source: PictureLoader;
    readonly difference: Difference | "failed";
  }>();
  useEffect(() => {
    let isGone = false;
    const finish = (difference: Difference | "failed") => {
      if (!isGone) setResult({ pair, source, difference });
    };
    source
      .difference(picture.hash, other.hash, comparedSize(picture, other))
      .then(finish, () => finish("failed"));
    return () => {
      isGone = true;
    };
  }, [pair, source]);
  return result?.pair === pair && result.source === source ? result.difference : undefined;
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
  readonly size: ComparedSize;
  readonly zoom: number;
  readonly children: ComponentChildren;
}

/** Scrolling area with a box of the larger picture, in which both pictures lie at the same place. */
function ComparedArea({ area, name, follower, size, zoom, children }: ComparedAreaProps) {
  const [width, height] = [size.whole.widthPx * zoom, size.whole.heightPx * zoom].map(
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

interface LayerProps {
  readonly source: PictureLoader;
  readonly picture: GalleryPicture;
  readonly size: ComparedSize["first"];
  readonly zoom: number;
}

function Layer({ source, picture: { hash, name }, size, zoom }: LayerProps) {
  return <PictureImage picture={usePicture(hash, source)} name={name} size={size} zoom={zoom} />;
}
