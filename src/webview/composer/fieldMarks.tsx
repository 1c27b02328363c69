import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { isOfInputMethod } from "../ui/sendKey";
import { insertText } from "../pictures/attach/pasteAndDrop";
import { fieldsIn, type PromptField } from "./promptFields";

interface FieldMarksProps {
  readonly areaRef: RefObject<HTMLTextAreaElement | null>;
}

/**
 * Marks the fields of a prompt over the text. Tab and Shift+Tab go through those without a value, and leave
 * the message box after the last one. They are named before the first attempt to send.
 */
export function FieldMarks({ areaRef }: FieldMarksProps) {
  const { draft } = usePanel();
  const marksRef = useRef<HTMLDivElement>(null);
  const text = draft.text.value;
  const fields = fieldsIn(text, draft.fields.value);

  useLayoutEffect(() => {
    const area = areaRef.current;
    if (area === null) return;
    /** Field that was replaced last, and the text around it. */
    let filled:
      { readonly name: string; readonly before: string; readonly after: string } | undefined;
    /** Text that the user was told about; sent as it is with the second attempt. */
    let warnedText: string | undefined;
    const unfilled = () => fieldsIn(area.value, draft.fields.peek());

    /** Gives other fields of the same name what replaced one, as edits that Ctrl+Z undoes. */
    function fillSameName(): void {
      if (area === null || filled === undefined) return;
      const { value, selectionStart, selectionEnd } = area;
      const { name, before, after } = filled;
      const end = value.length - after.length;
      if (end <= before.length || !value.startsWith(before) || !value.endsWith(after)) return;
      filled = undefined;
      let caret = selectionStart === selectionEnd ? selectionEnd : end;
      for (const field of unfilled().reverse()) {
        if (field.name !== name) continue;
        area.setSelectionRange(field.start, field.end);
        insertText(value.slice(before.length, end));
        if (field.end <= caret) caret += end - before.length - (field.end - field.start);
      }
      area.setSelectionRange(caret, caret);
    }

    function select({ start, end }: PromptField): void {
      area?.focus();
      area?.setSelectionRange(start, end);
    }

    const listening = new AbortController();
    const options = { signal: listening.signal };
    area.addEventListener(
      "beforeinput",
      () => {
        const { value, selectionStart, selectionEnd } = area;
        const field = unfilled().find(
          ({ start, end }) => start === selectionStart && end === selectionEnd,
        );
        if (field === undefined) return;
        const [before, after] = [value.slice(0, field.start), value.slice(field.end)];
        filled = { name: field.name, before, after };
      },
      options,
    );
    area.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.defaultPrevented || isOfInputMethod(event)) return;
        fillSameName();
        const { selectionStart, selectionEnd } = area;
        const next = event.shiftKey
          ? unfilled().findLast(({ start }) => start < selectionStart)
          : unfilled().find(({ start }) => start >= selectionEnd);
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
    draft.checkText = () => {
      fillSameName();
      const missing = unfilled();
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
