/**
 * Copies text, tables or code from an area of a picture: the area is chosen by pointer or keyboard, one
 * request is sent, and the result is shown below the picture. Loaded when it is first opened.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CopiedContent, PictureContentView } from "../../../protocol/pictureMessages";
import { usePanel } from "../../state/panelContext";
import { TextButton } from "../../ui/iconButton";
import { MarkCanvas } from "../editor/markCanvas";
import { croppedArea, type Mark } from "../marks";
import type { ContentPicture } from "../pagePictures";
import { PictureDialog, ZoomTools } from "../pictureDialog";
import { usePicture } from "../pictureLoader";
import { usePictures } from "../picturesContext";
import { useZoomArea } from "../zoomArea";

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
  const picture = usePicture(hash, pictures.loaded);
  const area = useZoomArea(hash, widthPx, heightPx, true);
  const [crop, setCrop] = useState<readonly Mark[]>([]);
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
      const chosen: Mark = { kind: "crop", ...croppedArea(crop, widthPx, heightPx) };
      const { content: view, notice } = await host.request({
        type: "picture-content-asked",
        conversationId,
        hash,
        content,
        marks: JSON.stringify([chosen]),
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
            nextNote={1}
            marks={crop}
            onMarks={(all) => setCrop(all.slice(-1))}
          />
        )}
        {typeof picture === "string" && <p role="alert">{picture}</p>}
      </div>
      {result?.kind === "read" && (
        <ContentResult
          text={result.view.text}
          onOpen={() => {
            const { conversationId } = result.view;
            host.send({ type: "conversation-opened", conversationId });
            pictures.shown.value = undefined;
          }}
        />
      )}
      <div class="picture-facts">
        <span role="status">{statusText(result, crop.length > 0)}</span>
        <span role="alert">{result?.kind === "failed" && result.text}</span>
        <span class="picture-gap" />
        <span ref={actionsRef} class="content-actions">
          {isAsking ? (
            <TextButton label={t("Stop")} onClick={stop} />
          ) : (
            CONTENTS.map((content) => (
              <TextButton
                key={content}
                label={nameOf(content)}
                look={content === "text" ? "primary-button" : "secondary-button"}
                isDisabled={!(picture instanceof Blob)}
                onClick={() => void copy(content)}
              />
            ))
          )}
        </span>
      </div>
    </PictureDialog>
  );
}

interface ContentResultProps {
  readonly text: string;
  /** Opens the conversation that has the exchange. */
  readonly onOpen: () => void;
}

/** What was read from the area. */
function ContentResult({ text, onOpen }: ContentResultProps) {
  const ref = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => ref.current?.focus(), [text]);
  return (
    <div class="content-result">
      <pre ref={ref} tabIndex={0} role="group" aria-label={t("Read from the picture")}>
        {text}
      </pre>
      <TextButton label={t("Open conversation")} onClick={onOpen} />
    </div>
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
  const { isCopied, uncertainCount } = result.view;
  if (!isCopied) return t("The reply has no such content. This is the whole reply.");
  return uncertainCount === 0 ? t("Copied.") : t("Copied. Uncertain, in ⟦ ⟧: {0}", uncertainCount);
}

function nameOf(content: CopiedContent): string {
  return { text: t("Copy text"), table: t("Copy as table"), code: t("Copy as code") }[content];
}
