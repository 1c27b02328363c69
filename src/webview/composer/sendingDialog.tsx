import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SendingListView, SendingStatus } from "../../protocol/sendingMessages";
import { usePanel } from "../state/panelContext";
import { IconButton } from "../ui/iconButton";
import { shortCount } from "./shortCount";

interface SendingDialogProps {
  readonly conversationId: string;
  readonly onClose: () => void;
}

type Choice = "left-out" | "kept";
type Turn = SendingListView["messages"];

/** List of the turns: what is sent of each, and the user's choices. */
export function SendingDialog({ conversationId, onClose }: SendingDialogProps) {
  const { host, store } = usePanel();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [list, setList] = useState<SendingListView>();
  const meter = store.meter.value; // Changes after each choice, also of another window.

  useLayoutEffect(() => dialogRef.current?.showModal(), []);
  useEffect(() => {
    let isCurrent = true;
    host.request({ type: "sending-asked", conversationId }).then(
      ({ sending }) => {
        if (isCurrent && sending) setList(sending);
      },
      () => undefined, // The next meter asks again.
    );
    return () => (isCurrent = false);
  }, [host, conversationId, meter]);

  function undo(): void {
    if (list?.canUndo) host.send({ type: "sending-undone", conversationId });
  }

  return (
    <dialog
      ref={dialogRef}
      class="parameters sending"
      aria-labelledby="sending-title"
      onKeyDown={(event) => {
        event.stopPropagation(); // Escape must not stop a reply, nor Ctrl+F open the find bar.
        if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        undo();
      }}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialogRef.current) dialogRef.current?.close();
      }}
    >
      <div class="parameters-inside">
        <div class="parameters-bar">
          <h2 id="sending-title">{t("Choose what is sent")}</h2>
          <IconButton
            icon="discard"
            label={t("Undo")}
            isDisabled={list?.canUndo !== true}
            onClick={undo}
          />
          <IconButton icon="close" label={t("Close")} onClick={() => dialogRef.current?.close()} />
        </div>
        {list && list.fixedTokens > list.budget && (
          <p class="sending-note" role="alert">
            {t(
              "What is always sent has about {0} tokens, more than the limit of {1}. It is sent all the same.",
              shortCount(list.fixedTokens),
              shortCount(list.budget),
            )}
          </p>
        )}
        {list?.messages.length === 0 && <p>{t("There are no earlier messages.")}</p>}
        <ol class="sending-turns">
          {turnsOf(list?.messages ?? []).map((turn) => (
            <li key={turn[0]?.id}>
              {turn.map((message) => (
                <SendingMessage
                  key={message.id}
                  message={message}
                  conversationId={conversationId}
                />
              ))}
            </li>
          ))}
        </ol>
      </div>
    </dialog>
  );
}

function turnsOf(messages: SendingListView["messages"]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "user" || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

interface SendingMessageProps {
  readonly message: Turn[number];
  readonly conversationId: string;
}

function SendingMessage({ message, conversationId }: SendingMessageProps) {
  const { host } = usePanel();
  const { id, role, label, pictures } = message;
  const choose = (choice: Choice | null, picture?: string) =>
    host.send({
      type: "sending-chosen",
      conversationId,
      messageId: id,
      ...(picture !== undefined && { picture }),
      choice,
    });
  const name = role === "user" ? t("You") : t("Assistant");
  return (
    <>
      <SendingRow {...message} label={`${name}: ${label}`} onChoose={(choice) => choose(choice)} />
      {pictures.map(({ key: picture, ...row }) => (
        <SendingRow
          key={picture}
          {...row}
          isPicture
          onChoose={(choice) => choose(choice, picture)}
        />
      ))}
    </>
  );
}

interface SendingRowProps {
  readonly label: string;
  readonly tokens: number;
  readonly status: SendingStatus;
  readonly isPicture?: boolean;
  readonly onChoose: (choice: Choice | null) => void;
}

/** A message or picture with its two choices; a choice that is pressed again ends. */
function SendingRow({ label, tokens, status, isPicture = false, onChoose }: SendingRowProps) {
  const isSent = status === "sent" || status === "kept";
  const choices = [
    { choice: "left-out", name: t("Leave out") },
    { choice: "kept", name: t("Always send") },
  ] as const;
  return (
    <div
      class={`sending-row${isPicture ? " is-picture" : ""}${isSent ? "" : " is-unsent"}`}
      role="group"
      aria-label={label}
    >
      <bdi class="sending-label" title={label}>
        {label}
      </bdi>
      <span class="sending-facts">
        {[t("~{0} tokens", shortCount(tokens)), statusText(status)].filter(Boolean).join(" · ")}
      </span>
      <span class="sending-choices">
        {choices.map(({ choice, name }) => (
          <button
            key={choice}
            type="button"
            class="toggle-button"
            aria-pressed={status === choice}
            onClick={() => onChoose(status === choice ? null : choice)}
          >
            {name}
          </button>
        ))}
      </span>
    </div>
  );
}

function statusText(status: SendingStatus): string {
  switch (status) {
    case "sent":
      return "";
    case "kept":
      return t("always sent");
    case "not-read":
      return t("not sent: the model reads no pictures");
    case "left-out":
      return t("not sent");
    case "over-budget":
      return t("not sent: over the limit");
    case "summarized":
      return t("in the summary");
    default:
      return status satisfies never;
  }
}
