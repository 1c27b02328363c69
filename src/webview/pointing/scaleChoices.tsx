/** Asks which of several scales fits a reply: the picture with the boxes of each, chosen with a click. */
import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CoordinateScale, Region } from "../../pointing/coordinates";
import type { PlacedPoint, ScaleChoice } from "../../pointing/placePointing";
import { usePanel } from "../state/panelContext";
import { positionText, useScaledPicture } from "./pointedPicture";
import { boxStyle } from "./pointOverlay";

/** Number of positions in the name of a choice. */
const NAMED_POINTS = 3;

/** Room around the boxes, as a share of their extent, and least extent as a share of the picture. */
const MARGIN = 0.25;
const LEAST_EXTENT = 0.1;

/** Returns a function that saves the scale for the service and model; the focus then goes to the element. */
export function useScaleChoice(onChosen: () => void): {
  readonly chooseScale: (scale: CoordinateScale) => void;
  readonly focusRef: RefObject<HTMLButtonElement | null>;
} {
  const { store, host } = usePanel();
  const focusRef = useRef<HTMLButtonElement>(null);
  const [isFocusDue, setIsFocusDue] = useState(false);
  // Where nothing was shown before the choice, the element appears with the saved scale.
  useLayoutEffect(() => {
    if (!isFocusDue || focusRef.current === null) return;
    focusRef.current.focus();
    setIsFocusDue(false);
  });
  function chooseScale(scale: CoordinateScale): void {
    const conversationId = store.conversationId.value;
    if (conversationId === undefined) return;
    host.send({ type: "coordinates-chosen", conversationId, scale });
    setIsFocusDue(true);
    onChosen();
  }
  return { chooseScale, focusRef };
}

interface ScaleChoicesProps {
  readonly choices: readonly ScaleChoice[];
  readonly onChoose: (scale: CoordinateScale) => void;
}

export function ScaleChoices({ choices, onChoose }: ScaleChoicesProps) {
  const first = choices.flatMap(({ points }) => points)[0];
  const { ref, url } = useScaledPicture<HTMLFieldSetElement>(first?.hash ?? "");
  if (first === undefined) return null;
  const shown = choices.map(({ points, ...choice }) => ({
    ...choice,
    points: points.filter(({ hash }) => hash === first.hash),
  }));
  const part = commonPart(first, shown);
  return (
    <fieldset ref={ref} class="scale-choices">
      <legend>{t("Which fits?")}</legend>
      <div class="scale-choice-list">
        {shown.map((choice) => (
          <button
            key={choice.scale}
            type="button"
            class="scale-choice"
            onClick={() => onChoose(choice.scale)}
          >
            <span class="scale-choice-picture" style={windowStyle(part)}>
              <span class="scale-choice-whole" style={wholeStyle(part, first)}>
                {url !== undefined && <img src={url} alt="" draggable={false} />}
                {choice.points.map((point) => (
                  <span key={point.number} class="scale-choice-box" style={boxStyle(point)} />
                ))}
              </span>
            </span>
            <span>{scaleLabel(choice)}</span>
            <span class="visually-hidden">
              {choice.points.slice(0, NAMED_POINTS).map(positionText).join("; ")}
            </span>
          </button>
        ))}
      </div>
      <p>{t("If none fits, run Core Chat: Test Connection. It finds the scale of the model.")}</p>
    </fieldset>
  );
}

/** Returns the part of the picture in which all boxes are, so that small differences are visible. */
function commonPart(
  { widthPx, heightPx }: PlacedPoint,
  choices: readonly { readonly points: readonly PlacedPoint[] }[],
): Region {
  const regions = choices.flatMap(({ points }) => points.map(({ region }) => region));
  const across = range(
    regions.map(({ x, width }) => [x, x + width]),
    widthPx,
  );
  const down = range(
    regions.map(({ y, height }) => [y, y + height]),
    heightPx,
  );
  return { x: across[0], y: down[0], width: across[1], height: down[1] };
}

/** Returns start and length of a range that includes all others, with a margin. */
function range(
  ranges: readonly (readonly [number, number])[],
  sidePx: number,
): [start: number, length: number] {
  const start = Math.min(...ranges.map(([from]) => from));
  const end = Math.max(...ranges.map(([, to]) => to));
  const margin = Math.max((end - start) * MARGIN, (sidePx * LEAST_EXTENT) / 2);
  const from = Math.max(0, start - margin);
  return [from, Math.max(1, Math.min(sidePx, end + margin) - from)];
}

function windowStyle({ width, height }: Region): Record<string, string> {
  const shape = width / height;
  return { aspectRatio: String(shape), width: `min(100%, calc(var(--choice-height) * ${shape}))` };
}

function wholeStyle(part: Region, { widthPx, heightPx }: PlacedPoint): Record<string, string> {
  return {
    width: `${(widthPx / part.width) * 100}%`,
    height: `${(heightPx / part.height) * 100}%`,
    left: `${(-part.x / part.width) * 100}%`,
    top: `${(-part.y / part.height) * 100}%`,
  };
}

function scaleLabel({ scale, unit }: Pick<ScaleChoice, "scale" | "unit">): string {
  const isYFirst = scale.endsWith("YFirst");
  const edge = unit.widthPx;
  const isRange = /^(?:thousand|one|percent)/.test(scale);
  if (!isRange) {
    return scale === "pixels" ? t("Pixels") : t("Pixels of {0} × {1}", unit.widthPx, unit.heightPx);
  }
  return isYFirst ? t("0 to {0}, y first", edge) : t("0 to {0}", edge);
}
