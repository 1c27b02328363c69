import { t } from "@vscode/l10n";
import { useRef, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { IconButton } from "../ui/iconButton";
import { later } from "../ui/later";

const ParametersDialog = later(async () => (await import("./parametersDialog")).ParametersDialog);

/** @param isPictureSent true if the next request has a picture, which decides the model of "Auto" */
export function ParametersButton({ isPictureSent }: { readonly isPictureSent: boolean }) {
  const { store } = usePanel();
  const model = store.panel.value?.model ?? "auto";
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
          kind={model === "auto" ? (isPictureSent ? "vl" : "llm") : model}
          onClose={close}
        />
      )}
    </span>
  );
}
