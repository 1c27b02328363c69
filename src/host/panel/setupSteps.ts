/** Setup steps of the panel: service and key, or a note that the organization sets them. */
import * as vscode from "vscode";
import type { PanelStatus } from "../../chat/view/viewState";
import type { NoticeView } from "../../protocol/views";
import { readBaseUrl } from "../../service/baseUrl";
import { failureNotice } from "../messages/failureMessages";
import { info } from "../messages/notices";
import { isFixed, policy, policyState, setByOrganization } from "../policy/policy";
import type { Service } from "../settings/services";

/** @param origin of the base URL; undefined if it is invalid */
export function serviceStep(
  baseUrl: string,
  origin: string | undefined,
): PanelStatus["setup"][number] {
  const reading = readBaseUrl(baseUrl);
  const isEmpty = reading.ok || reading.problem === "empty";
  return {
    id: "service",
    isDone: origin !== undefined,
    title: vscode.l10n.t("Service"),
    detail:
      origin !== undefined
        ? isFixed("baseUrl")
          ? vscode.l10n.t("{0}: {1}", baseUrl, setByOrganization())
          : baseUrl
        : isEmpty
          ? isFixed("baseUrl")
            ? setByOrganization()
            : vscode.l10n.t(
                "Paste the whole address, or only https://host. Empty: look for Ollama and others on this machine.",
              )
          : failureNotice({ kind: "bad-url", problem: reading.problem }, false).text,
    isFixed: isFixed("baseUrl"),
  };
}

export function keyStep(isDone: boolean): PanelStatus["setup"][number] {
  return {
    id: "key",
    isDone,
    title: vscode.l10n.t("API key"),
    // A policy can also say that there is no command; then the key is the user's.
    detail: policy().settings.apiKeyCommand?.length
      ? setByOrganization()
      : vscode.l10n.t("Stored in VS Code's secret storage and sent only to this service."),
  };
}

/** Returns notices about a policy that cannot be used, and about what it forbids. */
export function policyNotices(): NoticeView[] {
  const { path = "", problem, policy } = policyState();
  if (problem !== undefined) return [failureNotice({ kind: "bad-policy", path, problem }, false)];
  const text = vscode.l10n.t("Pictures are not sent: {0}", setByOrganization());
  return policy.pictures ? [] : [info(text)];
}

/** Returns the models to choose from; without the vision model where no picture is sent. */
export function modelOptions({ modelCodes }: Service): PanelStatus["models"] {
  return [
    { id: "auto", label: vscode.l10n.t("Auto") },
    { id: "llm", label: modelCodes.llm },
    ...(policy().pictures ? [{ id: "vl" as const, label: modelCodes.vl }] : []),
  ];
}
