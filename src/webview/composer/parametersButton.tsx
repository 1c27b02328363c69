import { t } from "@vscode/l10n";
import { useRef, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { IconButton } from "../ui/iconButton";
import { later } from "../ui/later";

const ParametersDialog = later(async () => (await import("./parametersDialog")).ParametersDialog);

export function ParametersButton() {
  const { store } = usePanel();
  const [isOpen, setIsOpen] = useState(false);
  const conversationId = store.conversationId.value;
  const parameters = store.panel.value?.parameters ?? {};
  const areSet = Object.keys(parameters).length > 0;
  const containerRef = useRef<HTMLSpanElement>(null);

  function close(): void {
    setIsOpen(false);
    containerRef.current?.querySelector("button")?.focus();
  }

  return (
    <span ref={containerRef} class={areSet ? "parameters-button is-set" : "parameters-button"}>
      <IconButton
        icon="settings"
        label={areSet ? t("Parameters (changed)") : t("Parameters")}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && conversationId !== undefined && (
        <ParametersDialog
          key={conversationId}
          conversationId={conversationId}
          own={parameters}
          onClose={close}
        />
      )}
    </span>
  );
}
