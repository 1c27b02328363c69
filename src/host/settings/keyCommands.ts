/**
 * Commands that set the base URL and API key or delete a key, with validated input boxes.
 * Lazy-loaded.
 */
import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { MAX_KEY_CHARS, maskKey, readApiKey, type KeyProblem } from "../../service/apiKey";
import { endpointUrl, originOf, readBaseUrl, withScheme } from "../../service/baseUrl";
import { failureNotice } from "../messages/failureMessages";
import type { LocalServer } from "./modelList";
import type { Service, Services } from "./services";
import type { StoredSecrets } from "./storedSecrets";

const { t } = vscode.l10n;

export interface KeyCommandOptions {
  readonly keys: StoredSecrets;
  readonly log: Log;
}

/** Asks for the address of a service; undefined if canceled. */
export async function askAddress(current: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: t("Address of the service"),
    prompt: t(
      "Paste the whole address, or only https://host. Empty: look for Ollama and others on this machine.",
    ),
    placeHolder: "https://maas.example.com",
    value: current,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const reading = readBaseUrl(withScheme(value));
      if (reading.ok || value.trim() === "") return undefined;
      return failureNotice({ kind: "bad-url", problem: reading.problem }, false).text;
    },
  });
  return typed === undefined ? undefined : withScheme(typed);
}

/**
 * Writes a typed address as the base URL; returns the base URL, or undefined if canceled.
 * @param typed empty to look for servers on this machine
 * @param chooseLocal lets the user choose one of these servers; undefined for none
 */
export async function writeAddress(
  typed: string,
  current: string,
  services: Services,
  chooseLocal: () => Promise<LocalServer | undefined>,
): Promise<string | undefined> {
  const isLocal = typed === "";
  const server = isLocal ? await chooseLocal() : undefined;
  if (isLocal && server === undefined) return undefined;
  const address = server || typed === current ? typed : await chooseEndpoint(typed);
  if (address === undefined) return undefined;
  const reading = server ? { ok: true as const, ...server } : readBaseUrl(address);
  if (!reading.ok) return undefined;
  await services.writeBaseUrl(reading.baseUrl, reading.path);
  return reading.baseUrl;
}

/**
 * Asks which endpoint an address with a path means: other tools add `/chat/completions` to it, and
 * the specification its whole path. Returns the chosen address; undefined if canceled.
 */
async function chooseEndpoint(typed: string): Promise<string | undefined> {
  const reading = readBaseUrl(typed);
  if (!reading.ok || reading.path !== undefined) return typed;
  const { baseUrl } = reading;
  if (baseUrl === originOf(baseUrl)) return typed;
  const whole = `${baseUrl}/chat/completions`;
  return vscode.window.showQuickPick([whole, endpointUrl(baseUrl)], {
    title: t("Address of the service"),
    placeHolder: t("Which address receives the questions?"),
    ignoreFocusOut: true,
  });
}

/**
 * Asks for the key of a service, and first for its base URL if missing.
 * @param correctUrl asks for another base URL; resolves with undefined if there is none
 * @returns true if a key was stored
 */
export async function setApiKey(
  { keys, log }: KeyCommandOptions,
  { baseUrl }: Service,
  correctUrl: () => Promise<string | undefined>,
): Promise<boolean> {
  const origin = originOf(originOf(baseUrl) === undefined ? ((await correctUrl()) ?? "") : baseUrl);
  if (origin === undefined) return false;
  return storeSecret({ secrets: keys, log }, origin, {
    name: origin,
    title: t("API key for {0}", origin),
    read: (typed) => {
      const reading = readApiKey(typed);
      return reading.ok ? reading : { ok: false, problem: keyProblemSentence(reading.problem) };
    },
  });
}

/** Text of an input box as a secret, or what is wrong with it. */
type SecretReading =
  { readonly ok: true; readonly key: string } | { readonly ok: false; readonly problem: string };

/** Asks for a secret of an origin and stores it; true if one was stored. */
export async function storeSecret(
  { secrets, log }: { readonly secrets: StoredSecrets; readonly log: Log },
  origin: string,
  {
    name,
    title,
    read,
  }: {
    readonly name: string;
    readonly title: string;
    readonly read: (typed: string) => SecretReading;
  },
): Promise<boolean> {
  const storedValue = await secrets.get(name);
  const typed = await vscode.window.showInputBox({
    title,
    prompt:
      storedValue === undefined
        ? t("Stored in VS Code's secret storage and sent only to {0}.", origin)
        : t("Replaces the current value {0}.", maskKey(storedValue)),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const reading = read(value);
      return reading.ok || value === "" ? undefined : reading.problem;
    },
  });
  const reading = read(typed ?? "");
  if (!reading.ok) return false;
  try {
    await secrets.set(name, reading.key);
  } catch (error) {
    log.error(`secrets: the secret store rejected a value (${describeError(error)})`);
    await vscode.window.showErrorMessage(
      t("The value could not be saved. Make sure that the system's keyring is unlocked."),
    );
    return false;
  }
  log.info(`secrets: a value was set for ${origin}`);
  return true;
}

/** Deletes a secret, chosen from those with a value. */
export async function removeSecret(secrets: StoredSecrets, log: Log, title: string): Promise<void> {
  const names = await secrets.names();
  if (names.length === 0) {
    await vscode.window.showInformationMessage(t("There is nothing to remove."));
    return;
  }
  const items = names.map((name) => {
    const [origin = "", header] = name.split(" ");
    return { label: header ?? origin, description: header ? origin : "", name, origin };
  });
  const options = { title, matchOnDescription: true };
  const chosen = await vscode.window.showQuickPick(items, options);
  if (chosen === undefined) return;
  await secrets.remove(chosen.name);
  log.info(`secrets: a value for ${chosen.origin} was removed`);
}

function keyProblemSentence(problem: KeyProblem): string {
  const sentences: Readonly<Record<KeyProblem, string>> = {
    empty: t("The key is empty. Paste the key from the service."),
    "too-long": t(
      "API keys cannot be longer than {0} characters. Paste only the key.",
      MAX_KEY_CHARS,
    ),
    "several-lines": t("API keys are a single line. Paste only the key."),
    "blank-inside": t("API keys cannot contain spaces. Paste only the key."),
    "not-ascii": t(
      "API keys can contain only letters, digits and symbols. Copy the key from the service again.",
    ),
  };
  return sentences[problem];
}
