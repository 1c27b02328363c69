import { t } from "@vscode/l10n";
import { usePanel } from "../state/panelContext";
import { Icon, TextButton } from "../ui/iconButton";

export function ForkOrigin() {
  const from = usePanel().store.forks.value?.from;
  if (from === undefined) return null;
  const { conversationId, title = "" } = from;
  return (
    <p class="fork-line">
      <Icon name="repo-forked" />
      {conversationId === undefined ? (
        t("Forked from a conversation that was deleted")
      ) : (
        <ConversationLink id={conversationId} label={t("Forked from: {0}", title)} />
      )}
    </p>
  );
}

/** Lines below a message at which the conversation was forked. */
export function ForksOfMessage({ messageId }: { readonly messageId: string }) {
  const forks = usePanel().store.forks.value?.forks ?? [];
  return forks
    .filter((fork) => fork.messageId === messageId)
    .map(({ conversationId, title }) => (
      <p key={conversationId} class="fork-line">
        <Icon name="repo-forked" />
        <ConversationLink id={conversationId} label={t("Forked: {0}", title)} />
      </p>
    ));
}

function ConversationLink({ id, label }: { readonly id: string; readonly label: string }) {
  const { host } = usePanel();
  function open(): void {
    host.send({ type: "conversation-opened", conversationId: id });
  }
  return <TextButton label={label} look="link-button" onClick={open} />;
}
