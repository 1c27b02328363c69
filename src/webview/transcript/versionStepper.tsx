import { t } from "@vscode/l10n";
import { IconButton } from "../ui/iconButton";
import { useIsRunning, usePanel } from "../state/panelContext";

interface VersionStepperProps {
  readonly messageId: string;
  /** Both 1-based. */
  readonly version: { readonly index: number; readonly count: number };
}

/** Steps through the versions of a message; renders nothing for a single version. */
export function VersionStepper({ messageId, version: { index, count } }: VersionStepperProps) {
  const { host } = usePanel();
  const isRunning = useIsRunning();
  if (count < 2) return null;
  const chooseVersion = (step: -1 | 1) => host.send({ type: "version-chosen", messageId, step });
  return (
    <span class="version-stepper">
      <IconButton
        icon="chevron-left"
        label={t("Previous version")}
        isDisabled={isRunning || index <= 1}
        onClick={() => chooseVersion(-1)}
      />
      <span class="version-number">
        {index}/{count}
      </span>
      <IconButton
        icon="chevron-right"
        label={t("Next version")}
        isDisabled={isRunning || index >= count}
        onClick={() => chooseVersion(1)}
      />
    </span>
  );
}
