import { t } from "@vscode/l10n";
import type { RulesView } from "../../protocol/views";
import { usePanel } from "../state/panelContext";
import { Chip, tooltipOf } from "../ui/chip";
import { Icon } from "../ui/iconButton";

/** Role of the conversation: opens its text; the button removes it. */
export function RoleChip({
  role,
  conversationId,
}: {
  readonly role: RulesView;
  readonly conversationId: string;
}) {
  const { host, store } = usePanel();
  const { role: chosen, ...others } = store.panel.value?.parameters ?? {};
  return (
    <div role="listitem" class={`chip attachment is-automatic ${role.isOn ? "" : "is-off"}`}>
      <button
        type="button"
        class="chip-open"
        title={tooltipOf(role)}
        onClick={() => host.send({ type: "role-opened" })}
      >
        <Chip chip={role} />
      </button>
      {chosen !== undefined && (
        <button
          type="button"
          class="icon-button chip-remove"
          title={t("Remove attachment {0}", role.label)}
          onClick={() =>
            host.send({ type: "parameters-chosen", conversationId, parameters: others })
          }
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
