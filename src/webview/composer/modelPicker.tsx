import { t } from "@vscode/l10n";
import type { ModelSelection, ModelOption, PanelView, ProfileOption } from "../../protocol/views";
import { Icon } from "../ui/iconButton";

/** Selection; without `profile` the conversation keeps its own. */
interface Picked {
  readonly model: ModelSelection;
  readonly profile?: string;
}

interface ModelPickerProps {
  readonly panel: PanelView;
  /** True if the next request has a picture, which makes "Auto" choose the vision model. */
  readonly isPictureSent: boolean;
  readonly onChoose: (picked: Picked) => void;
}

export function ModelPicker({ panel, isPictureSent, onChoose }: ModelPickerProps) {
  const { models, model, profiles, profile } = panel;
  // Values of the options: index of the profile, if there are profiles, and model.
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
          const text = optionLabel(option.models, { id, label: modelLabel }, isPictureSent);
          // The closed list shows only this text.
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
        {...(profiles && { title: t("Model and service: {0}", selectionText(panel)) })}
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
                {optionLabel(models, option, isPictureSent)}
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

/** Returns the model after the selected model; wraps at the end. */
export function nextModel({ models, model }: PanelView): ModelOption | undefined {
  const index = models.findIndex(({ id }) => id === model);
  return models[index + 1] ?? models[0];
}

function selectionText({ models, model, profiles = [], profile = "" }: PanelView): string {
  const label = profiles.find(({ name }) => name === profile)?.label;
  const code = models.find(({ id }) => id === model)?.label ?? model;
  return label === undefined ? profile : `${code} · ${label}`;
}

/** Adds the vision model to the label of "Auto" while a picture is sent. */
function optionLabel(
  models: readonly ModelOption[],
  { id, label }: ModelOption,
  isPictureSent: boolean,
): string {
  const vision = models.find((other) => other.id === "vl")?.label;
  return id === "auto" && isPictureSent && vision ? `${label} → ${vision}` : label;
}
