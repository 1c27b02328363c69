/**
 * Compares two pictures: side by side with common zoom and scroll position, by a movable border, by
 * turns, or as a picture of their differences that can be attached, with the share of equal pixels. A
 * picture of the same proportions is shown in the size of the other.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/iconButton";
import type { ComparisonMode } from "../../../protocol/previewMessages";
import type { Attempt, Attempts } from "../attempts";
import { AttemptStrip, equalText } from "./attemptStrip";
import { comparedSize, type ComparedSize } from "../comparedSize";
import type { GalleryPicture } from "./gallery";
import { PictureImage, ZoomTools } from "../pictureDialog";
import { usePicture, type Difference, type PictureLoader } from "../pictureLoader";
import { useZoomArea, type SharedZoom, type ZoomArea } from "../zoomArea";

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
  /** Hash of the other picture that is shown. */
  readonly otherHash: string;
  readonly source: PictureLoader;
  /** Called with the hash of another picture that the user chose. */
  readonly onChoose: (hash: string) => void;
  /** Attaches the picture of the differences to the next question. */
  readonly attach?: ((difference: File) => void) | undefined;
  /** Asks about the differences between another, earlier picture and the picture. */
  readonly ask: (earlier: GalleryPicture) => void;
  /** Text of the button that asks. */
  readonly askName?: string;
  readonly attempts: Attempts;
  /** The picture as an attempt. */
  readonly attempt: Pick<Attempt, "id" | "name">;
  /** True to focus the attempt that is shown. */
  readonly isAttemptFocused?: boolean;
  /** Receives the picture as an attempt with the hash of the picture that it was compared with. */
  readonly onCompared: (otherHash: string, attempt: Attempt) => void;
  /** Called with the id of an attempt that the user chose. */
  readonly onAttempt: (id: string, otherHash: string) => void;
}

export function PictureComparison({
  mode,
  picture,
  others,
  otherHash,
  source,
  onChoose,
  attempts,
  attempt,
  isAttemptFocused,
  onCompared,
  onAttempt,
  ...asking
}: ComparisonProps) {
  const [fallback] = others;
  const other = others.find(({ hash }) => hash === otherHash) ?? fallback;
  if (other === undefined) return null;
  const choice = (
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
  );
  const pair = { picture, other, source, choice };
  return (
    <>
      <ComparedPair
        key={`${picture.hash} ${other.hash}`}
        {...pair}
        {...asking}
        mode={mode}
        onCompared={(percent) => onCompared(other.hash, { ...attempt, percent })}
      />
      <AttemptStrip
        attempts={attempts.get(other.hash) ?? []}
        shown={attempt.id}
        isFocused={isAttemptFocused}
        onChoose={(id) => onAttempt(id, other.hash)}
      />
    </>
  );
}

function ComparedPair({
  mode,
  attach,
  ask,
  askName = t("Ask about the differences"),
  onCompared,
  ...pair
}: Pair &
  Pick<ComparisonProps, "mode" | "attach" | "ask" | "askName"> & {
    readonly onCompared: (percent: number) => void;
  }) {
  const difference = useDifference(pair);
  const percent =
    difference === undefined || difference === "failed"
      ? undefined
      : percentOf(difference.equalShare);
  useEffect(() => {
    if (percent !== undefined) onCompared(percent);
  }, [percent]);
  return (
    <>
      {mode === "side-by-side" && <SideBySide {...pair} />}
      {mode === "swipe" && <Swipe {...pair} />}
      {mode === "flicker" && <Flicker {...pair} />}
      {mode === "difference" && (
        <DifferenceView {...pair} difference={difference} attach={attach} />
      )}
      <div class="comparison-result">
        <span role="status">{resultText(difference, percent)}</span>
        <button
          type="button"
          class="primary-button"
          disabled={percent === undefined}
          onClick={() => ask(pair.other)}
        >
          {askName}
        </button>
      </div>
    </>
  );
}

/** Rounds down, so that pictures with any difference never have 100 %. */
function percentOf(share: number): number {
  return Math.floor(share * 1000) / 10;
}

function resultText(difference: Difference | "failed" | undefined, percent = 0): string {
  if (difference === undefined) return t("Comparing");
  if (difference === "failed") {
    return t("The pictures could not be compared. Close the viewer and try again.");
  }
  return equalText(percent);
}

/** Draws the difference of a pair: undefined meanwhile. */
function useDifference({ picture, other, source }: Pair): Difference | "failed" | undefined {
  const [difference, setDifference] = useState<Difference | "failed">();
  const size = useRef(comparedSize(picture, other));
  useEffect(() => {
    let isGone = false;
    setDifference(undefined);
    source.difference(picture.hash, other.hash, size.current).then(
      (drawn) => !isGone && setDifference(drawn),
      () => !isGone && setDifference("failed"),
    );
    return () => {
      isGone = true;
    };
  }, [picture.hash, other.hash, source]);
  return difference;
}

interface Pair {
  readonly picture: GalleryPicture;
  readonly other: GalleryPicture;
  readonly source: PictureLoader;
  /** List of the pictures to compare with. */
  readonly choice: ComponentChildren;
}

/** Two areas that zoom and scroll together. */
function SideBySide({ picture, other, source, choice }: Pair) {
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
        <div class="compared-side">
          <ComparedArea area={left} name={picture.name} onScroll={follow(left, right)}>
            <Frame size={size} zoom={zoom}>
              <Layer source={source} picture={picture} size={size.first} zoom={zoom} />
            </Frame>
          </ComparedArea>
          <Names names={[picture.name]} />
        </div>
        <div class="compared-side">
          <ComparedArea area={right} name={other.name} onScroll={follow(right, left)}>
            <Frame size={size} zoom={zoom}>
              <Layer source={source} picture={other} size={size.second} zoom={zoom} />
            </Frame>
          </ComparedArea>
          <Names names={[other.name]} />
        </div>
      </div>
    </>
  );
}

/** Two pictures with a movable border: the first is visible left of the border, the second right. */
function Swipe({ picture, other, source, choice }: Pair) {
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
          <div class="swipe-border" style={{ left: `${percent}%` }} />
        </Frame>
      </ComparedArea>
      <Names names={[picture.name, other.name]} />
    </>
  );
}

/** The pictures by turns; paused at first if the user prefers less motion. */
function Flicker({ picture, other, source, choice }: Pair) {
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
        </Frame>
      </ComparedArea>
      <Names names={[isOther ? other.name : picture.name]} />
    </>
  );
}

/** The first picture in gray, with each different pixel in a color. */
function DifferenceView({
  picture,
  other,
  choice,
  difference,
  attach,
}: Pair &
  Pick<ComparisonProps, "attach"> & { readonly difference: Difference | "failed" | undefined }) {
  const size = comparedSize(picture, other);
  const { widthPx, heightPx } = size.whole;
  const area = useZoomArea(picture.hash, widthPx, heightPx, false);
  const name = t("Difference of {0} and {1}", picture.name, other.name);
  const drawn = difference === "failed" ? undefined : difference?.png;
  return (
    <>
      <ComparisonBar area={area} choice={choice}>
        {attach && (
          <button
            type="button"
            class="secondary-button"
            disabled={drawn === undefined}
            onClick={() => {
              if (drawn) attach(new File([drawn], `${name}.png`, { type: drawn.type }));
            }}
          >
            {t("Attach difference")}
          </button>
        )}
      </ComparisonBar>
      <ComparedArea area={area} name={name}>
        <Frame size={size} zoom={area.zoom}>
          {drawn && <PictureImage picture={drawn} name={name} size={size.whole} zoom={area.zoom} />}
        </Frame>
      </ComparedArea>
    </>
  );
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
