/**
 * Commands about services and the actions of notices, lazy-loaded. Without a profile they apply to
 * the service of the shown conversation, else to the active service. The input boxes are in
 * keyCommands.ts and secretHeaders.ts.
 */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import { originOf, readBaseUrl, withScheme } from "../../service/baseUrl";
import { failureNotice } from "../messages/failureMessages";
import { COMMANDS, SETTINGS_SECTION } from "../platform/contributions";
import { isFixed, refuseFixed } from "../policy/policy";
import { findLocalServers, listModels, type LocalServer } from "./modelList";
import { askAddress, removeSecret, setApiKey, writeAddress } from "./keyCommands";
import { secretHeaders, setSecretHeader } from "./secretHeaders";
import type { NextService, Service, ServiceStores } from "./services";
import { writeSetting } from "./settings";
import type { SettingUp } from "./settledFailures";
import { plainLabel } from "../messages/plainLabel";

export interface ServiceCommandOptions extends ServiceStores {
  readonly nextService: () => NextService;
  /** Returns the chat that was used last. */
  readonly activeChat: {
    readonly shownConversation: LiveConversation | undefined;
    show(): Promise<unknown>;
  };
  readonly panelState: {
    /** Called after the user set something for a service, before `refresh`. */
    noteSet(action: SettingUp, service: Service): void;
    /** Called after services or keys changed. */
    refresh(): void;
  };
  readonly showFirstSteps: () => Promise<void>;
  readonly testService: (service: Service) => Promise<NoticeView>;
  readonly output: vscode.LogOutputChannel;
  readonly log: Log;
}

interface ServiceRow extends vscode.QuickPickItem {
  /** Undefined for a separator. */
  readonly choose?: () => Promise<void>;
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
    const { keys, log, panelState } = this.options;
    await removeSecret(keys, log, vscode.l10n.t("Remove API Key"));
    panelState.refresh();
  }

  /** Asks for the address of the default service; for a profile, opens the settings. */
  async setBaseUrl(profile?: string): Promise<void> {
    await this.correctUrl(this.targetService(profile));
    this.options.panelState.refresh();
  }

  /** Lists the services and what can be set for them; asks for an address while there is none. */
  async switchProfile(): Promise<void> {
    const { headers, nextService, activeChat } = this.options;
    const { shownConversation } = activeChat;
    const { services: all, service: inUse } = nextService();
    if (all.every(({ baseUrl }) => baseUrl === "")) return this.setBaseUrl();
    const current = vscode.l10n.t("Current");
    const rows: ServiceRow[] = all.map((service) => ({
      label: plainLabel(service.profileName ?? vscode.l10n.t("Default")),
      description: plainLabel(service.baseUrl),
      ...(inUse?.profileName === service.profileName && inUse && { detail: current }),
      choose: () => this.use(service, shownConversation),
    }));
    const add = (label: string, choose: () => Promise<void>) => rows.push({ label, choose });
    rows.push({ label: "", kind: vscode.QuickPickItemKind.Separator });
    add(vscode.l10n.t("Set Address…"), () => this.setBaseUrl());
    add(vscode.l10n.t("Set API Key…"), () => this.setApiKey());
    add(vscode.l10n.t("Remove API Key…"), () => this.removeApiKey());
    if (secretHeaders(all).length > 0)
      add(vscode.l10n.t("Set Secret Header…"), () => this.setSecretHeader());
    if ((await headers.names()).length > 0)
      add(vscode.l10n.t("Remove Secret Header…"), () => this.removeSecretHeader());
    add(vscode.l10n.t("More Services…"), () => openSettings("profiles"));
    const options = { title: vscode.l10n.t("Service"), matchOnDescription: true };
    await (await vscode.window.showQuickPick(rows, options))?.choose?.();
  }

  async setSecretHeader(profile?: string): Promise<void> {
    const { services: all } = this.options.nextService();
    const target = profile === undefined ? undefined : this.targetService(profile);
    await setSecretHeader(this.options, all, target);
    this.options.panelState.refresh();
  }

  async removeSecretHeader(): Promise<void> {
    const { headers, log, panelState } = this.options;
    await removeSecret(headers, log, vscode.l10n.t("Remove Secret Header"));
    panelState.refresh();
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
        return vscode.commands.executeCommand(COMMANDS.manageHistory);
      case "show-first-steps":
        return this.options.showFirstSteps();
      case "test-connection":
        return vscode.commands.executeCommand(COMMANDS.testConnection);
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

  /** Makes this the service of the conversation and of new ones. */
  private async use(service: Service, conversation: LiveConversation | undefined): Promise<void> {
    const profile = await this.options.services.use(service);
    await conversation?.choose({ kind: "profile-chosen", profile });
    this.options.panelState.refresh();
  }

  private targetService(
    profile = this.options.activeChat.shownConversation?.conversation.profile,
  ): Service {
    return this.options.services.target(profile);
  }

  /** Connects and tests the service of a typed address; undefined if canceled. */
  async connect(typed: string): Promise<NoticeView | undefined> {
    const { activeChat, testService } = this.options;
    const service = await this.storeAddress(typed);
    if (service === undefined || "tone" in service) return service;
    const outcome = await testService(service);
    const isAsked = outcome.action?.id === "set-api-key";
    if (isAsked) await this.setApiKey();
    await activeChat.show(); // VS Code focuses the editor after an input box.
    return isAsked ? testService(service) : outcome;
  }

  /**
   * Stores a typed address, and asks for a key and for models where they are needed.
   * @returns the connected service, or the reason why there is none; undefined if canceled
   */
  private async storeAddress(typed: string): Promise<Service | NoticeView | undefined> {
    const address = withScheme(typed);
    const reading = readBaseUrl(address);
    if (!reading.ok && address !== "")
      return failureNotice({ kind: "bad-url", problem: reading.problem }, false);
    const current = this.targetService();
    const isNew = address !== current.baseUrl || address === "";
    let notice: NoticeView | undefined;
    const report = (text: string) => (notice = { tone: "info", text });
    const mayStore = isNew && !isFixed("baseUrl");
    if (mayStore && (await this.correctUrl(current, address, report)) === undefined) return notice;
    const { services, panelState } = this.options;
    const service = this.targetService();
    const origin = originOf(service.baseUrl) ?? "";
    if (!(await services.hasKey(origin))) await this.setApiKey();
    panelState.refresh();
    if (!(await services.hasKey(origin))) return failureNotice({ kind: "no-key", origin }, false);
    const connection = await services.connectionTo(service);
    const names = "kind" in connection ? [] : ((await listModels(connection, fetch)) ?? []);
    const { llm, vl } = service.modelCodes;
    const isListed = names.includes(llm) && names.includes(vl);
    if (names.length > 0 && !isListed && !isFixed("models.llm")) await chooseModels(names);
    return this.targetService();
  }

  /** @param address what the user typed; missing to ask for it */
  private async correctUrl(
    service: Service,
    address?: string,
    report: (text: string) => void = (text) => void vscode.window.showInformationMessage(text),
  ): Promise<string | undefined> {
    if (refuseFixed(isFixed("baseUrl"), `${SETTINGS_SECTION}.baseUrl`)) return undefined;
    if (service.profileName !== undefined) {
      await openSettings("profiles");
      return undefined;
    }
    const { services, panelState } = this.options;
    const { baseUrl } = service;
    const typed = address ?? (await askAddress(baseUrl));
    if (typed === undefined) return undefined;
    const choose = () => chooseLocalServer(report);
    const written = await writeAddress(typed, baseUrl, services, choose);
    if (written !== undefined) panelState.noteSet("set-base-url", service);
    return written;
  }
}

async function chooseLocalServer(report: (text: string) => void): Promise<LocalServer | undefined> {
  const servers = await findLocalServers(fetch);
  if (servers.length === 0) {
    report(
      vscode.l10n.t(
        "No server was found on this machine. Start it, or enter the address of your service.",
      ),
    );
    return undefined;
  }
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
