import { t } from "@vscode/l10n";
import type { PanelView, SetupStepView } from "../../protocol/views";
import { Icon } from "./iconButton";
import { usePanel } from "../state/panelContext";

/** Content of an empty conversation: the setup steps, or example questions. */
export function EmptyState({ panel }: { readonly panel: PanelView }) {
  const isSetUp = panel.setup.every(({ isDone }) => isDone);
  return (
    <div class="empty-state">
      <div class="empty-mark">
        <Icon name="comment-discussion" />
      </div>
      <p class="empty-title">{t("Chat about your code and screenshots.")}</p>
      {isSetUp ? <Examples /> : <SetupSteps steps={panel.setup} />}
      <FirstStepsLink />
    </div>
  );
}

function SetupSteps({ steps }: { readonly steps: readonly SetupStepView[] }) {
  return (
    <ol class="setup-steps" aria-label={t("Setup")}>
      {steps.map((step, index) => (
        <SetupStep key={step.id} step={step} number={index + 1} />
      ))}
    </ol>
  );
}

function SetupStep({ step, number }: { readonly step: SetupStepView; readonly number: number }) {
  const { host } = usePanel();
  const { action } = step;
  return (
    <li class={step.isDone ? "setup-step is-done" : "setup-step"}>
      <span class="setup-sign" aria-hidden="true">
        {step.isDone ? <Icon name="check" /> : number}
      </span>
      <div class="setup-words">
        <span class="setup-title">{step.title}</span>
        {step.isDone && <span class="visually-hidden">{t("Completed")}</span>}
        <span class="setup-detail">{step.detail}</span>
        {action && (
          <button
            type="button"
            class={step.isDone ? "secondary-button" : "primary-button"}
            onClick={() => host.send({ type: "action-asked", action: action.id })}
          >
            {action.label}
          </button>
        )}
      </div>
    </li>
  );
}

/** Opens the walkthrough, which has the same two steps and three more. */
function FirstStepsLink() {
  const { host } = usePanel();
  return (
    <button
      type="button"
      class="link-button"
      onClick={() => host.send({ type: "action-asked", action: "show-first-steps" })}
    >
      {t("Show First Steps")}
    </button>
  );
}

function Examples() {
  const { draft } = usePanel();
  const examples = [
    t("Explain what this error means and how to fix it:"),
    t("Write a unit test for this function:"),
    t("What are the trade-offs between these two approaches?"),
  ];
  return (
    <ul class="examples" aria-label={t("Suggested questions")}>
      {examples.map((text) => (
        <li key={text}>
          <button type="button" class="example-button" onClick={() => draft.suggestText(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
