/**
 * The button that opens the parameters of this conversation; the dialog itself comes in its own
 * chunk when it is first wanted.
 */
import { t } from "@vscode/l10n";
import type { ComponentType } from "preact";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "../iconButton";
import { usePanel } from "../panelContext";
import type { ParametersDialogProps } from "./parametersDialog";

type Dialog = ComponentType<ParametersDialogProps>;

export function ParametersButton() {
  const panel = usePanel();
  const { store } = panel;
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<{ readonly Dialog: Dialog }>();
  const conversationId = store.conversationId.value;
  const own = store.panel.value?.parameters ?? {};
  const areSet = Object.keys(own).length > 0;
  const placeRef = useRef<HTMLSpanElement>(null);

  function open(): void {
    setIsOpen(true);
    if (dialog) return;
    import("./parametersDialog").then(
      (module) => setDialog({ Dialog: module.ParametersDialog }),
      () => {
        setIsOpen(false);
        panel.reportFailure("parameters chunk");
      },
    );
  }

  function close(): void {
    setIsOpen(false);
    placeRef.current?.querySelector("button")?.focus();
  }

  return (
    <span ref={placeRef} class={areSet ? "parameters-button is-set" : "parameters-button"}>
      <IconButton
        icon="settings"
        label={areSet ? t("Parameters (changed)") : t("Parameters")}
        onClick={open}
      />
      {isOpen && dialog && conversationId !== undefined && (
        <dialog.Dialog
          key={conversationId}
          conversationId={conversationId}
          own={own}
          onClose={close}
        />
      )}
    </span>
  );
}
