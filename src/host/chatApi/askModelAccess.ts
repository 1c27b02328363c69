/** Asks the user whether an extension may use the models, and lists the decisions. */
import * as vscode from "vscode";
import type { OfferedModel } from "./models";
import type { ModelAccess, ModelDecision } from "./modelAccess";
import { plainLabel } from "../messages/plainLabel";

const t = vscode.l10n.t;

/** Caller of VS Code's own requests. */
const VSCODE_CALLER = "core";

/** Upper limit of a shown name, in UTF-16 units. */
const MAX_NAME_LENGTH = 60;

/** Returns the user's decision; undefined if the dialog was closed without one. */
export async function askModelAccess(
  caller: string,
  { code, service }: OfferedModel,
): Promise<ModelDecision | undefined> {
  const question =
    caller === ""
      ? t("Allow extensions that VS Code does not name to use your models?")
      : t("Allow {0} to use your models?", nameOf(caller));
  const detail = t(
    'A request to {0} is waiting. It goes to {1} with your API key. Later requests, also to your other services, are sent without asking again. Change this with the command "Manage Model Access".',
    code,
    new URL(service.baseUrl).host,
  );
  const allow = t("Allow");
  const refuse = t("Don't Allow");
  const options = { modal: true, detail };
  const chosen = await vscode.window.showInformationMessage(question, options, allow, refuse);
  if (chosen === undefined) return undefined;
  return chosen === allow ? "allowed" : "refused";
}

/** Lists the extensions that the user decided about, and changes the decision about the chosen one. */
export async function manageModelAccess(access: ModelAccess): Promise<void> {
  const decisions = access.list();
  const chosen = await vscode.window.showQuickPick(
    decisions.map(([caller, permission]) => ({
      label: plainLabel(nameOf(caller)),
      description: permission === "allowed" ? t("Allowed") : t("Not allowed"),
      caller,
      isAllowed: permission === "allowed",
    })),
    {
      title: t("Manage Model Access"),
      placeHolder:
        decisions.length === 0
          ? t("You have not allowed or refused any extension yet.")
          : t("Select an extension to change its permission"),
    },
  );
  if (chosen === undefined) return;
  const { caller, isAllowed } = chosen;
  const change = isAllowed ? t("Revoke") : t("Allow");
  const question = isAllowed
    ? t("{0} may use your models. Revoke this? Its running requests end too.", nameOf(caller))
    : t("{0} may not use your models. Allow it?", nameOf(caller));
  const options = { modal: true };
  if ((await vscode.window.showInformationMessage(question, options, change)) !== change) return;
  access.decide(caller, isAllowed ? "refused" : "allowed");
}

/** Returns the name and the id, because an extension chooses its name freely. */
export function nameOf(caller: string): string {
  if (caller === "") return t("Unknown extension");
  if (caller === VSCODE_CALLER) return "VS Code";
  const manifest: unknown = vscode.extensions.getExtension(caller)?.packageJSON;
  const { displayName } = (manifest ?? {}) as { readonly displayName?: unknown };
  if (typeof displayName !== "string") return caller;
  return `${displayName.replace(/\s+/g, " ").slice(0, MAX_NAME_LENGTH)} (${caller})`;
}
