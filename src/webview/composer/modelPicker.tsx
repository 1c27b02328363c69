/**
 * The choice of model, as the browser's own list: it speaks every screen reader's language.
 */
import { t } from "@vscode/l10n";
import type { ModelChoice, ModelOption } from "../../bridge/views";
import { Icon } from "../iconButton";

interface ModelPickerProps {
  readonly options: readonly ModelOption[];
  readonly chosen: ModelChoice;
  readonly onChoose: (model: ModelChoice) => void;
}

export function ModelPicker({ options, chosen, onChoose }: ModelPickerProps) {
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
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
