/**
 * The parameters of this conversation: four numbers within the service's ranges and the system
 * prompt. Each is taken as soon as its field is left; one that is not allowed is named and not sent.
 */
import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  isParameterAllowed,
  MAX_SYSTEM_PROMPT_LENGTH,
  PARAMETER_RANGES,
  type NumberParameter,
  type ParametersView,
} from "../../protocol/parameters";
import { IconButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";

/** A field says what it holds when it is left. */
function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

interface ParametersDialogProps {
  readonly conversationId: string;
  /** As the host knows them. */
  readonly own: ParametersView;
  readonly onClose: () => void;
}

const NUMBERS = Object.keys(PARAMETER_RANGES) as NumberParameter[];

export function ParametersDialog({ conversationId, own, onClose }: ParametersDialogProps) {
  const { host } = usePanel();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [values, setValues] = useState(own);
  /** Counts the resets: the fields begin anew with each. */
  const [round, setRound] = useState(0);

  // Modal: the browser keeps the focus inside and everything else out of reach.
  useLayoutEffect(() => dialogRef.current?.showModal(), []);

  function change(next: ParametersView): void {
    setValues(next);
    host.send({ type: "parameters-chosen", conversationId, parameters: next });
  }

  function set(name: keyof ParametersView, value: number | string | undefined): void {
    const others = Object.entries(values).filter(([other]) => other !== name);
    change(Object.fromEntries(value === undefined ? others : [...others, [name, value]]));
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
        event.stopPropagation(); // Escape closes this and stops no reply; Ctrl+F finds nothing here.
        if (event.key === "Escape") leaveField();
      }}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialogRef.current) dialogRef.current?.close();
      }}
    >
      <div class="parameters-inside" key={round}>
        <div class="parameters-bar">
          <h2 id="parameters-title">{t("Parameters of this conversation")}</h2>
          <IconButton icon="close" label={t("Close")} onClick={() => dialogRef.current?.close()} />
        </div>
        <div class="parameters-numbers">
          {NUMBERS.map((name) => (
            <NumberField
              key={name}
              name={name}
              value={values[name]}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
        <PromptField value={values.systemPrompt} onChange={(text) => set("systemPrompt", text)} />
        <p id="parameters-note" class="parameters-note">
          {t(
            "What is empty is as the settings say; where they are empty, the service's default holds.",
          )}
        </p>
        <button type="button" class="secondary-button" onClick={reset}>
          {t("Reset to Default")}
        </button>
      </div>
    </dialog>
  );
}

interface NumberFieldProps {
  readonly name: NumberParameter;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

function NumberField({ name, value, onChange }: NumberFieldProps) {
  const [isWrong, setIsWrong] = useState(false);
  const id = `parameter-${name}`;
  const { min, max, step } = PARAMETER_RANGES[name];

  function take(field: HTMLInputElement): void {
    const isEmpty = field.value === "" && !field.validity.badInput;
    const number = field.valueAsNumber;
    const isTaken = isEmpty || isParameterAllowed(name, number);
    setIsWrong(!isTaken);
    if (isTaken) onChange(isEmpty ? undefined : number);
  }

  return (
    <div class="parameter">
      <label for={id}>{labelOf(name)}</label>
      <input
        id={id}
        type="number"
        min={min}
        max={max}
        step={step}
        defaultValue={value === undefined ? "" : String(value)}
        placeholder={t("default")}
        aria-invalid={isWrong}
        aria-describedby={`${id}-range`}
        onChange={(event) => take(event.currentTarget)}
      />
      <span id={`${id}-range`} class={isWrong ? "parameter-range is-wrong" : "parameter-range"}>
        {isWrong
          ? t("Not taken: enter {0} to {1} in steps of {2}.", min, max, step)
          : t("{0} to {1} in steps of {2}", min, max, step)}
      </span>
      <span class="visually-hidden" role="alert">
        {isWrong && t("Not taken: enter {0} to {1} in steps of {2}.", min, max, step)}
      </span>
    </div>
  );
}

function labelOf(name: NumberParameter): string {
  switch (name) {
    case "temperature":
      return t("Temperature");
    case "topP":
      return t("Top P");
    case "maxTokens":
      return t("Longest reply in tokens (text model)");
    case "repetitionPenalty":
      return t("Repetition penalty (vision model)");
    default:
      return name satisfies never;
  }
}

interface PromptFieldProps {
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

/** The system prompt: that of the settings, or one of its own, which may be empty for none. */
function PromptField({ value, onChange }: PromptFieldProps) {
  return (
    <div class="parameter">
      <label for="parameter-prompt">{t("System prompt")}</label>
      <textarea
        id="parameter-prompt"
        rows={3}
        maxLength={MAX_SYSTEM_PROMPT_LENGTH}
        defaultValue={value ?? ""}
        placeholder={t("as the settings say")}
        onChange={(event) => {
          const text = event.currentTarget.value;
          onChange(text.trim() === "" ? undefined : text);
        }}
      />
    </div>
  );
}
