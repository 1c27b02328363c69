/**
 * Editor for marks on an attached picture: crop, box, arrow, freehand, numbered pins and opaque
 * redaction, with undo, zoom and keyboard. The original stays; the sent picture is drawn from it.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { AttachmentView } from "../../protocol/views";
import { IconButton } from "../ui/iconButton";
import { MarkCanvas } from "./markCanvas";
import { notApplied } from "./attachedPicture";
import { readMarks, type Mark, type MarkKind } from "./marks";
import { PictureDialog, usePicture, ZoomTools } from "./pictureDialog";
import { useZoomArea } from "./zoomArea";
import { usePictures } from "./picturesContext";

interface PictureEditorProps {
  readonly attachment: AttachmentView;
  /** Initial tool. */
  readonly firstTool?: MarkKind;
  readonly onClose: () => void;
}

/** Marks with the states for undo and redo. */
interface MarkHistory {
  readonly marks: readonly Mark[];
  readonly undone: readonly (readonly Mark[])[];
  readonly before: readonly (readonly Mark[])[];
}

const UNTOUCHED: Omit<MarkHistory, "marks"> = { undone: [], before: [] };

const TOOLS: readonly { readonly kind: MarkKind; readonly icon: string }[] = [
  { kind: "crop", icon: "screen-cut" },
  { kind: "box", icon: "primitive-square" },
  { kind: "arrow", icon: "arrow-right" },
  { kind: "line", icon: "edit" },
  { kind: "pin", icon: "pin" },
  { kind: "redaction", icon: "eye-closed" },
];

export function PictureEditor({ attachment, firstTool = "box", onClose }: PictureEditorProps) {
  const pictures = usePictures();
  const { hash = "", widthPx = 1, heightPx = 1 } = attachment.picture ?? {};
  const picture = usePicture(hash);
  const area = useZoomArea(hash, widthPx, heightPx, true);
  const { zoom } = area;
  const [tool, setTool] = useState<MarkKind>(firstTool);
  const [drawn, setDrawn] = useState<MarkHistory>(() => {
    const used = readMarks(attachment.marks);
    const unused = pictures.unusedMarks.get(attachment.id);
    return unused ? { marks: unused, undone: [], before: [used] } : { ...UNTOUCHED, marks: used };
  });
  const [problem, setProblem] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => setProblem(""), [drawn]);
  // Unapplied marks are restored when the editor opens again.
  useLayoutEffect(() => {
    if (drawn.before.length > 0) pictures.unusedMarks.set(attachment.id, drawn.marks);
    else pictures.unusedMarks.delete(attachment.id);
  }, [drawn, pictures, attachment.id]);

  function change(marks: readonly Mark[]): void {
    setDrawn(({ marks: last, before }) => ({ marks, undone: [], before: [...before, last] }));
  }

  function undo(): void {
    setDrawn(({ marks, undone, before }) => {
      const last = before.at(-1);
      if (last === undefined) return { marks, undone, before };
      return { marks: last, undone: [...undone, marks], before: before.slice(0, -1) };
    });
  }

  function redo(): void {
    setDrawn(({ marks, undone, before }) => {
      const next = undone.at(-1);
      if (next === undefined) return { marks, undone, before };
      return { marks: next, undone: undone.slice(0, -1), before: [...before, marks] };
    });
  }

  async function use(): Promise<void> {
    if (!(picture instanceof Blob) || isBusy) return;
    setIsBusy(true);
    try {
      const refusal = await pictures.applyMarks(attachment, drawn.marks);
      if (refusal === "") {
        pictures.unusedMarks.delete(attachment.id);
        onClose();
      } else setProblem(refusal);
    } catch {
      setProblem(notApplied());
    } finally {
      setIsBusy(false);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const isRedo = (key === "z" && shiftKey) || key === "Z" || key === "y";
    if (isCommand && isRedo) redo();
    else if (isCommand && key === "z") undo();
    else if (isCommand && key === "Enter") void use();
    else if (isCommand) return;
    else if (!area.onKey(key)) {
      const chosen = TOOLS[Number(key) - 1];
      if (chosen === undefined) return;
      setTool(chosen.kind);
    }
    event.preventDefault();
  }

  return (
    <PictureDialog
      label={t("Mark up {0}", attachment.label)}
      onClose={onClose}
      onKeyDown={onKeyDown}
      tools={
        <>
          {TOOLS.map(({ kind, icon }, index) => (
            <button
              key={kind}
              type="button"
              class="icon-button"
              aria-label={nameOf(kind)}
              aria-pressed={tool === kind}
              title={`${nameOf(kind)} (${index + 1})`}
              onClick={() => setTool(kind)}
            >
              <span class={`codicon codicon-${icon}`} aria-hidden="true" />
            </button>
          ))}
          <IconButton
            icon="discard"
            label={t("Undo")}
            isDisabled={drawn.before.length === 0}
            onClick={undo}
          />
          <IconButton
            icon="redo"
            label={t("Redo")}
            isDisabled={drawn.undone.length === 0}
            onClick={redo}
          />
          <ZoomTools area={area} />
        </>
      }
    >
      <div {...area.props} class="picture-area">
        {picture instanceof Blob && zoom > 0 && (
          <MarkCanvas
            picture={picture}
            size={{ widthPx, heightPx }}
            zoom={zoom}
            tool={tool}
            marks={drawn.marks}
            onMarks={change}
          />
        )}
        {typeof picture === "string" && <p role="alert">{picture}</p>}
      </div>
      <div class="picture-facts">
        <span role="alert">{problem}</span>
        <span class="picture-gap" />
        <button type="button" class="secondary-button" onClick={() => change([])}>
          {t("Remove all marks")}
        </button>
        <button
          type="button"
          class="primary-button"
          disabled={!(picture instanceof Blob) || isBusy}
          onClick={() => void use()}
        >
          {t("Done")}
        </button>
      </div>
    </PictureDialog>
  );
}

function nameOf(kind: MarkKind): string {
  switch (kind) {
    case "crop":
      return t("Crop");
    case "box":
      return t("Box");
    case "arrow":
      return t("Arrow");
    case "line":
      return t("Freehand");
    case "pin":
      return t("Numbered pin");
    case "redaction":
      return t("Redact");
    default:
      return kind satisfies never;
  }
}
