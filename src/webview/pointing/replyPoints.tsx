/**
 * Places that a reply marks in the pictures of its request: with letters in the text and drawn over the
 * pictures below the text. A chunk of its own; without it the coordinates stay text.
 */
import { t } from "@vscode/l10n";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  MAX_POINTS,
  placePoints,
  type PlacedPoint,
  type PlacedPoints,
} from "../../pointing/placePointing";
import { pointLetter } from "../../pointing/namedPoints";
import type { SeenPicture } from "../../pointing/pictureArea";
import { PointingReader, type ReadPoint } from "../../pointing/readPointing";
import { usePanel } from "../state/panelContext";
import { IconButton, TextButton } from "../ui/iconButton";
import { MAX_CUT_OUT_BYTES } from "../../protocol/pictureMessages";
import type { HostReply } from "../../protocol/toView";
import type { ReplyModel } from "../state/store";
import { cropAround } from "./cropAround";
import { usePictures } from "../pictures/picturesContext";
import { PointMarks, pointAt } from "./pointMarks";
import { PointOverlay, ViewerPointBar, ViewerPoints } from "./pointOverlay";
import { partWith, placeText, useScaledPicture, wholeStyle } from "./pointedPicture";
import { ScaleChoices, useScaleChoice } from "./scaleChoices";

export function ReplyPoints({ model }: { readonly model: ReplyModel }) {
  const { store, draft } = usePanel();
  const pictures = usePictures();
  const rootRef = useRef<HTMLDivElement>(null);
  const active = useSignal<number | undefined>(undefined);
  const [chosenHash, setChosenHash] = useState<string>();
  const [isScaleOpen, setIsScaleOpen] = useState(false);
  const [isAnyListed, setIsAnyListed] = useState(false);
  const [isSourceShown, setIsSourceShown] = useState(false);
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

  const lines = useMarkLines(model.id, placed.points, isStreaming);

  function activate(number: number): void {
    active.value = number;
  }

  async function ask(point: PlacedPoint, isForCode = false): Promise<void> {
    pictures.shown.value = undefined;
    const crop = cropAround(point.region, point.widthPx, point.heightPx);
    const problem = await pictures.marks.attachRegion(point.hash, crop).catch(() => "");
    // After the viewer has returned the focus.
    draft.focus();
    if (problem !== "") draft.showWarning(problem);
    else if (isForCode) draft.findCode(point.label, model.text.whole);
  }

  function open(number: number): void {
    const point = placed.points.find((one) => one.number === number);
    if (point === undefined) return;
    active.value = number;
    lines.open(number);
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
          onAsk={(...asked) => void ask(...asked)}
          hasNoLine={lines.hasNone}
        />
      ),
    };
  }

  useTextMarks(rootRef, placed, active.value, {
    onActive: activate,
    onOpen: open,
    onListed: setIsAnyListed,
  });
  useLayoutEffect(() => {
    const blocks = rootRef.current?.closest("article")?.querySelectorAll(".has-points") ?? [];
    for (const block of blocks) block.classList.toggle("shows-source", isSourceShown);
  }, [isSourceShown, isAnyListed]);
  const hashes = [...new Set(placed.points.map(({ hash }) => hash))];
  const isSettled = !isStreaming && coordinates?.isChosen !== true;
  // Also the scales that a test or an earlier choice excluded.
  const all = useMemo(
    () =>
      isSettled
        ? placePoints(readPoints, seenPictures, { ...options, isEveryScale: true }).choices
        : [],
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
          onAsk={(...asked) => void ask(...asked)}
          lines={lines}
        />
      ))}
      {placed.isPictureUnsure && !isStreaming && (
        <PictureChoice pictures={seenPictures} chosenHash={chosenHash} onChoose={setChosenHash} />
      )}
      {choices.length > 0 && <ScaleChoices choices={choices} onChoose={chooseScale} />}
      <div class="pointed-line">
        {hashes.length > 0 && all.length > 0 && (
          <>
            {placed.isAskedScale && <span>{t("Marks beside their place?")}</span>}
            <button
              ref={focusRef}
              type="button"
              class="link-button"
              aria-expanded={isScaleOpen}
              onClick={() => setIsScaleOpen(!isScaleOpen)}
            >
              {t("Adjust marks")}
            </button>
          </>
        )}
        {isAnyListed && (
          <button
            type="button"
            class="link-button"
            aria-pressed={isSourceShown}
            onClick={() => setIsSourceShown(!isSourceShown)}
          >
            {t("Show source")}
          </button>
        )}
      </div>
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

const CUT_OUT = { maxSidePx: 360, maxBytes: MAX_CUT_OUT_BYTES };

type MarkLine = NonNullable<HostReply["markLines"]>[number];

/** Lines of code that cause what marks show. */
type MarkLines = ReturnType<typeof useMarkLines>;

/** Asks the host for the lines once the reply is complete, and again with each line that is opened. */
function useMarkLines(messageId: string, points: readonly PlacedPoint[], isStreaming: boolean) {
  const { host, store } = usePanel();
  const { loaded } = usePictures();
  const [lines, setLines] = useState<readonly MarkLine[]>();
  const marks = points.flatMap(({ number, codeKey }): [string, string][] =>
    codeKey === undefined ? [] : [[codeKey, pointLetter(number)]],
  );
  const ask = (opened?: string, cutOuts?: [string, Uint8Array][]): Promise<void> =>
    host
      .request({ type: "marks-placed", messageId, marks, opened, cutOuts })
      .then(({ markLines = [], lacksCutOuts }) => {
        setLines(markLines);
        if (lacksCutOuts !== true || cutOuts !== undefined) return;
        const isMarked = ({ number }: PlacedPoint) =>
          markLines.some(({ letter }) => letter === pointLetter(number));
        // A picture that is gone has no hover.
        void cutOutsOf(points.filter(isMarked)).then(
          (made) => ask(undefined, made),
          () => undefined,
        );
      })
      .catch(() => setLines([]));
  const cutOutsOf = (marked: readonly PlacedPoint[]) =>
    Promise.all(
      marked.map(async (point): Promise<[string, Uint8Array]> => {
        const { number, hash, region, widthPx, heightPx } = point;
        const area = cropAround(region, widthPx, heightPx);
        const picture = await loaded.loadScaled(hash, CUT_OUT, area);
        return [pointLetter(number), new Uint8Array(await picture.arrayBuffer())];
      }),
    );
  useEffect(() => {
    if (!isStreaming && marks.length > 0) void ask();
  }, [points, isStreaming]);
  const at = (number: number) => lines?.find(({ letter }) => letter === pointLetter(number));
  const isComplete = !isStreaming && (marks.length === 0 || lines !== undefined);
  const isSearchable = isComplete && store.panel.value?.hasWorkspace === true;
  return {
    at,
    open: (number: number) => void (at(number) && ask(pointLetter(number))),
    /** True for a mark without a line whose code can be searched. */
    hasNone: ({ number }: PlacedPoint) => isSearchable && at(number) === undefined,
  };
}

interface TextMarkHandlers {
  readonly onActive: (number: number) => void;
  readonly onOpen: (number: number) => void;
  /** Called with true if code is hidden, because the list of marks shows it. */
  readonly onListed: (isAnyListed: boolean) => void;
}

/** Marks the positions in the reply's text, and follows pointer and focus there. */
function useTextMarks(
  rootRef: { readonly current: HTMLElement | null },
  placed: PlacedPoints,
  active: number | undefined,
  handlers: TextMarkHandlers,
): void {
  const marksRef = useRef<PointMarks | undefined>(undefined);
  const latest = useRef(handlers);
  latest.current = handlers;
  useLayoutEffect(() => {
    const body = rootRef.current
      ?.closest("article")
      ?.querySelector<HTMLElement>(".reply-body:not(.thinking-body)");
    if (!body) return undefined;
    const marks = new PointMarks(body, (isAnyListed) => latest.current.onListed(isAnyListed));
    marksRef.current = marks;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = ({ target }: Event) => {
      const number = pointAt(target);
      if (number !== undefined) latest.current.onActive(number);
    };
    body.addEventListener("pointerover", follow, { signal });
    body.addEventListener("focusin", follow, { signal });
    const click = ({ target }: Event) => {
      const number = pointAt(target);
      if (number !== undefined) latest.current.onOpen(number);
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
  readonly onAsk: (point: PlacedPoint, isForCode?: boolean) => void;
  readonly lines: MarkLines;
}

/** Share of a picture up to which the part with the marks is shown instead of the whole. */
const PART_SHARE = 0.5;

/** Largest enlargement of the part. */
const MAX_ENLARGED = 2;

/** A picture with its marks, first the part that has them, and the list of the marks. */
function PointedPicture({ points, active, onActive, onOpen, onAsk, lines }: PointedPictureProps) {
  const [isWhole, setIsWhole] = useState(false);
  const [first] = points;
  const { ref: boxRef, url, problem } = useScaledPicture<HTMLDivElement>(first?.hash ?? "");
  const shown = points.find(({ number }) => number === active) ?? first;
  useEffect(() => {
    if (active === undefined || boxRef.current === null) return;
    showInside(boxRef.current, active);
  }, [active]);
  const part = partWith(points);
  if (first === undefined || shown === undefined || part === undefined) return null;
  const { widthPx, heightPx, name } = first;
  const isPartSmall = part.width * part.height < PART_SHARE * widthPx * heightPx;
  const area = isPartSmall && !isWhole ? part : { x: 0, y: 0, width: widthPx, height: heightPx };
  const toggleWhole = () => setIsWhole(isPartSmall && !isWhole);
  return (
    <section class="pointed" aria-label={t("Marks in {0}", name)}>
      <div ref={boxRef} class="pointed-scroll">
        <div
          class="pointed-picture"
          style={{
            aspectRatio: `${area.width} / ${area.height}`,
            maxWidth: `${Math.min(widthPx, MAX_ENLARGED * area.width)}px`,
          }}
        >
          {/* The overlay is above the picture, so that a click beside the marks reaches it. */}
          <div
            class="pointed-whole"
            style={wholeStyle(area, first)}
            onClick={({ target }) => {
              if (target instanceof Element && target.matches(".point-overlay")) toggleWhole();
            }}
          >
            {url !== undefined && <img src={url} alt={name} draggable={false} />}
            {problem !== "" && <p role="alert">{problem}</p>}
            <PointOverlay {...{ points, active, onActive, onOpen }} />
          </div>
        </div>
      </div>
      {isPartSmall && (
        <TextButton
          label={isWhole ? t("Marked part") : t("Whole picture")}
          look="link-button"
          onClick={toggleWhole}
        />
      )}
      <ul
        class={`point-list${points.some(lines.hasNone) ? " can-find" : ""}`}
        aria-label={t("Marks in {0}", name)}
      >
        {points.map((point) => {
          const { number, label } = point;
          const line = lines.at(number);
          return (
            <li key={number} onPointerEnter={() => onActive(number)}>
              <button
                type="button"
                class={`point-mark${number === active ? " is-lit" : ""}`}
                aria-label={t("Show mark {0}", pointLetter(number))}
                onFocus={() => onActive(number)}
                onClick={() => onOpen(number)}
              >
                {pointLetter(number)}
              </button>
              <span>
                <bdi>{label}</bdi> <span class="visually-hidden">{placeText(point)}</span>
                {line && (
                  <>
                    {"· "}
                    <button
                      type="button"
                      class="link-button"
                      aria-label={lineName(label, line)}
                      onFocus={() => onActive(number)}
                      onClick={() => lines.open(number)}
                    >
                      {`${line.file}:${line.line}`}
                    </button>
                  </>
                )}
              </span>
              {point === shown && lines.hasNone(point) && (
                <IconButton
                  icon="search"
                  label={t("Find the code of mark {0}, {1}", pointLetter(number), label)}
                  onClick={() => onAsk(point, true)}
                />
              )}
              {point === shown && (
                <IconButton
                  icon="comment"
                  class="point-ask"
                  label={t("Ask about this mark")}
                  onClick={() => onAsk(point)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function lineName(label: string, { letter, file, line }: MarkLine): string {
  return t("Mark {0}, {1}, {2} line {3}", letter, label, file, line);
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
      {t("Which picture are the marks in?")}
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
