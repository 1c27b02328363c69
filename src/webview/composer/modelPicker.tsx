/**
 * The choice of model, and of the service where there are several, as the browser's own list: it
 * speaks every screen reader's language.
 */
import { t } from "@vscode/l10n";
import type { ModelSelection, ModelOption, PanelView, ProfileOption } from "../../protocol/views";
import { Icon } from "../ui/iconButton";

/** What was picked; without a profile, that of the conversation stays. */
interface Picked {
  readonly model: ModelSelection;
  readonly profile?: string;
}

interface ModelPickerProps {
  readonly panel: PanelView;
  /** True when what would be sent holds a picture: that is what "Auto" goes by. */
  readonly isPictureSent: boolean;
  readonly onChoose: (picked: Picked) => void;
}

export function ModelPicker({ panel, isPictureSent, onChoose }: ModelPickerProps) {
  const { models, model, profiles, profile } = panel;
  // The way to each option: its place among the profiles, if there are any, and its model.
  const options = new Map<string, Picked>();
  const add = (value: string, picked: Picked) => {
    options.set(value, picked);
    return value;
  };
  const chosen = profiles
    ? `${profiles.findIndex(({ name }) => name === profile)} ${model}`
    : model;

  function group(option: ProfileOption, index: number) {
    const { name, label } = option;
    return (
      <optgroup key={name} label={label}>
        {option.models.map(({ id, label: modelLabel }) => {
          const value = add(`${index} ${id}`, { model: id, profile: name });
          const text = shownLabel(option.models, { id, label: modelLabel }, isPictureSent);
          // The closed list shows this line alone, so it says both.
          return (
            <option key={id} value={value}>
              {value === chosen ? `${text} · ${label}` : text}
            </option>
          );
        })}
      </optgroup>
    );
  }

  return (
    <span class="model-picker">
      <select
        aria-label={t("Model")}
        title={profiles ? t("Model and profile: {0}", shownLine(panel)) : t("Model")}
        value={chosen}
        onChange={(event) => {
          const picked = options.get(event.currentTarget.value);
          if (picked) onChoose(picked);
        }}
      >
        {profiles
          ? profiles.map(group)
          : models.map((option) => (
              <option key={option.id} value={add(option.id, { model: option.id })}>
                {shownLabel(models, option, isPictureSent)}
              </option>
            ))}
        {profiles && chosen.startsWith("-1 ") && (
          <option value={chosen} disabled>
            {profile}
          </option>
        )}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}

/** The one after the chosen one, and after the last the first. */
export function nextModel({ models, model }: PanelView): ModelOption | undefined {
  const at = models.findIndex(({ id }) => id === model);
  return models[at + 1] ?? models[0];
}

/** What is asked, in one line: the closed list may have no room for it. */
function shownLine({ models, model, profiles = [], profile = "" }: PanelView): string {
  const label = profiles.find(({ name }) => name === profile)?.label;
  const code = models.find(({ id }) => id === model)?.label ?? model;
  return label === undefined ? profile : `${code} · ${label}`;
}

/** "Auto" says which model it comes to, where that is not the usual one. */
function shownLabel(
  models: readonly ModelOption[],
  { id, label }: ModelOption,
  isPictureSent: boolean,
): string {
  const vision = models.find((other) => other.id === "vl")?.label;
  return id === "auto" && isPictureSent && vision ? `${label} → ${vision}` : label;
}
