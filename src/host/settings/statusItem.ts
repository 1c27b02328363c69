/**
 * The one item in the status bar: which service and which model the next question goes to. There
 * only where there is more than one service to choose from.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import type { ModelSelection } from "../../protocol/views";
import type { COMMANDS } from "../platform/contributions";
import type { Service } from "./services";

/** What the next question is asked with. */
export interface AskedNext {
  readonly services: readonly Service[];
  /** Undefined when the shown conversation's profile is gone. */
  readonly service: Service | undefined;
  readonly model: ModelSelection;
}

/** Made when it is first needed; hidden while there is nothing to tell apart. */
export class StatusItem implements Disposable {
  private item: vscode.StatusBarItem | undefined;

  constructor(private readonly askedNext: () => AskedNext) {}

  /** Shows how it is now. */
  refresh(): void {
    const { services, service, model } = this.askedNext();
    if (services.length < 2) {
      this.item?.hide();
      return;
    }
    this.item ??= this.create();
    const name = service === undefined ? "?" : (service.profileName ?? vscode.l10n.t("Default"));
    const code =
      service === undefined || model === "auto" ? vscode.l10n.t("Auto") : service.modelCodes[model];
    this.item.text = `$(comment-discussion) ${name} · ${code}`;
    this.item.tooltip = vscode.l10n.t("Core Chat asks {0} with {1}. Switch Profile", name, code);
    this.item.accessibilityInformation = {
      label: vscode.l10n.t("Core Chat asks {0} with {1}. Switch Profile", name, code),
      role: "button",
    };
    this.item.show();
  }

  dispose(): void {
    this.item?.dispose();
  }

  private create(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      "coreChat.profile",
      vscode.StatusBarAlignment.Right,
      // Left of the language and its like, which begin at 100.
      110,
    );
    item.name = vscode.l10n.t("Core Chat profile");
    // By its type alone: the names of all commands need not be read for the panel.
    item.command = "coreChat.switchProfile" satisfies typeof COMMANDS.switchProfile;
    return item;
  }
}
