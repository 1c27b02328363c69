/**
 * Proposes the services, prompts and rules of Continue as a difference of the user's settings. Nothing is
 * written before the user confirms the difference. Loaded on first use.
 */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import { describeError } from "../../base/log";
import { readFileUpTo } from "../node/readFileUpTo";
import { SETTINGS_SCHEME, SETTINGS_SECTION } from "../platform/contributions";
import { VirtualDocuments } from "../platform/virtualDocuments";
import { isFixed, setByOrganization } from "../policy/policy";
import {
  parseConfig,
  proposalOf,
  readConfig,
  type ContinueConfig,
  type ContinueFile,
  type EntryNotTaken,
  type NotTaken,
  type OwnSettings,
} from "./continueConfig";
import { EDITOR_PROMPT, writeSetting } from "./settings";

const { l10n } = vscode;

/** Largest file that is read, in bytes, and the upper limit of files of a folder. */
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 200;

const NAMES = ["profiles", "prompts", "systemPrompt"] as const;
type Name = (typeof NAMES)[number];

/** Names of the configuration; Continue reads the first that exists. */
const CONFIG_NAMES = ["config.yaml", "config.json"];

/** Returns the configuration in Continue's folder; undefined if there is none. */
export async function continueConfigIn(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const names = await namesIn(folder);
  const name = CONFIG_NAMES.find((one) => names.includes(one));
  return name === undefined ? undefined : vscode.Uri.joinPath(folder, name);
}

/** Shows what can be taken over, then the difference, and writes it when the user confirms. */
export async function importContinue(uri: vscode.Uri, log: Log): Promise<void> {
  const config = await readAll(uri, log);
  if (config === undefined) {
    void vscode.window.showErrorMessage(
      l10n.t("{0} could not be read. Nothing was changed.", uri.path.replace(/^.*\//, "")),
    );
    return;
  }
  const chosen = await choose(config);
  if (chosen === undefined) return;
  const own = ownSettings();
  const { values, leftOut } = proposalOf(chosen, own, EDITOR_PROMPT);
  const names = NAMES.filter((name) => Object.hasOwn(values, name));
  if (names.length === 0) {
    void vscode.window.showInformationMessage(l10n.t("Your settings have all of it already."));
    return;
  }
  const all = [...config.leftOut, ...leftOut];
  const before = documentOf(names, { ...own, systemPrompt: own.systemPrompt ?? EDITOR_PROMPT }, []);
  if (!(await confirm(before, documentOf(names, values, all)))) return;
  await write(names, own, values);
}

async function write(
  names: readonly Name[],
  own: OwnSettings,
  values: Partial<OwnSettings>,
): Promise<void> {
  if (!isUnchanged(names, own)) {
    void vscode.window.showWarningMessage(
      l10n.t("The settings have changed meanwhile. Nothing was written; start the import again."),
    );
    return;
  }
  for (const name of names) await writeSetting(name, values[name]);
  const undo = l10n.t("Undo");
  const next = await vscode.window.showInformationMessage(
    l10n.t(
      "Your settings were changed. Keys and headers stay in Continue: use Switch Service, then Set API Key.",
    ),
    undo,
  );
  if (next !== undo) return;
  if (isUnchanged(names, values)) for (const name of names) await writeSetting(name, own[name]);
  else
    void vscode.window.showWarningMessage(
      l10n.t("The settings have changed meanwhile. Nothing was undone."),
    );
}

/** Returns true if the user's settings have these values. */
function isUnchanged(names: readonly Name[], values: Partial<OwnSettings>): boolean {
  const now = ownSettings();
  return names.every((name) => JSON.stringify(now[name]) === JSON.stringify(values[name]));
}

function ownSettings(): OwnSettings {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const valueOf = (name: Name): unknown => section.inspect(name)?.globalValue;
  return {
    profiles: valueOf("profiles"),
    prompts: valueOf("prompts"),
    systemPrompt: valueOf("systemPrompt"),
  };
}

async function readAll(uri: vscode.Uri, log: Log): Promise<ContinueConfig | undefined> {
  const folder = vscode.Uri.joinPath(uri, "..");
  const source = await readText(uri, log);
  if (source === undefined) return undefined;
  const files: ContinueFile[] = [];
  for (const [sub, ending] of [
    ["prompts", /\.(?:md|prompt)$/],
    ["rules", /\.md$/],
  ] as const) {
    const within = vscode.Uri.joinPath(folder, sub);
    for (const name of (await namesIn(within)).filter((one) => ending.test(one))) {
      const text = await readText(vscode.Uri.joinPath(within, name), log);
      if (text !== undefined) files.push({ path: `${sub}/${name}`, text });
    }
  }
  return readConfig(parseConfig(source, uri.path.endsWith(".json")), files);
}

async function readText({ fsPath }: vscode.Uri, log: Log): Promise<string | undefined> {
  try {
    const bytes = await readFileUpTo(fsPath, MAX_BYTES);
    return typeof bytes === "string" ? undefined : new TextDecoder().decode(bytes);
  } catch (error) {
    log.info(`import: a file of Continue could not be read (${describeError(error)})`);
    return undefined;
  }
}

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.slice(0, MAX_FILES).map(([name]) => name);
  } catch {
    return []; // There is no such folder.
  }
}

interface EntryItem extends vscode.QuickPickItem {
  readonly found: Partial<Omit<ContinueConfig, "leftOut">>;
}

async function choose({ services, prompts, rules, leftOut }: ContinueConfig) {
  const areFixed = isFixed("profiles");
  const items: EntryItem[] = [
    ...(areFixed ? [] : services).map((service) => ({
      label: service.name,
      description: [l10n.t("Service"), service.baseUrl, service.model].join(" · "),
      found: { services: [service] },
      picked: true,
    })),
    ...prompts.map((prompt) => ({
      label: `/${prompt.name}`,
      description: l10n.t("Prompt"),
      detail: firstLine(prompt.text),
      found: { prompts: [prompt] },
      picked: true,
    })),
    ...rules.map((rule) => ({
      label: firstLine(rule),
      description: l10n.t("Rule, for the system prompt"),
      found: { rules: [rule] },
      picked: true,
    })),
  ];
  const fixed = l10n.t("{0}: {1}", `${SETTINGS_SECTION}.profiles`, setByOrganization());
  if (items.length === 0) {
    const nothing = l10n.t("There is nothing in this configuration that Core Chat can use.");
    const why = areFixed && services.length > 0 ? fixed : leftOut.map(leftOutLine).join("; ");
    void vscode.window.showInformationMessage([nothing, why].join(" ").trim());
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t("Take Over from Continue"),
    placeHolder: [
      l10n.t("The next step shows the change of your settings. Nothing is written yet."),
      ...(leftOut.length > 0 ? [l10n.t("Left out: {0}.", leftOut.length)] : []),
      ...(areFixed ? [fixed] : []),
    ].join(" "),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  return {
    services: chosen.flatMap(({ found }) => found.services ?? []),
    prompts: chosen.flatMap(({ found }) => found.prompts ?? []),
    rules: chosen.flatMap(({ found }) => found.rules ?? []),
  };
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 100) ?? "";
}

/** Returns these settings as in settings.json, with what is left out as comments. */
function documentOf(
  names: readonly Name[],
  values: Partial<OwnSettings>,
  leftOut: readonly EntryNotTaken[],
): string {
  const entries = names.map((name) => [`${SETTINGS_SECTION}.${name}`, values[name]]);
  const notes = leftOut.map((one) => `// ${l10n.t("Left out: {0}.", leftOutLine(one))}`);
  return [JSON.stringify(Object.fromEntries(entries), undefined, 2), ...notes, ""].join("\n");
}

function leftOutLine({ name, reason }: EntryNotTaken): string {
  return `${name.replaceAll(/\s+/g, " ")} (${reasonText(reason)})`;
}

function reasonText(reason: NotTaken): string {
  switch (reason) {
    case "protocol":
      return l10n.t("its service has another protocol");
    case "not-for-chat":
      return l10n.t("not for chat");
    case "no-model":
      return l10n.t("names no model");
    case "address":
      return l10n.t("has no address that can be used");
    case "not-https":
      return l10n.t("its address is not https");
    case "reference":
      return l10n.t("has a value that Continue fills in");
    case "some-files":
      return l10n.t("applies to some files only");
    case "secret":
      return l10n.t("may contain a secret");
    case "too-long":
      return l10n.t("too long");
    case "hub":
      return l10n.t("is on Continue's hub, not in the file");
    case "unreadable":
      return l10n.t("not known or empty");
    default:
      return reason satisfies never;
  }
}

/** Shows the difference; resolves with true if the user wants it written. */
async function confirm(before: string, after: string): Promise<boolean> {
  const texts = new Map([
    ["before.jsonc", before],
    ["after.jsonc", after],
  ]);
  const documents = new VirtualDocuments(SETTINGS_SCHEME, (name) => texts.get(name));
  try {
    const [left, right] = [...texts.keys()].map((name) => documents.uriOf(name));
    const title = l10n.t("User Settings: Now ↔ With Continue's (Not Written)");
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true });
    const yes = l10n.t("Write to Settings");
    const question = l10n.t("Write this change to your user settings?");
    return (await vscode.window.showInformationMessage(question, yes)) === yes;
  } finally {
    documents.dispose();
  }
}
