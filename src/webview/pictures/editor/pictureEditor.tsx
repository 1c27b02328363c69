/**
 * Editor for marks on an attached picture: crop, box, arrow, freehand, numbered pins, text, blur and
 * opaque redaction in several colors; movable marks, undo, zoom and keyboard. The original stays; the
 * sent picture is drawn from it. Loaded when it is first opened.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { AttachmentView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";
import { IconButton } from "../../ui/iconButton";
import { MarkCanvas, type Tool } from "./markCanvas";
import { notApplied } from "../attach/attachedPicture";
import { INKS, readMarks, type Mark, type MarkKind } from "../marks";
import type { Measured } from "./measure";
import { isNote, nextNote, noteMarks } from "../noteMarks";
import { PictureDialog, ZoomTools } from "../pictureDialog";
import { usePicture } from "../pictureLoader";
import { useZoomArea } from "../zoomArea";
import { LARGE_WIDTH_PX } from "../pagePictures";
import { usePictures } from "../picturesContext";

export interface PictureEditorProps {
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

/** Tools in the order of their number keys; notes have the key N, `select` has the key V. */
const TOOLS: readonly { readonly kind: MarkKind; readonly icon: string }[] = [
  { kind: "crop", icon: "screen-cut" },
  { kind: "box", icon: "chrome-maximize" },
  { kind: "arrow", icon: "arrow-right" },
  { kind: "line", icon: "edit" },
  { kind: "pin", icon: "pin" },
  { kind: "redaction", icon: "eye-closed" },
  { kind: "text", icon: "text-size" },
  { kind: "blur", icon: "color-mode" },
];

const TOOL_KEYS: Readonly<Record<string, Tool>> = { m: "measure", n: "note", v: "select" };

export function PictureEditor({ attachment, firstTool = "box", onClose }: PictureEditorProps) {
  const pictures = usePictures();
  const { host, store } = usePanel();
  const { hash = "", widthPx = 1, heightPx = 1 } = attachment.picture ?? {};
  const picture = usePicture(hash, pictures);
  const area = useZoomArea(hash, widthPx, heightPx, true);
  const { zoom } = area;
  const [tool, setTool] = useState<Tool>(firstTool);
  const [ink, setInk] = useState(0);
  const [selected, setSelected] = useState(-1);
  const [measured, setMeasured] = useState<Measured>();
  const [drawn, setDrawn] = useState<MarkHistory>(() => {
    const used = [...readMarks(attachment.marks), ...noteMarks(attachment)];
    const unused = pictures.unusedMarks.get(attachment.id);
    return unused ? { marks: unused, undone: [], before: [used] } : { ...UNTOUCHED, marks: used };
  });
  const others = store.attachments.value.filter(({ id }) => id !== attachment.id);
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

  function chooseTool(chosen: Tool): void {
    setTool(chosen);
    if (chosen !== "select") setSelected(-1);
  }

  /** Sets the color of new marks, and of the selected mark. */
  function chooseInk(index: number): void {
    setInk(index);
    const mark = drawn.marks[selected];
    if (mark === undefined || !("ink" in mark)) return;
    change(drawn.marks.map((other) => (other === mark ? { ...mark, ink: index } : other)));
  }

  function undo(): void {
    setSelected(-1);
    setDrawn(({ marks, undone, before }) => {
      const last = before.at(-1);
      if (last === undefined) return { marks, undone, before };
      return { marks: last, undone: [...undone, marks], before: before.slice(0, -1) };
    });
  }

  function redo(): void {
    setSelected(-1);
    setDrawn(({ marks, undone, before }) => {
      const next = undone.at(-1);
      if (next === undefined) return { marks, undone, before };
      return { marks: next, undone: undone.slice(0, -1), before: [...before, marks] };
    });
  }

  /** Opens the choice of an area to copy from; unapplied marks are drawn and stay. */
  function copyContent(): void {
    const marks = drawn.marks.filter((mark) => !isNote(mark));
    pictures.openContent({ hash, name: attachment.label, widthPx, heightPx, marks });
  }

  /** Applies the marks and opens the editor again in a tab, which is larger than the panel. */
  async function openLarger(): Promise<void> {
    const conversationId = store.conversationId.peek();
    if (drawn.before.length > 0 && !(await use())) return;
    if (conversationId === undefined) return;
    host.send({ type: "picture-editor-asked", conversationId, attachmentId: attachment.id });
    onClose();
  }

  /** Applies the marks and closes the editor; false if that failed. */
  async function use(): Promise<boolean> {
    if (!(picture instanceof Blob) || isBusy) return false;
    setIsBusy(true);
    try {
      const refusal = await pictures.applyEdited(attachment, drawn.marks);
      if (refusal === "") {
        pictures.unusedMarks.delete(attachment.id);
        onClose();
        return true;
      }
      setProblem(refusal);
      return false;
    } catch {
      setProblem(notApplied());
      return false;
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
    else if (key === "t") copyContent();
    else if (!area.onKey(key)) {
      const chosen = TOOL_KEYS[key] ?? TOOLS[Number(key) - 1]?.kind;
      if (chosen === undefined) return;
      chooseTool(chosen);
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
          <ToolButton
            icon="comment"
            name={nameOf("note")}
            hotkey="N"
            isChosen={tool === "note"}
            onClick={() => chooseTool("note")}
          />
          <ToolButton
            icon="inspect"
            name={t("Select")}
            hotkey="V"
            isChosen={tool === "select"}
            onClick={() => chooseTool("select")}
          />
          {TOOLS.map(({ kind, icon }, index) => (
            <ToolButton
              key={kind}
              icon={icon}
              name={nameOf(kind)}
              hotkey={String(index + 1)}
              isChosen={tool === kind}
              onClick={() => chooseTool(kind)}
            />
          ))}
          <ToolButton
            icon="symbol-ruler"
            name={t("Measure")}
            hotkey="M"
            isChosen={tool === "measure"}
            onClick={() => chooseTool("measure")}
          />
          <span class="tool-separator" />
          <span class="ink-buttons">
            {INKS.map((color, index) => (
              <button
                key={color}
                type="button"
                class="ink-button"
                title={inkName(index)}
                aria-pressed={ink === index}
                onClick={() => chooseInk(index)}
              >
                <span class="ink" style={{ background: color }} />
              </button>
            ))}
          </span>
          <span class="tool-separator" />
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
          <span class="tool-separator" />
          <ZoomTools area={area} />
          {innerWidth < LARGE_WIDTH_PX && (
            <IconButton
              icon="link-external"
              label={t("Open in a large editor")}
              onClick={() => void openLarger()}
            />
          )}
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
            ink={ink}
            nextNote={nextNote(drawn.marks, others)}
            marks={drawn.marks}
            onMarks={change}
            selected={selected}
            onSelect={setSelected}
            onMeasured={setMeasured}
          />
        )}
        {typeof picture === "string" && <p role="alert">{picture}</p>}
      </div>
      <div class="picture-facts">
        <ToolButton
          icon="list-selection"
          name={t("Copy from the picture")}
          hotkey="T"
          onClick={copyContent}
        />
        <span role="alert">{problem}</span>
        <span role="status">{measured && tool === "measure" && measuredText(measured)}</span>
        {measured && tool === "measure" && (
          <IconButton
            icon="copy"
            label={t("Copy color {0}", measured.color)}
            hasTick
            onClick={() => void navigator.clipboard.writeText(measured.color)}
          />
        )}
        <span class="picture-gap" />
        <button
          type="button"
          class="secondary-button"
          onClick={() => {
            setSelected(-1);
            change([]);
          }}
        >
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

function measuredText({ color, x, y, across, down }: Measured): string {
  const length = Math.round(Math.hypot(across, down));
  return length === 0
    ? t("Color {0} at {1}, {2}", color, x, y)
    : t("Color {0} at {1}, {2}. Distance {3} px ({4} × {5})", color, x, y, length, across, down);
}

interface ToolButtonProps {
  readonly icon: string;
  readonly name: string;
  readonly hotkey: string;
  /** Undefined for a button that opens something else. */
  readonly isChosen?: boolean;
  readonly onClick: () => void;
}

function ToolButton({ icon, name, hotkey, isChosen, onClick }: ToolButtonProps) {
  return (
    <button
      type="button"
      class="icon-button tool-button"
      aria-label={name}
      aria-pressed={isChosen}
      title={`${name} (${hotkey})`}
      onClick={onClick}
    >
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
      <span class="tool-name" aria-hidden="true">
        {name}
      </span>
    </button>
  );
}

function inkName(index: number): string {
  return [t("Red"), t("Blue"), t("Green"), t("Yellow"), t("Black")][index] ?? "";
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
    case "text":
      return t("Text");
    case "blur":
      return t("Blur");
    case "note":
      return t("Note");
    default:
      return kind satisfies never;
  }
}
