import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  isParameterAllowed,
  MAX_SYSTEM_PROMPT_LENGTH,
  PARAMETER_RANGES,
  SERVICE_DEFAULTS,
  type NumberParameter,
  type ParametersView,
} from "../../protocol/parameters";
import type { ReplyView } from "../../protocol/views";
import { IconButton, TextButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";

/** Blurs the focused field, which makes its `change` event fire. */
function blurField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

interface ParametersDialogProps {
  readonly conversationId: string;
  readonly own: ParametersView;
  /** Model of the next request. */
  readonly kind: ReplyView["modelKind"];
  readonly onClose: () => void;
}

const NUMBERS = Object.keys(PARAMETER_RANGES) as NumberParameter[];

/**
 * Parameters of a conversation. A value is sent when its field loses the focus; an invalid value is
 * reported and not sent.
 */
export function ParametersDialog({ conversationId, own, kind, onClose }: ParametersDialogProps) {
  const { host, store } = usePanel();
  const panel = store.panel.value;
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [values, setValues] = useState(own);
  /** Number of resets; a reset recreates the fields. */
  const [round, setRound] = useState(0);

  useLayoutEffect(() => dialogRef.current?.showModal(), []);

  function change(next: ParametersView): void {
    setValues(next);
    host.send({ type: "parameters-chosen", conversationId, parameters: next });
  }

  function set(name: keyof ParametersView, value: number | string | undefined): void {
    const otherValues = Object.entries(values).filter(([other]) => other !== name);
    change(Object.fromEntries(value === undefined ? otherValues : [...otherValues, [name, value]]));
  }

  function reset(): void {
    change({});
    setRound(round + 1);
  }

  return (
    <dialog
      ref={dialogRef}
      class="parameters"
      aria-labelledby="parameters-title"
      aria-describedby="parameters-note"
      onKeyDown={(event) => {
        event.stopPropagation(); // Escape must not stop a reply, nor Ctrl+F open the find bar.
        if (event.key === "Escape") blurField();
      }}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialogRef.current) dialogRef.current?.close();
      }}
    >
      <div class="parameters-inside">
        <div class="parameters-bar">
          <h2 id="parameters-title">{t("Parameters")}</h2>
          <IconButton icon="close" label={t("Close")} onClick={() => dialogRef.current?.close()} />
        </div>
        <div class="parameters-numbers" key={round}>
          {NUMBERS.filter((name) => name in SERVICE_DEFAULTS[kind] || name in values).map(
            (name) => (
              <NumberField
                key={name}
                name={name}
                value={values[name]}
                byDefault={panel?.settingParameters?.[kind][name] ?? SERVICE_DEFAULTS[kind][name]}
                onChange={(value) => set(name, value)}
              />
            ),
          )}
        </div>
        <PromptField
          key={`prompt ${round}`}
          value={values.systemPrompt}
          ofSettings={store.panel.value?.systemPrompt ?? ""}
          onChange={(text) => set("systemPrompt", text)}
        />
        <p id="parameters-note" class="parameters-note">
          {t("Empty numbers use your settings, or the service's default.")}
        </p>
        <TextButton label={t("Reset to default")} onClick={reset} />
      </div>
    </dialog>
  );
}

interface NumberFieldProps {
  readonly name: NumberParameter;
  readonly value: number | undefined;
  /** Value that applies while the field is empty; undefined for a parameter of the other model. */
  readonly byDefault: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

function NumberField({ name, value, byDefault, onChange }: NumberFieldProps) {
  const [isWrong, setIsWrong] = useState(false);
  const id = `parameter-${name}`;
  const { min, max, step } = PARAMETER_RANGES[name];

  function readField(field: HTMLInputElement): void {
    const isEmpty = field.value === "" && !field.validity.badInput;
    const number = field.valueAsNumber;
    const isValid = isEmpty || isParameterAllowed(name, number);
    setIsWrong(!isValid);
    if (isValid) onChange(isEmpty ? undefined : number);
  }

  return (
    <div class="parameter is-row">
      <label for={id}>{labelOf(name)}</label>
      <input
        autocomplete="off"
        id={id}
        type="number"
        title={t("{0} to {1} in steps of {2}", min, max, step)}
        min={min}
        max={max}
        step={step}
        defaultValue={value === undefined ? "" : String(value)}
        placeholder={byDefault?.toString() ?? ""}
        aria-invalid={isWrong}
        {...(isWrong && { "aria-describedby": `${id}-range` })}
        onChange={(event) => readField(event.currentTarget)}
      />
      {isWrong && (
        <span id={`${id}-range`} class="parameter-range">
          {t("Enter a value from {0} to {1} in steps of {2}.", min, max, step)}
        </span>
      )}
      <span class="visually-hidden" role="alert">
        {isWrong && t("Enter a value from {0} to {1} in steps of {2}.", min, max, step)}
      </span>
    </div>
  );
}

function labelOf(name: NumberParameter): string {
  return {
    temperature: t("Temperature"),
    topP: t("Top P"),
    maxTokens: t("Max tokens"),
    repetitionPenalty: t("Repetition penalty"),
  }[name];
}

interface PromptFieldProps {
  readonly value: string | undefined;
  /** Prompt that is sent where the conversation has no prompt of its own. */
  readonly ofSettings: string;
  readonly onChange: (text: string | undefined) => void;
}

function PromptField({ value, ofSettings, onChange }: PromptFieldProps) {
  return (
    <div class="parameter">
      <label for="parameter-prompt">{t("System prompt")}</label>
      <textarea
        autocomplete="off"
        id="parameter-prompt"
        rows={3}
        maxLength={MAX_SYSTEM_PROMPT_LENGTH}
        defaultValue={value ?? ofSettings}
        placeholder={t("None")}
        onChange={(event) => {
          const { value: text } = event.currentTarget;
          const isNone = text.trim() === "";
          const isOfSettings = text === ofSettings || (isNone && ofSettings === "");
          onChange(isOfSettings ? undefined : isNone ? "" : text);
        }}
      />
    </div>
  );
}
