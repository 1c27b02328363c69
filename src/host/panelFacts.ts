/**
 * What the panel shows beside the conversation: the two steps before the first question, the
 * models to choose from, and standing notices. Kept current as settings, keys and disk change.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../base/disposables";
import { Emitter, type Event } from "../base/event";
import type { NoticeView } from "../bridge/views";
import type { PanelFacts } from "../chat/viewFeed";
import { originOf } from "../service/baseUrl";
import { SETTINGS_SECTION } from "./contributions";
import { failureNotice } from "./failureWords";
import type { FirstSteps } from "./firstSteps";
import { actionButton } from "./notices";
import type { Keys } from "./keys";
import { promptsWith } from "./prompts";
import type { Services } from "./services";
import { readSettings } from "./settings";

/** Where it is told whether history reaches the disk. */
export interface Saving {
  readonly isSaving: boolean;
  readonly onSavingChanged: Event<boolean>;
}

/** The facts now, and word when they change. */
export class PanelState implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<void>());
  private hasKey = false;
  private asked = 0;

  readonly onChanged = this.changes.event;

  constructor(
    private readonly services: Services,
    keys: Keys,
    private readonly saving: Saving,
    private readonly firstSteps: Pick<FirstSteps, "noteSetUp">,
  ) {
    this.owned.add(keys.onChanged(() => this.refresh()));
    this.owned.add(saving.onSavingChanged(() => this.changes.fire()));
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_SECTION)) this.refresh();
      }),
    );
  }

  /** Looks again whether there is a key, then tells that things may have changed. */
  refresh(): void {
    const turn = ++this.asked;
    const origin = originOf(this.services.active(readSettings().settings).baseUrl);
    const key = origin === undefined ? Promise.resolve(undefined) : this.services.keyFor(origin);
    void key.then((found) => {
      if (turn !== this.asked) return;
      this.hasKey = found !== undefined;
      this.firstSteps.noteSetUp(origin !== undefined, this.hasKey);
      this.changes.fire();
    });
  }

  /** Everything as it is now; whether there is a key is as of the last `refresh`. */
  facts(): PanelFacts {
    const { settings, badNames } = readSettings();
    const service = this.services.active(settings);
    const origin = originOf(service.baseUrl);
    const notices: NoticeView[] = badNames.map((name) => ({
      tone: "warning",
      text: vscode.l10n.t(
        'The setting "{0}" cannot be used, so its default holds. Correct it.',
        `${SETTINGS_SECTION}.${name}`,
      ),
      action: actionButton("open-settings"),
    }));
    const { prompts, badNames: badPrompts } = promptsWith(settings.prompts);
    for (const name of badPrompts) {
      notices.push({
        tone: "warning",
        text: vscode.l10n.t(
          'The prompt "{0}" in the setting "{1}" cannot be used. Give it a name of letters, digits, - or _ and some text.',
          name.slice(0, 60),
          `${SETTINGS_SECTION}.prompts`,
        ),
        action: actionButton("open-settings"),
      });
    }
    if (!this.saving.isSaving) {
      notices.push({
        tone: "error",
        text: vscode.l10n.t(
          "History is not being saved: the disk refuses it. Chat goes on and is saved as soon as the disk allows it.",
        ),
        action: actionButton("show-log"),
      });
    }
    return {
      setup: [this.serviceStep(service.baseUrl, origin), this.keyStep(origin)],
      models: [
        { id: "auto", label: vscode.l10n.t("Auto") },
        { id: "llm", label: service.modelCodes.llm },
        { id: "vl", label: service.modelCodes.vl },
      ],
      model: this.services.model.get(),
      notices,
      prompts: [...prompts],
    };
  }

  dispose(): void {
    this.owned.dispose();
  }

  private serviceStep(baseUrl: string, origin: string | undefined): PanelFacts["setup"][number] {
    const isSet = baseUrl.trim() !== "";
    return {
      id: "service",
      isDone: origin !== undefined,
      title: vscode.l10n.t("Service"),
      detail:
        origin !== undefined
          ? baseUrl
          : isSet
            ? failureNotice({ kind: "bad-url", problem: "not-a-url" }, false).text
            : vscode.l10n.t("The base URL of a chat-completion service."),
      ...(origin === undefined && { action: actionButton("set-base-url") }),
    };
  }

  private keyStep(origin: string | undefined): PanelFacts["setup"][number] {
    const isDone = origin !== undefined && this.hasKey;
    return {
      id: "key",
      isDone,
      title: vscode.l10n.t("API key"),
      detail: vscode.l10n.t("Kept in VS Code's secret storage, sent only there."),
      ...(!isDone && origin !== undefined && { action: actionButton("set-api-key") }),
    };
  }
}
