import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { isOfInputMethod } from "../ui/sendKey";
import { FieldValues, fieldsIn, type PromptField } from "./promptFields";

interface FieldMarksProps {
  readonly areaRef: RefObject<HTMLTextAreaElement | null>;
}

/**
 * Marks the fields of a prompt over the text. Tab and Shift+Tab go through them, and leave the message box
 * after the last one. Fields without a value are named before the first attempt to send.
 */
export function FieldMarks({ areaRef }: FieldMarksProps) {
  const { draft } = usePanel();
  const marksRef = useRef<HTMLDivElement>(null);
  const text = draft.text.value;
  const fields = fieldsIn(text, draft.fields.value);

  useLayoutEffect(() => {
    const area = areaRef.current;
    if (area === null) return;
    const values = new FieldValues(() => draft.fields.peek());
    let replaced: readonly [number, number] | undefined;
    /** Text that the user was told about; sent as it is with the second attempt. */
    let warnedText: string | undefined;
    values.change(area.value);

    /** Gives fields of the same name the same value, as edits that Ctrl+Z undoes. */
    function fillSameNames(): void {
      if (area === null) return;
      const { selectionStart, selectionEnd, selectionDirection } = area;
      let [start, end] = [selectionStart, selectionEnd];
      for (const { at, value } of values.pending()) {
        area.setSelectionRange(at.start, at.end);
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other API keeps the undo stack
        document.execCommand("insertText", false, value);
        const grown = value.length - (at.end - at.start);
        if (at.end <= start) start += grown;
        if (at.end <= end) end += grown;
      }
      area.setSelectionRange(start, end, selectionDirection);
    }

    function select({ start, end }: PromptField): void {
      area?.focus();
      area?.setSelectionRange(start, end);
    }

    const listening = new AbortController();
    const options = { signal: listening.signal };
    area.addEventListener(
      "beforeinput",
      ({ inputType }) => {
        const isInsertion = inputType.startsWith("insert");
        replaced = isInsertion ? [area.selectionStart, area.selectionEnd] : undefined;
      },
      options,
    );
    area.addEventListener(
      "input",
      () => {
        values.change(area.value, replaced);
        replaced = undefined;
      },
      options,
    );
    area.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.defaultPrevented || isOfInputMethod(event)) return;
        fillSameNames();
        const { selectionStart, selectionEnd } = area;
        const { stops } = values;
        const before = stops.filter(({ start }) => start < selectionStart);
        const isAtStart = stops.some(({ start }) => start === selectionStart);
        const isInLast = !isAtStart && (before.at(-1)?.end ?? -1) >= selectionStart;
        const next = event.shiftKey
          ? before.at(isInLast ? -2 : -1)
          : stops.find(({ start, end }) => start >= selectionEnd && end > selectionEnd);
        if (next === undefined) return;
        event.preventDefault();
        select(next);
      },
      options,
    );
    area.addEventListener(
      "scroll",
      () => {
        if (marksRef.current) marksRef.current.scrollTop = area.scrollTop;
      },
      options,
    );
    const following = draft.text.subscribe((changed) => values.change(changed, replaced));
    draft.checkText = () => {
      fillSameNames();
      const missing = fieldsIn(area.value, draft.fields.peek());
      const [first] = missing;
      if (first === undefined || warnedText === area.value) return true;
      warnedText = area.value;
      select(first);
      const names = [...new Set(missing.map(({ name }) => name))].join(", ");
      draft.showWarning(
        t("Not filled in: {0}. Fill it in, or send again to send the text as it is.", names),
      );
      return false;
    };
    return () => {
      listening.abort();
      following();
      draft.checkText = undefined;
    };
  }, [areaRef, draft]);

  useLayoutEffect(() => {
    const [area, marks] = [areaRef.current, marksRef.current];
    if (area === null || marks === null) return undefined;
    const place = () => {
      marks.style.width = `${area.clientWidth}px`;
      marks.scrollTop = area.scrollTop;
    };
    const observer = new ResizeObserver(place);
    observer.observe(area);
    place();
    return () => observer.disconnect();
  }, [areaRef, text, fields.length > 0]);

  if (fields.length === 0) return null;
  const pieces = fields.flatMap(({ start, end }, at) => [
    text.slice(fields[at - 1]?.end ?? 0, start),
    <mark key={start}>{text.slice(start, end)}</mark>,
  ]);
  return (
    <div ref={marksRef} class="field-marks" aria-hidden="true">
      {pieces}
      {text.slice(fields.at(-1)?.end)}
    </div>
  );
}
