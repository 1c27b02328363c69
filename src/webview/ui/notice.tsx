import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import { IconButton } from "./iconButton";

interface NoticeProps {
  readonly notice: NoticeView;
  readonly onAction: (action: NoticeAction) => void;
}

/** A sentence with its buttons. Only an error interrupts a screen reader. */
export function Notice({ notice, onAction }: NoticeProps) {
  const { tone, text } = notice;
  return (
    <div class={`notice is-${tone}`} role={roleOf(notice)}>
      <span class="notice-text">{text}</span>
      <NoticeButtons notice={notice} onAction={onAction} />
    </div>
  );
}

interface DismissibleNoticeProps extends NoticeProps {
  /** Shows the whole text from the start; otherwise a single line of the text. */
  readonly isExpanded: boolean;
  readonly onDismiss: () => void;
}

/** A notice with a close button, and a toggle for a text that is longer than a line. */
export function DismissibleNotice(props: DismissibleNoticeProps) {
  const { notice, onDismiss } = props;
  const { tone, text } = notice;
  const [isExpanded, setIsExpanded] = useState(props.isExpanded);
  const textRef = useRef<HTMLSpanElement>(null);
  const isCut = useIsCut(textRef, isExpanded);
  return (
    <div
      class={`notice is-${tone} ${isExpanded ? "is-expanded" : "is-one-line"}`}
      role={roleOf(notice)}
    >
      <span ref={textRef} class="notice-text" {...(isCut && { title: text })}>
        {text}
      </span>
      <NoticeButtons {...props} />
      <span class="notice-tools">
        {(isCut || (isExpanded && !props.isExpanded)) && (
          <IconButton
            icon={isExpanded ? "chevron-up" : "chevron-down"}
            label={isExpanded ? t("Show less") : t("Show more")}
            onClick={() => setIsExpanded(!isExpanded)}
          />
        )}
        <IconButton icon="close" label={t("Dismiss")} onClick={onDismiss} />
      </span>
    </div>
  );
}

function NoticeButtons({ notice: { action, otherAction }, onAction }: NoticeProps) {
  const actions = [action, otherAction].filter((one) => one !== undefined);
  const buttons = actions.map(({ id, label }) => (
    <button
      key={id}
      type="button"
      class="secondary-button"
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

/** Returns true while the single-line text is cut at its end. */
function useIsCut(textRef: RefObject<HTMLSpanElement | null>, isExpanded: boolean): boolean {
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const element = textRef.current;
    if (element === null || isExpanded) {
      setIsCut(false);
      return undefined;
    }
    const observer = new ResizeObserver(() => setIsCut(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [textRef, isExpanded]);
  return isCut;
}
