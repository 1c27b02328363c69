import { t } from "@vscode/l10n";
import { effect } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isOfInputMethod, isSendKey, sendKeyName } from "../ui/sendKey";
import { Icon, ItemsButton, TextButton } from "../ui/iconButton";
import { useIsPictureSent, usePanel } from "../state/panelContext";
import { ParametersButton } from "./parametersButton";
import { StandingNotices } from "../ui/standingNotices";
import { AttachmentChips } from "./attachmentChips";
import { FieldMarks } from "./fieldMarks";
import type { CompletionController } from "./completion";
import { insertText, takeScreenshot } from "../pictures/attach/pasteAndDrop";
import { ModelPicker, nextModel } from "./modelPicker";
import { putText } from "./putText";
import { COMPLETION_LIST_ID, optionId, useCompletion } from "./completionContext";
import { later } from "../ui/later";

const CompletionList = later(async () => (await import("./completionList")).CompletionList);
const ContextRing = later(async () => (await import("./contextMeter")).ContextRing);
const PictureNotes = later(async () => (await import("./pictureNotes")).PictureNotes);

/**
 * Form for the draft. The setting decides which key sends. Up and Down walk through earlier questions,
 * F2 edits the last question, queued ones included. During an IME composition all keys belong to the input method.
 */
export function Composer() {
  const { store, host, draft, announcer } = usePanel();
  const completion = useCompletion();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const isComposing = useRef(false);
  /** True while the page itself changes the text. */
  const isPutting = useRef(false);
  const panel = store.panel.value;
  const isRunning = panel?.isRunning === true;
  const isPictureSent = useIsPictureSent();

  // Not useSignalEffect, which waits for a frame: a key pressed before it would restore sent text.
  useLayoutEffect(
    () =>
      effect(() => {
        const text = draft.text.value;
        if (textRef.current === null) return;
        isPutting.current = true;
        putText(textRef.current, text);
        isPutting.current = false;
      }),
    [draft],
  );
  useEffect(() => {
    // The composer of the HTML has the focus before this component exists.
    const hasFocus = document.hasFocus() && document.activeElement === textRef.current;
    if (hasFocus) host.send({ type: "composer-focus-moved", isInside: true });
  }, [host]);
  useLayoutEffect(() => {
    const command = store.on("composer-command", ({ command }) => {
      // A bound key may have sent the text in the page already, whose attachments are still shown.
      if (command === "send" && !draft.isAsking()) send();
      if (command === "insert-new-line") insert("\n");
    });
    return () => command.dispose();
  });
  useLayoutEffect(() => {
    const focusing = draft.onFocusAsked((selection) => {
      textRef.current?.focus();
      if (selection) textRef.current?.setSelectionRange(...selection);
    });
    return () => focusing.dispose();
  }, [draft]);

  function send(): void {
    textRef.current?.focus();
    if (completion.acceptLoneWord(draft.text.peek())) return;
    completion.close();
    void draft.send(); // Never rejects: a failed request is a refusal.
  }

  function insert(text: string): void {
    textRef.current?.focus();
    insertText(text);
  }

  function askForContext(): void {
    const { value = "", selectionStart = 0 } = textRef.current ?? {};
    insert(/\S$/.test(value.slice(0, selectionStart)) ? " #" : "#");
  }

  function chooseNextModel(): void {
    const next = panel && nextModel(panel);
    if (!next) return;
    host.send({ type: "model-chosen", model: next.id });
    announcer.showToast(t("Model: {0}", next.label));
  }

  function updateCompletion(): void {
    const area = textRef.current;
    // Text of an unfinished IME composition is not complete yet.
    if (isComposing.current) return;
    if (area === null || area.selectionStart !== area.selectionEnd) completion.close();
    else completion.update(area.value, area.selectionEnd);
  }

  function onKeyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    if (isOfInputMethod(event)) return;
    if (handleCompletionKey(completion, event)) {
      event.preventDefault();
      return;
    }
    if (isModelKey(event)) {
      event.preventDefault();
      chooseNextModel();
    } else if (isSendKey(event, panel?.settings.sendKey)) {
      event.preventDefault();
      send();
    } else if (isPlain(event) && event.key === "Tab" && draft.places.peek().length > 0) {
      event.preventDefault();
      draft.addPlaces(draft.places.peek());
    } else if (isPlain(event) && event.key === "F2") {
      if (draft.editLast()) event.preventDefault();
    } else if (isPlain(event) && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      afterCaretKey(event.currentTarget, () => draft.recall(event.key === "ArrowUp" ? -1 : 1));
    }
  }

  const hasList = completion.items.value.length > 0;
  return (
    <form
      class="composer"
      aria-label={t("Question")}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <StandingNotices />
      <EditingLine />
      <div class="composer-box">
        <CompletionList />
        <div class="composer-extras">
          <AttachmentChips />
          <PictureNotes />
        </div>
        <textarea
          ref={textRef}
          class="composer-text"
          autocomplete="off"
          aria-label={t("Message")}
          placeholder={
            panel?.settings.sendKey === "ctrlEnter"
              ? t("{0} to ask, # for context, / for prompts", sendKeyName("ctrlEnter"))
              : t("Ask, # for context, / for prompts")
          }
          rows={1}
          aria-autocomplete="list"
          {...(hasList && {
            "aria-controls": COMPLETION_LIST_ID,
            "aria-activedescendant": optionId(completion.active.value),
          })}
          onInput={(event) => {
            if (isPutting.current) return;
            draft.setText(event.currentTarget.value);
            updateCompletion();
          }}
          onCompositionStart={() => {
            isComposing.current = true;
            completion.close();
          }}
          onCompositionEnd={() => {
            isComposing.current = false;
            updateCompletion();
          }}
          onSelect={updateCompletion}
          onFocus={() => host.send({ type: "composer-focus-moved", isInside: true })}
          onBlur={() => {
            host.send({ type: "composer-focus-moved", isInside: false });
            draft.flush();
            completion.close();
          }}
          onKeyDown={onKeyDown}
        />
        <FieldMarks areaRef={textRef} />
        <div class="composer-tools">
          <AddButton onMore={askForContext} />
          {panel && (
            <ModelPicker
              panel={panel}
              isPictureSent={isPictureSent}
              onChoose={(chosen) => host.send({ type: "model-chosen", ...chosen })}
            />
          )}
          <ParametersButton isPictureSent={isPictureSent} />
          <div class="composer-send">
            <ContextRing />
            <SendButton isRunning={isRunning} keyName={sendKeyName(panel?.settings.sendKey)} />
            {isRunning && <StopButton />}
          </div>
        </div>
      </div>
      <RecalledLine />
    </form>
  );
}

function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey;
}

/**
 * Calls `act` if Up or Down does not move the caret, because it is in the first or the last line. Only
 * the browser knows where long lines wrap, so the caret is compared after the key.
 */
function afterCaretKey(area: HTMLTextAreaElement, act: () => void): void {
  const { value, selectionStart, selectionEnd } = area;
  if (selectionStart !== selectionEnd) return;
  setTimeout(() => {
    const isMoved = area.selectionStart !== selectionStart || area.selectionEnd !== selectionEnd;
    if (!isMoved && area.value === value) act();
  }, 0);
}

/** Detects Alt+M by key code, because on macOS these keys type "µ". */
function isModelKey({ code, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return code === "KeyM" && altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** @param props.onMore lists the other sources of context */
function AddButton({ onMore }: { readonly onMore: () => void }) {
  const { store, host, draft } = usePanel();
  function attachFiles(): void {
    const conversationId = store.conversationId.peek();
    draft.dismissRefusals();
    if (conversationId) draft.attach({ type: "files-asked", conversationId });
  }
  return (
    <ItemsButton
      icon="add"
      label={t("Add context")}
      items={[
        { icon: "attach", label: t("Files and pictures…"), choose: attachFiles },
        {
          icon: "device-camera",
          label: t("Screenshot"),
          choose: () => takeScreenshot(store, host, draft),
        },
        { icon: "symbol-method", label: t("Problems, changes, symbols… (#)"), choose: onMore },
      ]}
    />
  );
}

/** Returns true if the key belongs to the open list of suggestions. */
function handleCompletionKey(
  completion: CompletionController,
  event: TargetedKeyboardEvent<HTMLTextAreaElement>,
): boolean {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
  if (shiftKey || ctrlKey || altKey || metaKey) return false;
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const hasItems = completion.items.peek().length > 0;
  switch (key) {
    case "ArrowDown":
    case "ArrowUp":
      if (hasItems) completion.moveActive(key === "ArrowDown" ? 1 : -1);
      return hasItems;
    case "Enter":
    case "Tab":
      return selectionStart === selectionEnd && completion.acceptKey(key, value, selectionEnd);
    case "Escape":
      if (!hasItems && !completion.isSearching.peek()) return false;
      completion.dismiss();
      return true;
    default:
      return false;
  }
}

interface SendButtonProps {
  readonly isRunning: boolean;
  readonly keyName: string;
}

/** While a reply runs, a question is queued and Stop is the primary button. */
function SendButton({ isRunning, keyName }: SendButtonProps) {
  const { draft } = usePanel();
  const isEmpty = !draft.hasQuestion.value;
  if (isRunning && isEmpty) return null;
  return (
    <button
      key="send"
      type="submit"
      class={isRunning ? "round-button is-secondary" : "round-button"}
      disabled={isEmpty}
      aria-label={t("Send")}
      // A tooltip that differs from the name describes the button.
      title={
        isRunning
          ? t("Queue ({0}): sent when the current reply is finished", keyName)
          : t("Send ({0})", keyName)
      }
    >
      <Icon name="arrow-up" />
    </button>
  );
}

function StopButton() {
  const { host, draft } = usePanel();
  return (
    <button
      key="stop"
      type="button"
      class="round-button"
      title={t("Stop")}
      onClick={(event) => {
        // Ignores the second click of a double click on Send.
        if (event.detail > 1) return;
        host.send({ type: "stop-asked" });
        draft.focus();
      }}
    >
      <span class="stop-square" />
    </button>
  );
}

function EditingLine() {
  const { draft } = usePanel();
  const editing = draft.editing.value;
  if (editing === undefined || editing.isRecalled === true) return null;
  return (
    <div class="editing-line">
      <Icon name="edit" />
      <span>{t("Editing a sent message")}</span>
      <TextButton label={t("Cancel")} look="link-button" onClick={() => draft.cancelEditing()} />
    </div>
  );
}

/** Position of a recalled question; after a change, the way back to the draft that was set aside. */
function RecalledLine() {
  const { draft } = usePanel();
  const recalled = draft.recalled.value;
  const editing = draft.editing.value;
  const isChanged = editing?.isRecalled === true && recalled === undefined;
  const hasDraft = isChanged && editing.parkedText !== "";
  return (
    <div role="status">
      {(recalled !== undefined || hasDraft) && (
        <div class="editing-line">
          {recalled !== undefined && (
            <span>{t("Question {0} of {1}", recalled.index + 1, recalled.count)}</span>
          )}
          {hasDraft && (
            <>
              <span>{t("Your draft is set aside until you send.")}</span>
              <TextButton
                label={t("Restore draft")}
                look="link-button"
                onClick={() => draft.restoreParked()}
              />
            </>
          )}
        </div>
      )}
    </div>
  );
}
