import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ThinkingView } from "../../protocol/views";
import { usePanel } from "../state/panelContext";
import type { ReplyModel } from "../state/store";
import { Icon, TextButton } from "../ui/iconButton";
import { ReplyBody } from "./replyBody";

/** Thinking of a reply above its text: a line that opens to the whole. */
export function Thinking({ model }: { readonly model: ReplyModel }) {
  const view = model.view.value.thinking;
  return view === undefined ? null : <Disclosure model={model} view={view} />;
}

interface DisclosureProps {
  readonly model: ReplyModel;
  readonly view: ThinkingView;
}

function Disclosure({ model, view }: DisclosureProps) {
  const { host, memory } = usePanel();
  const { id } = model;
  const [isOpen, setIsOpen] = useState(() => memory.isThinkingOpen(id));
  const { isOngoing } = view;
  const seconds = useSeconds(view);
  useAnnouncements(isOngoing, seconds);
  const regionId = `${id}-thinking`;

  function toggle(): void {
    memory.saveThinkingOpen(id, !isOpen);
    setIsOpen(!isOpen);
  }

  return (
    <div class={isOngoing ? "thinking is-ongoing" : "thinking"}>
      <button
        type="button"
        class="thinking-toggle"
        aria-expanded={isOpen}
        aria-controls={regionId}
        onClick={toggle}
      >
        <span>{titleOf(view, seconds)}</span>
        <Icon name={isOpen ? "chevron-down" : "chevron-right"} />
      </button>
      {isOngoing && !isOpen && <LastLines model={model} />}
      <div
        id={regionId}
        class="thinking-region"
        role="region"
        aria-label={t("Thinking")}
        // The search of the panel finds text in here too, and opens it.
        hidden={!isOpen}
      >
        <ReplyBody model={model} thinking={{ isOpen }} />
        {!isOngoing && (
          <TextButton
            label={t("Copy with thinking")}
            look="link-button"
            onClick={() => host.send({ type: "copy-asked", messageId: id, isWithThinking: true })}
          />
        )}
      </div>
    </div>
  );
}

/** Returns the line of the thinking; replies of older versions have no time. */
function titleOf({ isOngoing, durationMs }: ThinkingView, seconds: number): string {
  if (isOngoing) return t("Thinking… {0} s", seconds);
  return durationMs === 0 ? t("Thinking") : t("Thought for {0} s", seconds);
}

/** Length of the end that can fill the visible lines, in UTF-16 units. */
const LAST_LENGTH = 600;

/** Markdown that would only disturb in the last lines: fences, headings, code spans, bold text. */
const MARKS = /^ *(?:```|~~~).*\n?|^ {0,3}#{1,6} |`([^`\n]*)`|\*\*(?! )([^*\n]*)\*\*/gm;

/** Formulas with TeX commands, also one whose end has not arrived. */
const TEX = /\$\$?[^$]*\\[a-z][^$]*(?:\$\$?|$)|\\[([][^]*?(?:\\[)\]]|$)/gi;

/** The last lines while the model thinks; the region has them for screen readers. */
function LastLines({ model }: { readonly model: ReplyModel }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let text = "";
    const show = (added: string) => {
      text = (text + added).slice(-LAST_LENGTH);
      // Blank lines would push the text out of the few visible lines.
      const plain = text
        .replaceAll(MARKS, "$1$2")
        .replaceAll(TEX, "…")
        .trimEnd()
        .replaceAll(/\n\s*\n/g, "\n");
      if (ref.current) ref.current.textContent = plain;
    };
    show(model.thinking.whole.slice(-LAST_LENGTH));
    const following = model.thinking.onChanged((change) =>
      show(change.kind === "appended" ? change.text : model.thinking.whole.slice(-LAST_LENGTH)),
    );
    return () => following.dispose();
  }, [model]);
  return (
    <div class="thinking-tail" aria-hidden="true">
      <div ref={ref} class="thinking-last-lines" dir="auto" />
    </div>
  );
}

/** Returns the seconds of thinking; counts on while it is ongoing. */
function useSeconds(view: ThinkingView): number {
  const { durationMs, isOngoing } = view;
  const [nowMs, setNowMs] = useState(() => Date.now());
  const received = useRef({ view, atMs: nowMs });
  if (received.current.view !== view) received.current = { view, atMs: Date.now() };
  useEffect(() => {
    if (!isOngoing) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOngoing]);
  const sinceMs = isOngoing ? Math.max(0, nowMs - received.current.atMs) : 0;
  return Math.round((durationMs + sinceMs) / 1000);
}

/** Announces the start once, and the end once; the seconds in between are not announced. */
function useAnnouncements(isOngoing: boolean, seconds: number): void {
  const { announcer } = usePanel();
  const state = useRef<"unannounced" | "started" | "ended">("unannounced");
  // An effect after the paint could be later than the end of the reply.
  useLayoutEffect(() => {
    if (isOngoing && state.current === "unannounced") {
      state.current = "started";
      announcer.announce(t("Thinking…"));
    } else if (!isOngoing && state.current === "started") {
      state.current = "ended";
      announcer.announce(t("Thought for {0} s", seconds));
    }
  }, [isOngoing, announcer]);
}
