/**
 * Compares two pictures: side by side with common zoom and scroll position, by a movable border, by
 * turns, or as a picture of their differences that can be attached. A picture of the same proportions
 * is shown in the size of the other.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/iconButton";
import {
  differencesText,
  RegionBoxes,
  RegionList,
  useDifferences,
  type Differences,
} from "./regionLayer";
import { comparedSize, type ComparedSize } from "../comparedSize";
import type { GalleryPicture } from "./gallery";
import { PictureImage, ZoomTools } from "../pictureDialog";
import { usePicture, type Difference, type PictureLoader } from "../pictureLoader";
import { useZoomArea, type SharedZoom, type ZoomArea } from "../zoomArea";

export type ComparisonMode = "side-by-side" | "swipe" | "flicker" | "difference";

/** Time that a picture is shown in turn, in milliseconds: slower than flashes that can harm. */
const FLICKER_MS = 800;

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
    flicker: t("Flicker"),
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
  /** Pictures to compare with; never empty. */
  readonly others: readonly GalleryPicture[];
  /** Hash of the other picture that is shown first. */
  readonly first: string;
  readonly source: PictureLoader;
  /** Called with the hash of another picture that the user chose. */
  readonly onChoose?: (hash: string) => void;
  /** Attaches the picture of the differences to the next question. */
  readonly attach?: ((difference: File) => void) | undefined;
  /** Asks about the differences between another, earlier picture and the picture. */
  readonly ask?: ((differences: Differences, earlier: GalleryPicture) => void) | undefined;
  /** Text of the button that asks. */
  readonly askName?: string;
  readonly rounds?: Rounds;
}

/** Comparisons of the same picture with versions of one page. */
interface Rounds {
  /** Numbers of differences of the versions before. */
  readonly earlier: readonly number[];
  /** Receives the number of this version. */
  readonly count: (differences: number) => void;
}

export function PictureComparison({
  mode,
  picture,
  others,
  first,
  source,
  onChoose,
  ...asking
}: ComparisonProps) {
  const [hash, setHash] = useState(first);
  const [fallback] = others;
  const other = others.find((one) => one.hash === hash) ?? fallback;
  if (other === undefined) return null;
  const choice = (
    <select
      class="fit-choice"
      aria-label={t("Compare with")}
      value={other.hash}
      onChange={({ currentTarget }) => {
        setHash(currentTarget.value);
        onChoose?.(currentTarget.value);
      }}
    >
      {others.map((one, index) => (
        <option key={index} value={one.hash}>
          {one.name}
        </option>
      ))}
    </select>
  );
  const pair = { picture, other, source, choice };
  return <ComparedPair key={`${picture.hash} ${other.hash}`} {...pair} {...asking} mode={mode} />;
}

function ComparedPair({
  mode,
  attach,
  ask,
  askName = t("Ask about the differences"),
  rounds,
  ...found
}: Omit<Pair, "differences"> &
  Pick<ComparisonProps, "mode" | "attach" | "ask" | "askName" | "rounds">) {
  const { picture, other, source, choice } = found;
  const differences = useDifferences(
    source,
    picture.hash,
    other.hash,
    comparedSize(picture, other),
  );
  const { regions, total } = differences;
  const isCounted = regions !== undefined && regions !== "failed";
  useEffect(() => {
    if (isCounted) rounds?.count(total);
  }, [isCounted, total]);
  const pair = { picture, other, source, choice, differences };
  return (
    <>
      {mode === "side-by-side" && <SideBySide {...pair} />}
      {mode === "swipe" && <Swipe {...pair} />}
      {mode === "flicker" && <Flicker {...pair} />}
      {mode === "difference" && <DifferenceView {...pair} attach={attach} />}
      <div class="region-bar">
        <span role="status">
          {roundText(differencesText(differences), isCounted ? rounds?.earlier : undefined)}
        </span>
        {ask && (
          <button
            type="button"
            class="primary-button"
            disabled={!isCounted}
            onClick={() => ask(differences, other)}
          >
            {askName}
          </button>
        )}
      </div>
      <RegionList differences={differences} />
    </>
  );
}

function roundText(differences: string, earlier: readonly number[] = []): string {
  const before = earlier.at(-1);
  if (before === undefined) return differences;
  return t("Round {0}: {1}, before {2}", earlier.length + 1, differences, before);
}

interface Pair {
  readonly picture: GalleryPicture;
  readonly other: GalleryPicture;
  readonly source: PictureLoader;
  /** List of the pictures to compare with. */
  readonly choice: ComponentChildren;
  readonly differences: Differences;
}

/** Two areas that zoom and scroll together. */
function SideBySide({ picture, other, source, choice, differences }: Pair) {
  const size = comparedSize(picture, other);
  const [zoom, setZoom] = useState(0);
  const shared: SharedZoom = { zoom, setZoom };
  const { widthPx, heightPx } = size.whole;
  const left = useZoomArea(picture.hash, widthPx, heightPx, false, shared);
  const right = useZoomArea(other.hash, widthPx, heightPx, false, shared);
  const follow = (from: ZoomArea, to: ZoomArea) => () => {
    const [source, target] = [from.props.ref.current, to.props.ref.current];
    target?.scrollTo(source?.scrollLeft ?? 0, source?.scrollTop ?? 0);
  };
  return (
    <>
      <ComparisonBar area={left} choice={choice} />
      <div class="picture-pair">
        <ComparedArea area={left} name={picture.name} onScroll={follow(left, right)}>
          <Frame size={size} zoom={zoom}>
            <Layer source={source} picture={picture} size={size.first} zoom={zoom} />
            <RegionBoxes differences={differences} side="second" zoom={zoom} />
          </Frame>
        </ComparedArea>
        <ComparedArea area={right} name={other.name} onScroll={follow(right, left)}>
          <Frame size={size} zoom={zoom}>
            <Layer source={source} picture={other} size={size.second} zoom={zoom} />
            <RegionBoxes differences={differences} side="first" zoom={zoom} />
          </Frame>
        </ComparedArea>
      </div>
    </>
  );
}

/** Two pictures with a movable border: the first is visible left of the border, the second right. */
function Swipe({ picture, other, source, choice, differences }: Pair) {
  const size = comparedSize(picture, other);
  const { widthPx, heightPx } = size.whole;
  const area = useZoomArea(picture.hash, widthPx, heightPx, false);
  const [percent, setPercent] = useState(50);
  return (
    <>
      <ComparisonBar area={area} choice={choice}>
        <input
          type="range"
          class="swipe-range"
          aria-label={t("Border between the pictures")}
          value={percent}
          onInput={(event) => setPercent(event.currentTarget.valueAsNumber)}
        />
      </ComparisonBar>
      <ComparedArea area={area} name={`${picture.name} | ${other.name}`}>
        <Frame size={size} zoom={area.zoom}>
          <Layer source={source} picture={picture} size={size.first} zoom={area.zoom} />
          <div class="swipe-layer" style={{ clipPath: `inset(0 0 0 ${percent}%)` }}>
            <Layer source={source} picture={other} size={size.second} zoom={area.zoom} />
          </div>
          <RegionBoxes differences={differences} side="second" zoom={area.zoom} />
          <div class="swipe-border" style={{ left: `${percent}%` }} />
        </Frame>
      </ComparedArea>
    </>
  );
}

/** The pictures by turns; paused at first if the user prefers less motion. */
function Flicker({ picture, other, source, choice, differences }: Pair) {
  const size = comparedSize(picture, other);
  const { widthPx, heightPx } = size.whole;
  const area = useZoomArea(picture.hash, widthPx, heightPx, false);
  const [isOther, setIsOther] = useState(false);
  const [isRunning, setIsRunning] = useState(
    () => !matchMedia("(prefers-reduced-motion: reduce)").matches,
  );
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setIsOther((was) => !was), FLICKER_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <>
      <ComparisonBar area={area} choice={choice}>
        <button type="button" class="secondary-button" onClick={() => setIsRunning(!isRunning)}>
          <Icon name={isRunning ? "debug-pause" : "play"} />
          {isRunning ? t("Pause") : t("Play")}
        </button>
        <button
          type="button"
          class="secondary-button"
          onClick={() => {
            setIsRunning(false);
            setIsOther(!isOther);
          }}
        >
          {t("Other picture")}
        </button>
      </ComparisonBar>
      <ComparedArea area={area} name={isOther ? other.name : picture.name}>
        <Frame size={size} zoom={area.zoom}>
          <div hidden={isOther}>
            <Layer source={source} picture={picture} size={size.first} zoom={area.zoom} />
          </div>
          <div hidden={!isOther}>
            <Layer source={source} picture={other} size={size.second} zoom={area.zoom} />
          </div>
          <RegionBoxes
            differences={differences}
            side={isOther ? "first" : "second"}
            zoom={area.zoom}
          />
        </Frame>
      </ComparedArea>
    </>
  );
}

/** The first picture in gray, with each different pixel in a color. */
function DifferenceView({
  picture,
  other,
  source,
  choice,
  differences,
  attach,
}: Pair & Pick<ComparisonProps, "attach">) {
  const size = comparedSize(picture, other);
  const { widthPx, heightPx } = size.whole;
  const area = useZoomArea(picture.hash, widthPx, heightPx, false);
  const [made, setMade] = useState<Difference | "failed">();
  const sizeRef = useRef(size);
  useEffect(() => {
    let isGone = false;
    source.difference(picture.hash, other.hash, sizeRef.current).then(
      (difference) => !isGone && setMade(difference),
      () => !isGone && setMade("failed"),
    );
    return () => {
      isGone = true;
    };
  }, [picture.hash, other.hash, source]);
  const name = t("Difference of {0} and {1}", picture.name, other.name);
  const isReady = made !== undefined && made !== "failed";

  return (
    <>
      <ComparisonBar area={area} choice={choice}>
        {attach && (
          <button
            type="button"
            class="secondary-button"
            disabled={!isReady}
            onClick={() => {
              if (isReady) attach(new File([made.png], `${name}.png`, { type: made.png.type }));
            }}
          >
            {t("Attach difference")}
          </button>
        )}
        <span class="comparison-result" role="status">
          {differenceText(made, widthPx * heightPx)}
        </span>
      </ComparisonBar>
      <ComparedArea area={area} name={name}>
        <Frame size={size} zoom={area.zoom}>
          {isReady && (
            <PictureImage picture={made.png} name={name} size={size.whole} zoom={area.zoom} />
          )}
          <RegionBoxes differences={differences} side="first" zoom={area.zoom} />
          <RegionBoxes differences={differences} side="second" zoom={area.zoom} />
        </Frame>
      </ComparedArea>
    </>
  );
}

function differenceText(made: Difference | "failed" | undefined, pixels: number): string {
  if (made === undefined) return t("Comparing");
  if (made === "failed")
    return t("The pictures could not be compared. Close the viewer and try again.");
  if (made.changedPixels === 0) return t("The pictures are identical.");
  const percent = Math.max(0.01, Math.round((made.changedPixels / pixels) * 10_000) / 100);
  return t("{0} pixels differ ({1} %)", made.changedPixels.toLocaleString(), percent);
}

function ComparisonBar({
  area,
  choice,
  children,
}: {
  readonly area: ZoomArea;
  readonly choice: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="picture-tools comparison-tools" role="toolbar" aria-label={t("Compare")}>
      {choice}
      <ZoomTools area={area} />
      {children}
    </div>
  );
}

interface ComparedAreaProps {
  readonly area: ZoomArea;
  readonly name: string;
  readonly onScroll?: () => void;
  readonly children: ComponentChildren;
}

function ComparedArea({ area, name, onScroll, children }: ComparedAreaProps) {
  return (
    <div
      {...area.props}
      class="picture-area"
      tabIndex={0}
      role="group"
      aria-label={name}
      onScroll={onScroll}
      onKeyDown={(event) => {
        if (area.onKey(event.key)) event.preventDefault();
      }}
    >
      {children}
    </div>
  );
}

interface FrameProps {
  readonly size: ComparedSize;
  readonly zoom: number;
  readonly children: ComponentChildren;
}

/** Box of the larger picture, in which both lie at the same place. */
function Frame({ size: { whole }, zoom, children }: FrameProps) {
  const [width, height] = [whole.widthPx * zoom, whole.heightPx * zoom].map(
    (side) => `${Math.max(1, Math.round(side))}px`,
  );
  return (
    <div class="picture-frame" style={{ width, height }}>
      {children}
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
