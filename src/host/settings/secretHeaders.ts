/** Asks for the values of secret headers. Lazy-loaded; receives the settings as arguments. */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import { originOf } from "../../service/baseUrl";
import { isHeaderValue } from "../../service/requestHeaders";
import { storeSecret } from "./keyCommands";
import type { Service } from "./services";
import { headerSecret, isSecretValue, type StoredSecrets } from "./storedSecrets";

const t = vscode.l10n.t;

export interface HeaderOptions {
  readonly headers: StoredSecrets;
  readonly log: Log;
}

interface SecretHeader {
  readonly header: string;
  readonly origin: string;
}

/**
 * Asks for the value of a secret header, after a choice if there are several.
 * @param wanted service that lacks a value; any service if omitted
 */
export async function setSecretHeader(
  { headers, log }: HeaderOptions,
  services: readonly Service[],
  wanted?: Service,
): Promise<void> {
  const ofWanted = wanted ? secretHeaders([wanted]) : [];
  const all = ofWanted.length > 0 ? ofWanted : secretHeaders(services);
  const chosen = all.length > 1 ? await chooseHeader(all, headers) : all[0];
  if (chosen === undefined) return;
  const { header, origin } = chosen;
  await storeSecret({ secrets: headers, log }, origin, {
    name: headerSecret(origin, header),
    title: t("Value of {0} for {1}", header, origin),
    read: (typed) => {
      const key = typed.trim();
      if (key !== "" && isHeaderValue(key)) return { ok: true, key };
      const problem = t(
        "Headers can contain only letters, digits and symbols. Copy the value from the service again.",
      );
      return { ok: false, problem };
    },
  });
}

/** Returns the headers of these services whose values are secret. */
export function secretHeaders(services: readonly Service[]): SecretHeader[] {
  const headersByKey = new Map<string, SecretHeader>();
  for (const { baseUrl, headers } of services) {
    const origin = originOf(baseUrl);
    if (origin === undefined) continue;
    for (const [header, value] of Object.entries(headers)) {
      if (isSecretValue(value)) headersByKey.set(headerSecret(origin, header), { header, origin });
    }
  }
  return [...headersByKey.values()];
}

async function chooseHeader(
  all: readonly SecretHeader[],
  headers: StoredSecrets,
): Promise<SecretHeader | undefined> {
  const storedNames = new Set(await headers.names());
  const items = all.map((secret) => ({
    label: secret.header,
    description: secret.origin,
    detail: storedNames.has(headerSecret(secret.origin, secret.header))
      ? t("Has a value")
      : t("No value"),
    secret,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t("Set Secret Header"),
    placeHolder: t("Set the value of which header?"),
    matchOnDescription: true,
  });
  return chosen?.secret;
}
