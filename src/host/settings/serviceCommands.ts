/**
 * Commands about services and the actions of notices, lazy-loaded. Without a profile they apply to
 * the service of the shown conversation, else to the active service. The input boxes are in
 * keyCommands.ts and profileCommands.ts.
 */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { NoticeAction } from "../../protocol/views";
import { COMMANDS, SETTINGS_SECTION } from "../platform/contributions";
import { isFixed, refuseFixed } from "../policy/policy";
import { findLocalServers, listModels, type LocalServer } from "./modelList";
import { removeSecret, setApiKey, setBaseUrl } from "./keyCommands";
import { chooseService, setSecretHeader } from "./profileCommands";
import type { NextService, Service, ServiceStores } from "./services";
import { writeSetting } from "./settings";
import type { SettingUp } from "./settledFailures";
import { plainLabel } from "../messages/plainLabel";

export interface ServiceCommandOptions extends ServiceStores {
  readonly nextService: () => NextService;
  /** Returns the chat that was used last. */
  readonly activeChat: { readonly shownConversation: LiveConversation | undefined };
  readonly panelState: {
    /** Called after the user set something for a service, before `refresh`. */
    noteSet(action: SettingUp, service: Service): void;
    /** Called after services or keys changed. */
    refresh(): void;
  };
  readonly showFirstSteps: () => Promise<void>;
  readonly output: vscode.LogOutputChannel;
  readonly log: Log;
}

/** Each promise resolves when the command is finished or canceled. */
export class ServiceCommands {
  constructor(private readonly options: ServiceCommandOptions) {}

  async setApiKey(profile?: string): Promise<void> {
    const { panelState } = this.options;
    const service = this.targetService(profile);
    const isSet = await setApiKey(this.options, service, () => this.correctUrl(service));
    if (isSet) panelState.noteSet("set-api-key", service);
    panelState.refresh();
  }

  async removeApiKey(): Promise<void> {
    await removeSecret(this.options.keys, this.options.log, {
      title: vscode.l10n.t("Remove API Key"),
      placeHolder: vscode.l10n.t("Remove the API key of which service?"),
      none: vscode.l10n.t("There are no API keys to remove."),
    });
    this.options.panelState.refresh();
  }

  /** Asks for the address of the default service; for a profile, opens the settings. */
  async setBaseUrl(profile?: string): Promise<void> {
    await this.correctUrl(this.targetService(profile));
    this.options.panelState.refresh();
  }

  /** Asks the user to choose the service of the shown conversation and of new conversations. */
  async switchProfile(): Promise<void> {
    const { services, nextService, activeChat, panelState } = this.options;
    const { shownConversation } = activeChat;
    const { services: all, service: inUse } = nextService();
    const chosen = await chooseService(all, inUse);
    if (chosen === undefined) return;
    const profile = await services.use(chosen);
    await shownConversation?.choose({ kind: "profile-chosen", profile });
    panelState.refresh();
  }

  async setSecretHeader(profile?: string): Promise<void> {
    const { services: all } = this.options.nextService();
    const target = profile === undefined ? undefined : this.targetService(profile);
    await setSecretHeader(this.options, all, target);
    this.options.panelState.refresh();
  }

  async removeSecretHeader(): Promise<void> {
    await removeSecret(this.options.headers, this.options.log, {
      title: vscode.l10n.t("Remove Secret Header"),
      placeHolder: vscode.l10n.t("Remove the value of which header?"),
      none: vscode.l10n.t("There are no secret headers to remove."),
    });
    this.options.panelState.refresh();
  }

  async runAction(action: NoticeAction, profile?: string): Promise<void> {
    switch (action) {
      case "set-api-key":
        return this.setApiKey(profile);
      case "set-base-url":
        return this.setBaseUrl(profile);
      case "set-secret-header":
        return this.setSecretHeader(profile);
      case "switch-profile":
        return this.switchProfile();
      case "manage-trust":
        return vscode.commands.executeCommand("workbench.trust.manage");
      case "open-settings":
        return openSettings("");
      case "set-model":
        return this.setModel(profile);
      case "show-system-prompt":
        return vscode.commands.executeCommand("workbench.action.openWorkspaceSettings", {
          query: `@id:${SETTINGS_SECTION}.systemPrompt`,
        });
      case "show-log":
        this.options.output.show();
        return;
      case "move-history":
        return vscode.commands.executeCommand(COMMANDS.moveHistory);
      case "show-first-steps":
        return this.options.showFirstSteps();
      case "add-changes":
        return vscode.commands.executeCommand(COMMANDS.addChanges);
      case "add-project":
        return addProject();
      case "try-again":
      case "send-fewer":
      case "continue":
      case "stop":
      case "swap-draft":
      case "save-conversation":
      case "show-unused-code":
        return; // The chat session handles these.
      default:
        return action satisfies never;
    }
  }

  /** Lets the user choose among the models of the default service, if it lists them. */
  private async setModel(profile?: string): Promise<void> {
    const { services, panelState } = this.options;
    const service = this.targetService(profile);
    if (refuseFixed(isFixed("models.llm") && isFixed("models.vl"), "coreChat.models")) return;
    if (service.profileName !== undefined) return openSettings("profiles");
    const connection = await services.connectionTo(service);
    const names = "kind" in connection ? [] : await listModels(connection, fetch);
    if (!names?.length) return openSettings("models");
    if (await chooseModels(names)) panelState.noteSet("set-model", service);
  }

  private targetService(
    profile = this.options.activeChat.shownConversation?.conversation.profile,
  ): Service {
    return this.options.services.target(profile);
  }

  private async correctUrl(service: Service): Promise<string | undefined> {
    if (refuseFixed(isFixed("baseUrl"), `${SETTINGS_SECTION}.baseUrl`)) return undefined;
    if (service.profileName !== undefined) {
      await openSettings("profiles");
      return undefined;
    }
    const { services, panelState } = this.options;
    const written = await setBaseUrl(service.baseUrl, services, chooseLocalServer);
    if (written !== undefined) panelState.noteSet("set-base-url", service);
    return written;
  }
}

async function chooseLocalServer(): Promise<LocalServer | undefined> {
  const servers = await findLocalServers(fetch);
  const items = servers.map((server) => {
    const description = plainLabel(server.models.slice(0, 5).join(", "));
    return { label: server.name, description, server };
  });
  const title = vscode.l10n.t("Servers on this machine (Ollama, LM Studio, llama.cpp, vLLM)");
  const chosen = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (chosen === undefined) return undefined;
  const { models } = chosen.server;
  return models.length === 0 || (await chooseModels(models)) ? chosen.server : undefined;
}

/** Asks for the text and the vision model; false if canceled. */
async function chooseModels(names: readonly string[]): Promise<boolean> {
  const items = names.map((name) => ({ label: plainLabel(name), name }));
  const ask = async (title: string) =>
    (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.name;
  const llm = await ask(vscode.l10n.t("Text model"));
  const vl = llm && (await ask(vscode.l10n.t("Vision model")));
  if (llm === undefined || vl === undefined) return false;
  await writeSetting("models.llm", llm);
  await writeSetting("models.vl", vl);
  return true;
}

/** @param name a setting, or the start of its name */
async function openSettings(name: string): Promise<void> {
  const query = `${SETTINGS_SECTION}.${name}`;
  await vscode.commands.executeCommand("workbench.action.openSettings", query);
}

async function addProject(): Promise<void> {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
  const readme = await vscode.workspace.findFiles("README{,.*}", undefined, 1);
  await vscode.commands.executeCommand(COMMANDS.addFile, folders[0], [...readme, ...folders]);
}
