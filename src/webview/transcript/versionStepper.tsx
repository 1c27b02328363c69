/**
 * Steps through the versions of a question or a reply, where there is more than one.
 */
import { t } from "@vscode/l10n";
import { IconButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";

interface VersionStepperProps {
  readonly messageId: string;
  /** Which of how many, both 1-based. */
  readonly version: { readonly index: number; readonly count: number };
}

export function VersionStepper({ messageId, version: { index, count } }: VersionStepperProps) {
  const { host, store } = usePanel();
  if (count < 2) return null;
  const isRunning = store.panel.value?.isRunning === true;
  const choose = (step: -1 | 1) => host.send({ type: "version-chosen", messageId, step });
  return (
    <span class="version-stepper">
      <IconButton
        icon="chevron-left"
        label={t("Previous version")}
        isDisabled={isRunning || index <= 1}
        onClick={() => choose(-1)}
      />
      <span class="version-number">
        {index}/{count}
      </span>
      <IconButton
        icon="chevron-right"
        label={t("Next version")}
        isDisabled={isRunning || index >= count}
        onClick={() => choose(1)}
      />
    </span>
  );
}
