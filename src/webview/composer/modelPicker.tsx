/**
 * The choice of model, as the browser's own list: it speaks every screen reader's language.
 */
import { t } from "@vscode/l10n";
import type { ModelChoice, ModelOption } from "../../bridge/views";
import { Icon } from "../iconButton";

interface ModelPickerProps {
  readonly options: readonly ModelOption[];
  readonly chosen: ModelChoice;
  /** True when what would be sent holds a picture: that is what "Auto" goes by. */
  readonly isPictureSent: boolean;
  readonly onChoose: (model: ModelChoice) => void;
}

export function ModelPicker({ options, chosen, isPictureSent, onChoose }: ModelPickerProps) {
  const vision = options.find(({ id }) => id === "vl")?.label;
  return (
    <span class="model-picker">
      <select
        aria-label={t("Model")}
        title={t("Model")}
        value={chosen}
        onChange={(event) => {
          const option = options.find(({ id }) => id === event.currentTarget.value);
          if (option) onChoose(option.id);
        }}
      >
        {options.map(({ id, label }) => (
          <option key={id} value={id}>
            {id === "auto" && isPictureSent && vision ? `${label} → ${vision}` : label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
