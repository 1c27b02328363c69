/**
 * Editor for marks on an attached picture: crop, box, arrow, black box and notes, with undo, zoom and
 * keyboard. The original stays; the sent picture is drawn from it. Loaded when it is first opened.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { AttachmentView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";
import { IconButton, ItemsButton, TextButton } from "../../ui/iconButton";
import { MarkCanvas } from "./markCanvas";
import { notApplied } from "./attachedMarks";
import { readMarks, type Mark, type MarkKind } from "../marks";
import { nextNote, noteMarks } from "./noteMarks";
import { fitItem, PictureDialog, ZoomTools } from "../pictureDialog";
import { usePicture } from "../pictureLoader";
import { useZoomArea } from "../zoomArea";
import { usePictures } from "../picturesContext";

export interface PictureEditorProps {
  readonly attachment: AttachmentView;
  readonly firstTool?: MarkKind;
  readonly onClose: () => void;
}

/** Marks with the states for undo and redo. */
interface MarkHistory {
  readonly marks: readonly Mark[];
  readonly undone: readonly (readonly Mark[])[];
  readonly before: readonly (readonly Mark[])[];
}

const TOOLS: readonly { readonly kind: MarkKind; readonly icon: string; readonly key: string }[] = [
  { kind: "note", icon: "comment", key: "n" },
  { kind: "box", icon: "chrome-maximize", key: "2" },
  { kind: "arrow", icon: "arrow-right", key: "3" },
  { kind: "redaction", icon: "eye-closed", key: "4" },
  { kind: "crop", icon: "screen-cut", key: "1" },
];

export function PictureEditor({ attachment, firstTool = "box", onClose }: PictureEditorProps) {
  const pictures = usePictures();
  const { store } = usePanel();
  const { hash = "", widthPx = 1, heightPx = 1 } = attachment.picture ?? {};
  const picture = usePicture(hash, pictures.loaded);
  const area = useZoomArea(hash, widthPx, heightPx, true);
  const { zoom } = area;
  const [tool, setTool] = useState(firstTool);
  const [applied] = useState(() => [...readMarks(attachment.marks), ...noteMarks(attachment)]);
  const [drawn, setDrawn] = useState<MarkHistory>(() => {
    const unused = pictures.marks.unused.get(attachment.id);
    // Undo removes marks that were applied earlier too, one after the other.
    const before = applied.map((_, count) => applied.slice(0, count));
    return unused
      ? { marks: unused, undone: [], before: [...before, applied] }
      : { marks: applied, undone: [], before };
  });
  const otherPictures = store.attachments.value.filter(({ id }) => id !== attachment.id);
  const [problem, setProblem] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => setProblem(""), [drawn]);
  // Unapplied marks are restored when the editor opens again.
  useLayoutEffect(() => {
    if (drawn.marks !== applied) pictures.marks.unused.set(attachment.id, drawn.marks);
    else pictures.marks.unused.delete(attachment.id);
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

  /** Applies the marks and closes the editor. */
  async function use(): Promise<void> {
    if (!(picture instanceof Blob) || isBusy) return;
    setIsBusy(true);
    try {
      const refusal = await pictures.marks.applyEdited(attachment, drawn.marks);
      setProblem(refusal);
      if (refusal !== "") return;
      pictures.marks.unused.delete(attachment.id);
      onClose();
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
      const chosen = TOOLS.find((one) => one.key === key);
      if (chosen === undefined) return;
      setTool(chosen.kind);
    }
    event.preventDefault();
  }

  const redoing = { icon: "redo", label: t("Redo"), choose: redo };
  const removing = { icon: "clear-all", label: t("Remove all marks"), choose: () => change([]) };
  return (
    <PictureDialog
      label={t("Mark up {0}", attachment.label)}
      onClose={onClose}
      onKeyDown={onKeyDown}
      tools={
        <>
          {TOOLS.map(({ kind, icon, key }) => (
            <button
              key={kind}
              type="button"
              class="icon-button tool-button"
              aria-label={nameOf(kind)}
              aria-pressed={tool === kind}
              title={`${nameOf(kind)} (${key.toUpperCase()})`}
              onClick={() => setTool(kind)}
            >
              <span class={`codicon codicon-${icon}`} aria-hidden="true" />
              <span class="tool-name" aria-hidden="true">
                {nameOf(kind)}
              </span>
            </button>
          ))}
          <span class="tool-separator" />
          <IconButton
            icon="discard"
            label={t("Undo")}
            isDisabled={drawn.before.length === 0}
            onClick={undo}
          />
          <span class="tool-separator" />
          <ZoomTools area={area} />
          <ItemsButton
            icon="ellipsis"
            label={t("More actions")}
            items={[
              ...(drawn.undone.length > 0 ? [redoing] : []),
              ...(drawn.marks.length > 0 ? [removing] : []),
              fitItem(area),
            ]}
          />
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
            nextNote={nextNote(drawn.marks, otherPictures)}
            marks={drawn.marks}
            onMarks={change}
          />
        )}
        {typeof picture === "string" && <p role="alert">{picture}</p>}
      </div>
      <div class="picture-facts">
        <span role="alert">{problem}</span>
        <span class="picture-gap" />
        <TextButton
          label={t("Done")}
          look="primary-button"
          isDisabled={!(picture instanceof Blob) || isBusy}
          onClick={() => void use()}
        />
      </div>
    </PictureDialog>
  );
}

function nameOf(kind: MarkKind): string {
  return {
    crop: t("Crop"),
    box: t("Box"),
    arrow: t("Arrow"),
    redaction: t("Redact"),
    note: t("Note"),
  }[kind];
}
