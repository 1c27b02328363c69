/** Asks which of several scales fits a reply: the picture with the marks of each, chosen with a click. */
import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CoordinateScale, Region } from "../../pointing/coordinates";
import type { ScaleChoice } from "../../pointing/placePointing";
import { usePanel } from "../state/panelContext";
import { TextButton } from "../ui/iconButton";
import { partWith, placeText, useScaledPicture, wholeStyle } from "./pointedPicture";
import { pointName } from "./pointMarks";
import { boxStyle } from "./pointOverlay";

/** Number of marks in the name of a choice. */
const NAMED_POINTS = 3;

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
  const { host } = usePanel();
  const shown = choices.map(({ points, ...choice }) => ({
    ...choice,
    points: points.filter(({ hash }) => hash === first?.hash),
  }));
  const part = partWith(shown.flatMap(({ points }) => points));
  if (first === undefined || part === undefined) return null;
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
              {choice.points
                .slice(0, NAMED_POINTS)
                .map((point) => `${pointName(point)}, ${placeText(point)}`)
                .join("; ")}
            </span>
          </button>
        ))}
      </div>
      <p>
        {t("None fits?")}{" "}
        <TextButton
          label={t("Test the model")}
          look="link-button"
          onClick={() => host.send({ type: "action-asked", action: "test-connection" })}
        />
      </p>
    </fieldset>
  );
}

function windowStyle({ width, height }: Region): Record<string, string> {
  const shape = width / height;
  return { aspectRatio: String(shape), width: `min(100%, calc(var(--choice-height) * ${shape}))` };
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
