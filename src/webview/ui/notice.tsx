import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import { Icon, IconButton } from "./iconButton";

/** Names of codicons; the font has those that the page's source names. */
const ICONS: Readonly<Record<NoticeView["tone"], string>> = {
  info: "info",
  warning: "warning",
  error: "error",
};

interface NoticeProps {
  readonly notice: NoticeView;
  readonly onAction: (action: NoticeAction) => void;
}

/**
 * A card with an icon, the event, the remedy, the service's own message and the buttons. Only an error
 * interrupts a screen reader.
 */
export function Notice({ notice, onAction }: NoticeProps) {
  const { tone } = notice;
  return (
    <div class={`notice is-card is-${tone}`} role={roleOf(notice)}>
      <Icon name={ICONS[tone]} />
      <div class="notice-text">
        <NoticeText notice={notice} />
      </div>
      <NoticeButtons notice={notice} onAction={onAction} look="primary-button" />
    </div>
  );
}

/** First sentence in bold, then the rest, then the service's own message in quotation marks. */
function NoticeText({ notice: { text, serviceMessage } }: { readonly notice: NoticeView }) {
  const [event, remedy] = splitFirstSentence(text);
  const quote = serviceMessage && t("Service message: “{0}”", serviceMessage);
  return (
    <>
      <strong class="notice-event">{event}</strong>
      {remedy}
      {quote && " "}
      {quote && (
        // Two lines at most; the focus shows all of it.
        <div class="notice-quote" tabIndex={0} title={serviceMessage}>
          {quote}
        </div>
      )}
    </>
  );
}

/** Splits after the first sentence; the second part keeps the space before it. */
function splitFirstSentence(text: string): [first: string, rest: string] {
  const end = /[.?!](?=\s)|[。？！]/.exec(text);
  if (end === null) return [text, ""];
  const index = end.index + 1;
  return [text.slice(0, index), text.slice(index)];
}

interface DismissibleNoticeProps extends NoticeProps {
  /** Shows the whole text from the start; otherwise a single line of the text. */
  readonly isExpanded: boolean;
  /** Missing for a notice that stays. */
  readonly onDismiss?: () => void;
}

/** A notice with a close button, and a toggle for a text that is longer than a line. */
export function DismissibleNotice(props: DismissibleNoticeProps) {
  const { notice, onDismiss } = props;
  const { tone, text, serviceMessage } = notice;
  const [isExpanded, setIsExpanded] = useState(props.isExpanded);
  const textRef = useRef<HTMLSpanElement>(null);
  const isCut = useIsCut(textRef, isExpanded);
  return (
    <div
      class={`notice is-${tone} ${isExpanded ? "is-expanded" : "is-one-line"}${props.isExpanded ? "" : " is-quiet"}`}
      role={roleOf(notice)}
    >
      <Icon name={ICONS[tone]} />
      <span ref={textRef} class="notice-text" {...(isCut && { title: text })}>
        {text}
        {isExpanded && serviceMessage && ` ${t("Service message: “{0}”", serviceMessage)}`}
      </span>
      <NoticeButtons {...props} look={props.isExpanded ? "secondary-button" : "link-button"} />
      <span class="notice-tools">
        {(isCut || (isExpanded && !props.isExpanded)) && (
          <IconButton
            icon={isExpanded ? "chevron-up" : "chevron-down"}
            label={isExpanded ? t("Show less") : t("Show more")}
            onClick={() => setIsExpanded(!isExpanded)}
          />
        )}
        {onDismiss && <IconButton icon="close" label={t("Dismiss")} onClick={onDismiss} />}
      </span>
    </div>
  );
}

interface NoticeButtonsProps extends NoticeProps {
  /** CSS class of the first button. */
  readonly look: "primary-button" | "secondary-button" | "link-button";
}

function NoticeButtons({ notice, onAction, look }: NoticeButtonsProps) {
  const { action, otherAction } = notice;
  const actions = [action, otherAction].filter((one) => one !== undefined);
  const buttons = actions.map(({ id, label }) => (
    <button
      key={id}
      type="button"
      class={look === "link-button" || id === action?.id ? look : "secondary-button"}
      title={label}
      onClick={() => onAction(id)}
    >
      {label}
    </button>
  ));
  return otherAction ? <span class="notice-buttons">{buttons}</span> : <>{buttons}</>;
}

function roleOf({ tone }: NoticeView): "alert" | "status" {
  return tone === "error" ? "alert" : "status";
}

/** Returns true while the text of one or two lines is cut at its end. */
function useIsCut(textRef: RefObject<HTMLSpanElement | null>, isExpanded: boolean): boolean {
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const element = textRef.current;
    if (element === null || isExpanded) {
      setIsCut(false);
      return undefined;
    }
    const observer = new ResizeObserver(() =>
      setIsCut(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      ),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [textRef, isExpanded]);
  return isCut;
}
