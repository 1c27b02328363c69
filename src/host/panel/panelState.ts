/**
 * Computes the panel's status next to the conversation: the two setup steps, the models and the
 * notices. Updates with settings, keys and disk state.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { Emitter, type Event } from "../../base/event";
import { panelSettingsSchema, type NoticeView } from "../../protocol/views";
import type { PanelStatus } from "../../chat/view/viewState";
import type { Reply } from "../../conversation/message";
import type { History } from "../../history/history";
import { originOf } from "../../service/baseUrl";
import { SETTINGS_SECTION } from "../platform/contributions";
import { failureNotice } from "../messages/failureMessages";
import type { FirstSteps } from "./firstSteps";
import { error, info, warning } from "../messages/notices";
import { watchPolicy } from "../policy/policy";
import { keyStep, modelOptions, policyNotices, serviceStep } from "./setupSteps";
import { promptsWith } from "../settings/prompts";
import { profileOf, samplingOf, type Service, type Services } from "../settings/services";
import { SettledFailures, type SettingUp } from "../settings/settledFailures";
import { isSystemPromptOfWorkspace, readSettings, type Settings } from "../settings/settings";
import type { StoredSecrets } from "../settings/storedSecrets";

interface PanelSources {
  readonly services: Services;
  readonly keys: StoredSecrets;
  readonly history: Pick<History, "canSave" | "onCanSaveChanged">;
  /** Source of the notice about the history's folder. */
  readonly historyFolder: {
    notice(): NoticeView | undefined;
    readonly onChanged: Event<void>;
  };
  readonly firstSteps: Pick<FirstSteps, "noteSetUp">;
}

/** The status of the panel, with an event for changes. */
export class PanelState extends DisposableOwner {
  private readonly changes = this.owned.add(new Emitter<void>());
  /** Origins with a stored key. */
  private keyed: ReadonlySet<string> = new Set();
  private refreshCount = 0;
  private readonly settled = new SettledFailures();
  /** Texts of notices that the user closed. */
  private readonly dismissed = new Set<string>();

  readonly onChanged = this.changes.event;

  constructor(private readonly sources: PanelSources) {
    super();
    const { services, keys, history: saving, historyFolder } = sources;
    this.owned.add(historyFolder.onChanged(() => this.changes.fire()));
    this.owned.add(keys.onChanged(() => this.refresh()));
    this.owned.add(services.onCoordinatesChanged(() => this.changes.fire()));
    this.owned.add(
      saving.onCanSaveChanged(() => {
        // The next failure is a new failure, so its notice is shown again.
        if (saving.canSave) this.dismissed.delete(notSavedText());
        this.changes.fire();
      }),
    );
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(SETTINGS_SECTION)) return;
        this.noteChanged((name) => event.affectsConfiguration(`${SETTINGS_SECTION}.${name}`));
        this.refresh();
      }),
    );
    this.owned.add(watchPolicy(() => this.refresh()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changes.fire()));
  }

  /** Checks again which services have a key, then fires `onChanged`. */
  refresh(): void {
    const turn = ++this.refreshCount;
    const { settings } = readSettings();
    const origins = this.sources.services
      .all(settings)
      .flatMap(({ baseUrl }) => originOf(baseUrl) ?? []);
    const lookups = [...new Set(origins)].map(async (origin) =>
      (await this.sources.services.hasKey(origin)) ? [origin] : [],
    );
    void Promise.all(lookups).then((found) => {
      if (turn !== this.refreshCount) return;
      this.keyed = new Set(found.flat());
      const origin = originOf(this.sources.services.active(settings).baseUrl);
      this.sources.firstSteps.noteSetUp(this.hasKey(origin));
      this.changes.fire();
    });
  }

  /** A key or a base URL was set by the user; failures before that can be tried again. */
  noteSet(action: SettingUp, service: Service): void {
    this.settled.noteSet(action, profileOf(service), Date.now());
  }

  /** Allows to try failures again that a changed setting may have caused. */
  private noteChanged(isChanged: (name: string) => boolean): void {
    for (const service of this.sources.services.all(readSettings().settings)) {
      const ofProfile = service.profileName !== undefined && isChanged("profiles");
      const isAddressChanged = isChanged("baseUrl") || isChanged("path");
      const ofDefault = service.profileName === undefined && isAddressChanged;
      if (ofProfile || ofDefault) this.noteSet("set-base-url", service);
      if (ofProfile || isChanged("models")) this.noteSet("set-model", service);
      this.noteSet("open-settings", service);
    }
  }

  /**
   * Returns the notice of a failed reply whose cause was removed since; undefined for any other.
   * @param profile stored profile of its conversation
   */
  settledNotice(reply: Reply, profile: string | undefined): NoticeView | undefined {
    if (reply.ending?.kind !== "failed") return undefined;
    return this.settled.noticeFor(reply, profileOf(this.sources.services.target(profile)));
  }

  /** Hides the notice with this text until the window is reloaded. */
  dismissNotice(text: string): void {
    this.dismissed.add(text);
    this.changes.fire();
  }

  /**
   * Returns the current status; the state of keys is that of the last `refresh`.
   * @param profile of the shown conversation
   */
  status(profile?: string): PanelStatus {
    const { settings, badNames } = readSettings();
    const chosen = this.sources.services.find(settings, profile);
    const service = chosen ?? this.sources.services.active(settings);
    const origin = originOf(service.baseUrl);
    const notices = badNames.map((name) =>
      warning(
        vscode.l10n.t(
          'The value of "{0}" is not valid, so the default is used. Change it in the settings.',
          `${SETTINGS_SECTION}.${name}`,
        ),
        "open-settings",
      ),
    );
    notices.push(...policyNotices());
    const { prompts, badNames: badPrompts } = promptsWith(settings.prompts);
    for (const name of badPrompts) {
      const text = vscode.l10n.t(
        'The prompt "{0}" in the setting "{1}" is not valid. Use a name of letters, digits, - or _, and some text.',
        name.slice(0, 60),
        `${SETTINGS_SECTION}.prompts`,
      );
      notices.push(warning(text, "open-settings"));
    }
    if (!this.sources.history.canSave) notices.push(error(notSavedText(), "show-log"));
    const folderNotice = this.sources.historyFolder.notice();
    if (folderNotice) notices.push(folderNotice);
    if (chosen === undefined && profile !== undefined) {
      notices.push(failureNotice({ kind: "no-profile", profile }, false));
    }
    notices.push(...this.workspaceNotices());
    const coordinates = this.sources.services.coordinates(service, settings);
    return {
      setup: [serviceStep(service.baseUrl, origin), keyStep(this.hasKey(origin))],
      models: modelOptions(service),
      model: this.sources.services.model.get(),
      ...this.profileOptions(settings, chosen ? profileOf(chosen) : (profile ?? "")),
      settingParameters: { llm: samplingOf(settings, "llm"), vl: samplingOf(settings, "vl") },
      coordinates,
      hasWorkspace: vscode.workspace.workspaceFolders !== undefined,
      notices: notices.filter(({ text }) => !this.dismissed.has(text)),
      prompts: [...prompts],
      settings: panelSettingsSchema.parse(settings),
    };
  }

  /** Returns notices about settings of the workspace. These are information, no errors. */
  private workspaceNotices(): NoticeView[] {
    const notices: NoticeView[] = [];
    if (isSystemPromptOfWorkspace()) {
      const text = vscode.l10n.t("This workspace sets the system prompt.");
      notices.push(info(text, "show-system-prompt"));
    }
    if (!vscode.workspace.isTrusted) {
      const text = vscode.l10n.t(
        "Restricted Mode: the workspace's settings and prompts are ignored.",
      );
      notices.push(info(text, "manage-trust"));
    }
    return notices;
  }

  /** Returns the profiles; empty for a single profile. */
  private profileOptions(
    settings: Settings,
    profile: string,
  ): Pick<PanelStatus, "profiles" | "profile"> {
    const profiles = this.sources.services.all(settings).map((service) => ({
      name: profileOf(service),
      label: service.profileName ?? vscode.l10n.t("Default"),
      models: modelOptions(service),
    }));
    const isOnly = profiles.length === 1 && profiles[0]?.name === profile;
    return isOnly ? {} : { profiles, profile };
  }

  private hasKey(origin: string | undefined): boolean {
    return origin !== undefined && this.keyed.has(origin);
  }
}

function notSavedText(): string {
  return vscode.l10n.t(
    "History is not being saved because of a disk error. You can keep chatting; it will be saved when the disk is available again.",
  );
}
