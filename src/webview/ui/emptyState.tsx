import { t } from "@vscode/l10n";
import { useEffect } from "preact/hooks";
import type { AutomaticView, NoticeAction, PanelView, SetupStepView } from "../../protocol/views";
import { Icon, TextButton } from "./iconButton";
import { usePanel } from "../state/panelContext";

/**
 * Content of an empty conversation: the setup steps, or questions about the open code and the latest
 * conversations.
 */
export function EmptyState({ panel }: { readonly panel: PanelView }) {
  const { host } = usePanel();
  const isSetUp = panel.setup.every(({ isDone }) => isDone);
  return (
    <div class="empty-state">
      <div class="empty-mark">
        <Icon name="comment-discussion" />
      </div>
      <p class="empty-title">{t("Chat about your code and screenshots.")}</p>
      {!isSetUp && (
        // Opens the walkthrough, which has the same two steps and three more.
        <TextButton
          label={t("Show First Steps")}
          look="link-button"
          onClick={() => host.send({ type: "action-asked", action: "show-first-steps" })}
        />
      )}
      {isSetUp ? (
        <Suggestions panel={panel} />
      ) : (
        <ol class="setup-steps" aria-label={t("Setup")}>
          {panel.setup.map((step, index) => (
            <SetupStep key={step.id} step={step} number={index + 1} />
          ))}
        </ol>
      )}
      {isSetUp && <RecentConversations />}
    </div>
  );
}

function SetupStep({ step, number }: { readonly step: SetupStepView; readonly number: number }) {
  const { host } = usePanel();
  const { action } = step;
  return (
    <li class={step.isDone ? "setup-step is-done" : "setup-step"}>
      <span class="setup-sign" aria-hidden="true">
        {step.isDone ? <Icon name="check" /> : number}
      </span>
      <div class="setup-words">
        <span class="setup-title">{step.title}</span>
        {step.isDone && <span class="visually-hidden">{t("Completed")}</span>}
        <span class="setup-detail">{step.detail}</span>
        {action && (
          <TextButton
            label={action.label}
            look={step.isDone ? "secondary-button" : "primary-button"}
            onClick={() => host.send({ type: "action-asked", action: action.id })}
          />
        )}
      </div>
    </li>
  );
}

/** Questions about the open code or the whole project, and a way to attach a picture. */
function Suggestions({ panel: { automatic, openFile } }: { readonly panel: PanelView }) {
  const { store, host, draft } = usePanel();
  const subject = automatic ? subjectOf(automatic) : openFile?.name;
  const conversationId = store.conversationId.value;
  const act = (action: NoticeAction) => host.send({ type: "action-asked", action });

  function suggest(text: string): void {
    draft.suggestText(text);
    if (openFile === undefined || conversationId === undefined) return;
    draft.attach({ type: "files-dropped", conversationId, uris: [openFile.uri] });
  }

  function ask(text: string, action: NoticeAction): void {
    draft.suggestText(text);
    act(action);
  }

  const project = t("Explain this project");
  const changes = t("Review my changes");
  const questions =
    subject === undefined
      ? [
          { icon: "book", text: project, onClick: () => ask(project, "add-project") },
          { icon: "git-compare", text: changes, onClick: () => ask(changes, "add-changes") },
        ]
      : [
          { icon: "lightbulb", text: t("Explain {0}", subject) },
          { icon: "bug", text: t("Find bugs in {0}", subject) },
          { icon: "beaker", text: t("Write tests for {0}", subject) },
        ].map((one) => ({ ...one, onClick: () => suggest(one.text) }));
  const suggestions = [
    ...questions,
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
