/**
 * Copies text, tables or code from an area of a picture: the area is chosen by pointer or keyboard, one
 * request is sent, and the result is shown next to the area. Loaded when it is first opened.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CopiedContent, PictureContentView } from "../../../protocol/pictureMessages";
import { usePanel } from "../../state/panelContext";
import { writeClipboard } from "../../ui/clipboard";
import { Icon } from "../../ui/iconButton";
import { MarkCanvas } from "../editor/markCanvas";
import { croppedArea, writeMarks, type Area, type Mark } from "../marks";
import type { ContentPicture } from "../pagePictures";
import { PictureDialog, PictureImage, ZoomTools } from "../pictureDialog";
import { lostText, usePicture } from "../pictureLoader";
import { usePictures } from "../picturesContext";
import { useZoomArea } from "../zoomArea";

/** Longest side of the area next to the result, in pixels. */
const SHOWN_SIDE_PX = 1024;

const CONTENTS: readonly CopiedContent[] = ["text", "table", "code"];

interface ContentCopierProps {
  readonly picture: ContentPicture;
  readonly onClose: () => void;
}

type Result =
  | { readonly kind: "asking" }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "read"; readonly view: PictureContentView };

export function ContentCopier({ picture: source, onClose }: ContentCopierProps) {
  const { hash, name, widthPx, heightPx } = source;
  const { host, store } = usePanel();
  const pictures = usePictures();
  const picture = usePicture(hash, pictures);
  const area = useZoomArea(hash, widthPx, heightPx, true);
  const drawn = source.marks.filter(({ kind }) => kind !== "crop");
  const [crop, setCrop] = useState(() => source.marks.findLast(({ kind }) => kind === "crop"));
  const marks = crop ? [...drawn, crop] : drawn;
  const [result, setResult] = useState<Result>();
  const isAsking = result?.kind === "asking";
  const latest = useRef(result);
  latest.current = result;

  /** Stops the request; its exchange stays in the history. */
  function stop(): void {
    if (latest.current?.kind === "asking") host.send({ type: "picture-content-stopped" });
    setResult(undefined);
  }
  useEffect(() => stop, []);
  const actionsRef = useRef<HTMLSpanElement>(null);
  // The button that had the focus was replaced; keys of a dialog without focus go elsewhere.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) {
      actionsRef.current?.querySelector("button")?.focus();
    }
  }, [isAsking]);

  async function copy(content: CopiedContent): Promise<void> {
    const conversationId = store.conversationId.peek();
    if (conversationId === undefined || isAsking) return;
    const asking: Result = { kind: "asking" };
    setResult(asking);
    let answer: Result;
    try {
      const area = croppedArea(marks, widthPx, heightPx);
      const { content: view, notice } = await host.request({
        type: "picture-content-asked",
        conversationId,
        hash,
        content,
        marks: writeMarks([...drawn, { kind: "crop", ...area }]),
      });
      answer = view
        ? { kind: "read", view }
        : { kind: "failed", text: notice?.text ?? t("Nothing was copied.") };
    } catch {
      answer = { kind: "failed", text: t("Nothing was copied. Try again.") };
    }
    // A request that was stopped has no result.
    setResult((now) => (now === asking ? answer : now));
  }

  return (
    <PictureDialog
      label={t("Copy from {0}", name)}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === "Escape" && result !== undefined) stop();
        else if (event.ctrlKey || event.metaKey || !area.onKey(event.key)) return;
        event.preventDefault();
      }}
      tools={<ZoomTools area={area} />}
    >
      <div {...area.props} class="picture-area">
        {picture instanceof Blob && area.zoom > 0 && (
          <MarkCanvas
            picture={picture}
            size={{ widthPx, heightPx }}
            zoom={area.zoom}
            tool="crop"
            ink={0}
            nextNote={1}
            marks={marks}
            onMarks={(all) => setCrop(all.findLast(({ kind }) => kind === "crop"))}
            selected={-1}
            onSelect={() => undefined}
            onMeasured={() => undefined}
          />
        )}
        {typeof picture === "string" && <p role="alert">{picture}</p>}
      </div>
      {result?.kind === "read" && (
        <ContentResult
          view={result.view}
          hash={hash}
          name={name}
          drawn={drawn}
          area={croppedArea(marks, widthPx, heightPx)}
          onOpen={() => {
            const { conversationId } = result.view;
            host.send({ type: "conversation-opened", conversationId });
            pictures.shown.value = undefined;
          }}
        />
      )}
      <div class="picture-facts">
        <span role="status">{statusText(result, crop !== undefined)}</span>
        <span role="alert">{result?.kind === "failed" && result.text}</span>
        <span class="picture-gap" />
        <span ref={actionsRef} class="content-actions">
          {isAsking ? (
            <button type="button" class="secondary-button" onClick={stop}>
              {t("Stop")}
            </button>
          ) : (
            CONTENTS.map((content) => (
              <button
                key={content}
                type="button"
                class={content === "text" ? "primary-button" : "secondary-button"}
                disabled={!(picture instanceof Blob)}
                onClick={() => void copy(content)}
              >
                {nameOf(content)}
              </button>
            ))
          )}
        </span>
      </div>
    </PictureDialog>
  );
}

interface ContentResultProps {
  readonly view: PictureContentView;
  readonly hash: string;
  readonly name: string;
  readonly drawn: readonly Mark[];
  readonly area: Area;
  /** Opens the conversation that has the exchange. */
  readonly onOpen: () => void;
}

/** The area that was sent, next to what was read from it. */
function ContentResult({ view, hash, name, drawn, area, onOpen }: ContentResultProps) {
  const { announcer } = usePanel();
  const pictures = usePictures();
  const [sent, setSent] = useState<Blob | string>();
  const resultRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => resultRef.current?.focus(), [view]);
  useEffect(() => {
    const marks: readonly Mark[] = [...drawn, { kind: "crop", ...area }];
    pictures.loadScaled(hash, SHOWN_SIDE_PX, marks).then(setSent, (error: unknown) => {
      setSent(lostText(error));
    });
  }, [view]);
  const fit = Math.min(1, SHOWN_SIDE_PX / Math.max(area.width, area.height));
  const { copies, pieces, tables } = view;
  return (
    <div class="content-result">
      <div class="content-area" tabIndex={0} role="group" aria-label={t("Sent area of {0}", name)}>
        <PictureImage
          picture={sent}
          name={t("Sent area of {0}", name)}
          size={{ widthPx: area.width * fit, heightPx: area.height * fit }}
          zoom={1 / devicePixelRatio}
        />
      </div>
      <div
        ref={resultRef}
        class="content-read"
        tabIndex={0}
        role="group"
        aria-label={t("Read from the picture")}
      >
        {tables.map((rows, table) => (
          <ResultTable key={table} rows={rows} />
        ))}
        {pieces.length > 0 && (
          <pre>
            {pieces.map((piece, index) => (
              <Read key={index} {...piece} />
            ))}
          </pre>
        )}
      </div>
      <div class="content-copies">
        {copies.map(({ format, text, html }) => (
          <button
            key={format}
            type="button"
            class="secondary-button"
            onClick={() => {
              const isCopied = writeClipboard(text, html);
              announcer.showToast(isCopied ? t("Copied") : t("This could not be copied."));
            }}
          >
            <Icon name="copy" />
            {formatName(format)}
          </button>
        ))}
        <button type="button" class="secondary-button" onClick={onOpen}>
          {t("Open conversation")}
        </button>
      </div>
    </div>
  );
}

type Pieces = PictureContentView["pieces"];

function ResultTable({ rows: [head = [], ...rows] }: { readonly rows: readonly Pieces[] }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col">
              <Read {...cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          <tr key={line}>
            {row.map((cell, at) => (
              <td key={at}>
                <Read {...cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Read({ text, isUncertain }: Pieces[number]) {
  if (!isUncertain) return <>{text}</>;
  return (
    <mark class="uncertain" title={t("Uncertain")}>
      {text}
      <span class="uncertain-sign" aria-label={t("Uncertain")} role="img">
        ?
      </span>
    </mark>
  );
}

function statusText(result: Result | undefined, hasArea: boolean): string {
  if (result?.kind === "asking") return t("Reading the picture. Escape stops.");
  if (result?.kind === "failed") return "";
  if (result === undefined) {
    return hasArea
      ? t("The chosen area is sent.")
      : t("The whole picture is sent. Drag to choose an area.");
  }
  const { copies, pieces, tables } = result.view;
  if (copies.length === 0) return t("The reply has no such content. This is the whole reply.");
  const uncertain = [...pieces, ...tables.flat(2)].filter(({ isUncertain }) => isUncertain).length;
  const copied = copies[0]?.format === "markdown" ? t("Copied as Markdown.") : t("Copied.");
  return uncertain === 0 ? copied : t("{0} Uncertain: {1}", copied, uncertain);
}

function nameOf(content: CopiedContent): string {
  switch (content) {
    case "text":
      return t("Copy text");
    case "table":
      return t("Copy as table");
    case "code":
      return t("Copy as code");
    default:
      return content satisfies never;
  }
}

function formatName(format: PictureContentView["copies"][number]["format"]): string {
  switch (format) {
    case "text":
      return t("Copy");
    case "markdown":
      return t("Copy as Markdown");
    case "cells":
      return t("Copy for spreadsheets");
    case "csv":
      return t("Copy as CSV");
    default:
      return format satisfies never;
  }
}
