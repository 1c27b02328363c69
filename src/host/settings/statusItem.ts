/**
 * Status bar item with the service and model of the next question. Shown only if there are several
 * services.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import type { COMMANDS } from "../platform/contributions";
import type { NextService } from "./services";
import { plainLabel } from "../messages/plainLabel";

/** Created on first use; hidden while there is only one service. */
export class StatusItem implements Disposable {
  private item: vscode.StatusBarItem | undefined;

  constructor(private readonly nextService: () => NextService) {}

  refresh(): void {
    const { services, service, model } = this.nextService();
    if (services.length < 2) {
      this.item?.hide();
      return;
    }
    this.item ??= this.create();
    const name = service === undefined ? "?" : (service.profileName ?? vscode.l10n.t("Default"));
    const code =
      service === undefined || model === "auto" ? vscode.l10n.t("Auto") : service.modelCodes[model];
    this.item.text = `$(comment-discussion) ${plainLabel(name)} · ${plainLabel(code)}`;
    const label = vscode.l10n.t("Core Chat uses {1} of {0}. Click to switch services.", name, code);
    this.item.tooltip = label;
    this.item.accessibilityInformation = { label, role: "button" };
    this.item.show();
  }

  dispose(): void {
    this.item?.dispose();
  }

  private create(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      "coreChat.profile",
      vscode.StatusBarAlignment.Right,
      // Left of the language and similar items, whose priorities begin at 100.
      110,
    );
    item.name = vscode.l10n.t("Core Chat service");
    // A type import: loading the names of all commands is not needed for the panel.
    item.command = "coreChat.switchProfile" satisfies typeof COMMANDS.switchProfile;
    return item;
  }
}
