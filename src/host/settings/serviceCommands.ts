/**
 * Selects the service for commands that set a key, an address or a header: that of the shown
 * conversation, else the active service. The input boxes are in keyCommands.ts and
 * profileCommands.ts.
 */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { LiveConversation } from "../../chat/liveConversation";
import { SETTINGS_SECTION } from "../platform/contributions";
import { failureNotice } from "../messages/failureMessages";
import type { SettingUp } from "./settledFailures";
import { profileOf, type Service, type Services } from "./services";
import { readSettings } from "./settings";
import type { StoredSecrets } from "./storedSecrets";
import type { AskedNext } from "./statusItem";

export interface ServiceCommandOptions {
  readonly services: Services;
  readonly keys: StoredSecrets;
  readonly headers: StoredSecrets;
  readonly log: Log;
  /** Returns the conversation that the user sees, if any. */
  readonly shown: () => LiveConversation | undefined;
  /** Called after the user set something for a service, before `changed`. */
  readonly noteSet: (action: SettingUp, service: Service) => void;
  /** Called after services or keys changed. */
  readonly changed: () => void;
}

/** Commands about services; each resolves when finished or cancelled. */
export class ServiceCommands {
  constructor(private readonly ports: ServiceCommandOptions) {}

  /** Returns the target service; the active service if that of the conversation is gone. */
  targetService(profile = this.ports.shown()?.conversation.profile): Service {
    const { services } = this.ports;
    const { settings } = readSettings();
    return services.find(settings, profile) ?? services.active(settings);
  }

  /** Returns the service and model of the next question. */
  askedNext(): AskedNext {
    const { services, shown } = this.ports;
    const { settings } = readSettings();
    const { profile, model = services.model.get() } = shown()?.conversation ?? {};
    return { services: services.all(settings), service: services.find(settings, profile), model };
  }

  /** @param profile profile of a conversation; that of the shown conversation if omitted */
  async setApiKey(profile?: string): Promise<void> {
    const service = this.targetService(profile);
    const { setApiKey } = await import("./keyCommands");
    const isSet = await setApiKey(this.ports, service, () => this.correctUrl(service));
    if (isSet) this.ports.noteSet("set-api-key", service);
    this.ports.changed();
  }

  async removeApiKey(): Promise<void> {
    const { removeApiKey } = await import("./keyCommands");
    await removeApiKey(this.ports);
    this.ports.changed();
  }

  /** Asks for the address of a service; that of a profile is in the settings. */
  async setBaseUrl(profile?: string): Promise<void> {
    await this.correctUrl(this.targetService(profile));
    this.ports.changed();
  }

  /** Asks the user to choose the service of the shown conversation and of new conversations. */
  async switchProfile(): Promise<void> {
    const { services } = this.ports;
    const shown = this.ports.shown();
    const { services: all, service: inUse } = this.askedNext();
    const { chooseService } = await import("./profileCommands");
    const chosen = await chooseService(all, inUse);
    if (chosen === undefined) return;
    await services.use(chosen);
    await shown?.choose({ kind: "profile-chosen", profile: profileOf(chosen) });
    this.ports.changed();
  }

  async setSecretHeader(profile?: string): Promise<void> {
    const all = this.ports.services.all(readSettings().settings);
    const wanted = profile === undefined ? undefined : this.targetService(profile);
    const { setSecretHeader } = await import("./profileCommands");
    await setSecretHeader(this.ports, all, wanted);
    this.ports.changed();
  }

  async removeSecretHeader(): Promise<void> {
    const { removeSecretHeader } = await import("./profileCommands");
    await removeSecretHeader(this.ports);
    this.ports.changed();
  }

  private async correctUrl(service: Service): Promise<string | undefined> {
    const { profileName, baseUrl } = service;
    if (profileName === undefined) {
      const { setBaseUrl } = await import("./keyCommands");
      const written = await setBaseUrl(baseUrl, {
        write: (url) => this.ports.services.writeBaseUrl(url),
        problemSentence: (problem) => failureNotice({ kind: "bad-url", problem }, false).text,
      });
      if (written !== undefined) this.ports.noteSet("set-base-url", service);
      return written;
    }
    await vscode.commands.executeCommand(
      "workbench.action.openSettings",
      `${SETTINGS_SECTION}.profiles`,
    );
    return undefined;
  }
}
