/**
 * Positions that a reply names in the pictures of its request: with letters in the text and drawn over the
 * pictures below the text. A chunk of its own; without it the coordinates stay text.
 */
import { t } from "@vscode/l10n";
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  MAX_POINTS,
  placePoints,
  type PlacedPoint,
  type PlacedPoints,
} from "../../pointing/placePointing";
import type { SeenPicture } from "../../pointing/pictureArea";
import { PointingReader, type ReadPoint } from "../../pointing/readPointing";
import { usePanel } from "../state/panelContext";
import { Icon, TextButton } from "../ui/iconButton";
import type { ReplyModel } from "../state/store";
import { cropAround } from "./cropAround";
import { usePictures } from "../pictures/picturesContext";
import { PointMarks, pointAt, pointName } from "./pointMarks";
import { PointOverlay, ViewerPointBar, ViewerPoints } from "./pointOverlay";
import { positionText, useScaledPicture } from "./pointedPicture";
import { ScaleChoices, useScaleChoice } from "./scaleChoices";

export function ReplyPoints({ model }: { readonly model: ReplyModel }) {
  const { store, draft } = usePanel();
  const pictures = usePictures();
  const rootRef = useRef<HTMLDivElement>(null);
  const active = useSignal<number | undefined>(undefined);
  const [chosenHash, setChosenHash] = useState<string>();
  const [isScaleOpen, setIsScaleOpen] = useState(false);
  const { isStreaming, seenPictures = [], isPointingAsked, pictureTokens } = model.view.value;
  const readPoints = useReadPoints(model, isStreaming);
  const coordinates = store.panel.value?.coordinates;
  const options = {
    chosenHash,
    isStreaming,
    isAsked: isPointingAsked,
    tokens: pictureTokens,
    isScaleChosen: coordinates?.isChosen,
  };
  const placed = useMemo(
    () => placePoints(readPoints, seenPictures, { ...options, scales: coordinates?.scales }),
    [readPoints, seenPictures, coordinates, chosenHash, isStreaming],
  );

  function activate(number: number): void {
    active.value = number;
  }

  async function ask(point: PlacedPoint): Promise<void> {
    pictures.shown.value = undefined;
    const crop = cropAround(point.region, point.widthPx, point.heightPx);
    const problem = await pictures.marks.attachRegion(point.hash, crop).catch(() => "");
    // After the viewer has returned the focus.
    draft.focus();
    if (problem !== "") draft.showWarning(problem);
  }

  function open(number: number): void {
    const point = placed.points.find((one) => one.number === number);
    if (point === undefined) return;
    active.value = number;
    const { hash, widthPx, heightPx, name } = point;
    const points = placed.points.filter((one) => one.hash === hash);
    pictures.shown.value = {
      kind: "looked-at",
      messageId: model.id,
      chip: {
        kind: "picture",
        label: name,
        detail: `${widthPx}×${heightPx}`,
        picture: { hash, widthPx, heightPx },
      },
      overlay: (area) => <ViewerPoints {...{ area, points, active }} onActive={activate} />,
      footer: (
        <ViewerPointBar
          {...{ points, active }}
          messageId={model.id}
          onAsk={(asked) => void ask(asked)}
        />
      ),
    };
  }

  useTextMarks(rootRef, placed, active.value, activate, open);
  const hashes = [...new Set(placed.points.map(({ hash }) => hash))];
  const isSettled = !isStreaming && coordinates?.isChosen !== true;
  // Also the scales that a test or an earlier choice excluded.
  const all = useMemo(
    () => (isSettled ? placePoints(readPoints, seenPictures, options).choices : []),
    [readPoints, seenPictures, chosenHash, isSettled],
  );
  const choices = isScaleOpen ? all : isStreaming ? [] : placed.choices;
  const { chooseScale, focusRef } = useScaleChoice(() => setIsScaleOpen(false));
  return (
    <div ref={rootRef} class="reply-points">
      {hashes.map((hash) => (
        <PointedPicture
          key={hash}
          points={placed.points.filter((point) => point.hash === hash)}
          active={active.value}
          onActive={activate}
          onOpen={open}
          onAsk={(point) => void ask(point)}
          {...(all.length > 0 &&
            hash === hashes.at(-1) && {
              scaleToggle: {
                ref: focusRef,
                isOpen: isScaleOpen,
                onToggle: () => setIsScaleOpen(!isScaleOpen),
              },
            })}
        />
      ))}
      {placed.isPictureUnsure && !isStreaming && (
        <PictureChoice pictures={seenPictures} chosenHash={chosenHash} onChoose={setChosenHash} />
      )}
      {choices.length > 0 && <ScaleChoices choices={choices} onChoose={chooseScale} />}
    </div>
  );
}

/** Reads the reply as it grows, each part once. */
function useReadPoints(model: ReplyModel, isStreaming: boolean): readonly ReadPoint[] {
  const [points, setRead] = useState<readonly ReadPoint[]>([]);
  useLayoutEffect(() => {
    let reader = new PointingReader();
    let readPoints: ReadPoint[] = [];
    const append = (text: string) => {
      const more = reader.append(text);
      if (!isStreaming) more.push(...reader.end());
      // One more than can be shown is enough to know that they are too many.
      readPoints = [...readPoints, ...more].slice(0, MAX_POINTS + 1);
      if (more.length > 0) setRead(readPoints);
    };
    const readAgain = () => {
      reader = new PointingReader();
      readPoints = [];
      append(model.text.whole);
      if (readPoints.length === 0) setRead(readPoints);
    };
    readAgain();
    const following = model.text.onChanged((change) => {
      if (change.kind === "appended" && isStreaming) append(change.text);
      else readAgain();
    });
    return () => following.dispose();
  }, [model, isStreaming]);
  return points;
}

/** Marks the positions in the reply's text, and follows pointer and focus there. */
function useTextMarks(
  rootRef: { readonly current: HTMLElement | null },
  placed: PlacedPoints,
  active: number | undefined,
  onActive: (number: number) => void,
  onOpen: (number: number) => void,
): void {
  const marksRef = useRef<PointMarks | undefined>(undefined);
  const handlers = useRef({ onActive, onOpen });
  handlers.current = { onActive, onOpen };
  useLayoutEffect(() => {
    const body = rootRef.current
      ?.closest("article")
      ?.querySelector<HTMLElement>(".reply-body:not(.thinking-body)");
    if (!body) return undefined;
    const marks = new PointMarks(body);
    marksRef.current = marks;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = ({ target }: Event) => {
      const number = pointAt(target);
      if (number !== undefined) handlers.current.onActive(number);
    };
    body.addEventListener("pointerover", follow, { signal });
    body.addEventListener("focusin", follow, { signal });
    const click = ({ target }: Event) => {
      const number = pointAt(target);
      if (number !== undefined) handlers.current.onOpen(number);
    };
    body.addEventListener("click", click, { signal });
    return () => {
      controller.abort();
      marks.dispose();
    };
  }, [rootRef]);
  useEffect(() => marksRef.current?.update(placed), [placed]);
  useEffect(() => marksRef.current?.light(active), [placed, active]);
}

interface PointedPictureProps {
  /** Positions in this picture; never empty. */
  readonly points: readonly PlacedPoint[];
  readonly active: number | undefined;
  readonly onActive: (number: number) => void;
  readonly onOpen: (number: number) => void;
  readonly onAsk: (point: PlacedPoint) => void;
  readonly scaleToggle?: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly isOpen: boolean;
    readonly onToggle: () => void;
  };
}

/** A picture with its positions, a line about the active one, and a list for screen readers. */
function PointedPicture(props: PointedPictureProps) {
  const { points, active, onActive, onOpen, onAsk, scaleToggle } = props;
  const [first] = points;
  const { ref: boxRef, url, problem } = useScaledPicture<HTMLDivElement>(first?.hash ?? "");
  const shown = points.find(({ number }) => number === active) ?? first;
  useEffect(() => {
    if (active === undefined || boxRef.current === null) return;
    showInside(boxRef.current, active);
  }, [active]);
  if (first === undefined || shown === undefined) return null;
  const { widthPx, heightPx, name } = first;
  return (
    <section class="pointed" aria-label={t("Positions in {0}", name)}>
      <div ref={boxRef} class="pointed-scroll">
        <div
          class="pointed-picture"
          style={{ aspectRatio: `${widthPx} / ${heightPx}`, maxWidth: `${widthPx}px` }}
        >
          {url !== undefined && <img src={url} alt={name} draggable={false} />}
          {problem !== "" && <p role="alert">{problem}</p>}
          <PointOverlay {...{ points, active, onActive, onOpen }} />
        </div>
      </div>
      <div class="pointed-line">
        <bdi class="pointed-name">{pointName(shown)}</bdi>
        <TextButton label={t("Ask about this region")} onClick={() => onAsk(shown)} />
        {scaleToggle && (
          <button
            ref={scaleToggle.ref}
            type="button"
            class="icon-button"
            title={t("Fix positions")}
            aria-expanded={scaleToggle.isOpen}
            onClick={scaleToggle.onToggle}
          >
            <Icon name="settings" />
          </button>
        )}
      </div>
      <ul class="visually-hidden" aria-label={t("Positions in {0}", name)}>
        {points.map((point) => (
          <li key={point.number}>{positionText(point)}</li>
        ))}
      </ul>
    </section>
  );
}

/** Scrolls a long picture so that a position is visible, without scrolling the conversation. */
function showInside(box: HTMLElement, number: number): void {
  const point = box.querySelector(`.point-box[data-point="${number}"]`);
  if (point === null) return;
  const [outer, inner] = [box.getBoundingClientRect(), point.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

interface PictureChoiceProps {
  readonly pictures: readonly SeenPicture[];
  readonly chosenHash: string | undefined;
  readonly onChoose: (hash: string) => void;
}

/** Asks for the picture of coordinates that name none. */
function PictureChoice({ pictures, chosenHash, onChoose }: PictureChoiceProps) {
  return (
    <label class="point-choice">
      {t("Which picture do the positions belong to?")}
      <select value={chosenHash ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="" disabled>
          {t("Choose a picture…")}
        </option>
        {pictures.map(({ hash, name, number, tile }) => (
          <option key={hash} value={hash}>
            {tile === undefined
              ? t("{0}: {1}", number, name)
              : t("{0}: {1}, tile {2}", number, name, tile)}
          </option>
        ))}
      </select>
    </label>
  );
}
