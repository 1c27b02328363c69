import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AutomaticView, NoticeAction, NoticeView, PanelView } from "../../protocol/views";
import { Icon, TextButton } from "./iconButton";
import { Notice } from "./notice";
import { usePanel } from "../state/panelContext";

/**
 * Content of an empty conversation: the form that connects a service, or questions about the open code
 * and the latest conversations.
 */
export function EmptyState({ panel }: { readonly panel: PanelView }) {
  const { host } = usePanel();
  const [outcome, setOutcome] = useState<NoticeView | "connecting">();
  const isSetUp = panel.setup.every(({ isDone }) => isDone);
  const act = (action: NoticeAction) => host.send({ type: "action-asked", action });

  async function connect(address: string): Promise<void> {
    setOutcome("connecting");
    const reply = await host.request({ type: "connect-asked", address }).catch(() => undefined);
    setOutcome(reply?.notice);
  }

  return (
    <div class="empty-state">
      <div class="empty-mark">
        <Icon name="comment-discussion" />
      </div>
      <p class="empty-title">{t("Chat about your code and screenshots.")}</p>
      {!isSetUp && (
        <TextButton
          label={t("Show First Steps")}
          look="link-button"
          onClick={() => act("show-first-steps")}
        />
      )}
      {outcome && outcome !== "connecting" && <Notice notice={outcome} onAction={act} />}
      {isSetUp ? (
        <Suggestions panel={panel} />
      ) : (
        <ConnectCard
          panel={panel}
          isConnecting={outcome === "connecting"}
          onConnect={(address) => void connect(address)}
        />
      )}
      {isSetUp && <RecentConversations />}
    </div>
  );
}

interface ConnectCardProps {
  readonly panel: PanelView;
  readonly isConnecting: boolean;
  readonly onConnect: (address: string) => void;
}

/** Form with the address of the service. VS Code's own box then asks for the key. */
function ConnectCard({ panel: { setup }, isConnecting, onConnect }: ConnectCardProps) {
  const { store, draft } = usePanel();
  const fieldRef = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const listening = store.on("focus-asked", () => fieldRef.current?.focus());
    return () => {
      listening.dispose();
      if (fieldRef.current?.matches(":focus-within")) draft.focus();
    };
  }, [store]);
  const [service] = setup;
  const hasField = service?.isFixed !== true;
  const [address, setAddress] = useState(service?.isDone && hasField ? service.detail : "");
  return (
    <form
      class="connect-card"
      aria-label={t("Setup")}
      onSubmit={(event) => {
        event.preventDefault();
        onConnect(address);
      }}
    >
      {hasField && (
        <label>
          {t("Address")}
          <input
            ref={fieldRef}
            value={address}
            placeholder="https://host/v1/chat/completions"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
      )}
      {setup
        .filter(({ isDone }) => !isDone || !hasField)
        .map(({ id, title, detail }) => (
          <p key={id}>
            {id === "service" && hasField ? "" : `${title} `}
            <span class="setup-detail">{detail}</span>
          </p>
        ))}
      {(hasField || service.isDone) && (
        <button type="submit" class="primary-button" disabled={isConnecting}>
          {isConnecting ? t("Connecting…") : t("Connect")}
        </button>
      )}
    </form>
  );
}

/** Questions about the open code or the whole project, and a way to attach a picture. */
function Suggestions({ panel: { automatic, openFile } }: { readonly panel: PanelView }) {
  const { store, host, draft } = usePanel();
  const subject = automatic ? subjectOf(automatic) : openFile?.name;
  const conversationId = store.conversationId.value;
  const act = (action: NoticeAction) => host.send({ type: "action-asked", action });

  const askFor = (source: "project" | "changes") => ({ type: "files-asked" as const, source });
  const file = openFile && { type: "files-dropped" as const, uris: [openFile.uri] };
  const questions =
    subject === undefined
      ? [
          { icon: "book", text: t("Explain this project"), picked: askFor("project") },
          { icon: "git-compare", text: t("Review my changes"), picked: askFor("changes") },
        ]
      : [
          { icon: "lightbulb", text: t("Explain {0}", subject), picked: file },
          { icon: "bug", text: t("Find bugs in {0}", subject), picked: file },
          { icon: "beaker", text: t("Write tests for {0}", subject), picked: file },
        ];
  const suggestions = [
    ...questions.map(({ icon, text, picked }) => ({
      icon,
      text,
      onClick: () => draft.suggest(text, picked),
    })),
    {
      icon: "file-media",
      text: t("Ask about a screenshot…"),
      onClick: () => conversationId && draft.attach({ type: "files-asked", conversationId }),
    },
    { icon: "question", text: t("What can I do here?"), onClick: () => act("show-first-steps") },
  ];
  return (
    <ul class="suggestions" aria-label={t("Suggested questions")}>
      {suggestions.map(({ icon, text, onClick }) => (
        <li key={icon}>
          <button type="button" class="suggestion" onClick={onClick}>
            <Icon name={icon} />
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Returns the name of the code that is sent automatically: "cart.ts:13-23"; undefined if none is. */
function subjectOf({ isOn, leftOut, label, detail }: AutomaticView): string | undefined {
  if (!isOn || leftOut !== undefined) return undefined;
  const name = label.slice(label.lastIndexOf("/") + 1);
  const lines = /^\d+(?:-\d+)?/.exec(detail)?.[0];
  return lines === undefined ? name : `${name}:${lines}`;
}

function RecentConversations() {
  const { store, host, navigation } = usePanel();
  const conversationId = store.conversationId.value;
  const rows = store.recent.value;
  useEffect(() => host.send({ type: "recent-asked" }), [host, conversationId]);
  if (rows.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent-heading">
      <h2 id="recent-heading">{t("Recent conversations")}</h2>
      <ul>
        {rows.map(({ id, title, when, isRunning }) => (
          <li key={id}>
            <button
              type="button"
              class="suggestion"
              onClick={() => host.send({ type: "conversation-opened", conversationId: id })}
            >
              <Icon name={isRunning ? "sync" : "comment"} />
              <bdi class="recent-title">{title}</bdi>
              <span class="recent-when">{isRunning ? t("Running") : when}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" class="suggestion" onClick={() => navigation.openHistory()}>
            <Icon name="history" />
            {t("All conversations")}
          </button>
        </li>
      </ul>
    </section>
  );
}
