/**
 * Reads the role files: of the workspace (`.github/agents`, `.github/chatmodes`) and of the user (VS Code's
 * `prompts` folder), and follows their changes. Every file passes `host/access` and is left out without a
 * question if there is any concern. Format: https://code.visualstudio.com/docs/copilot/customization/custom-agents
 * Loaded on first use.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { estimateTextTokens } from "../../base/tokens";
import type { Role } from "../../chat/view/editorContext";
import { readFrontMatter } from "../../context/instructionFile";
import { cleanHiddenCharacters } from "../../markdown/hiddenCharacters";
import { shownText } from "../../markdown/unshownText";
import { hiddenNames } from "../access/confirmInsert";
import { readText } from "../access/readAccess";
import { pathOf, sourceOf } from "../platform/sourceText";
import { FollowedFiles, filesIn, userPromptFolder } from "./followedFiles";

const ENDINGS = [".agent.md", ".chatmode.md"];
const WORKSPACE_FOLDERS = [".github/agents", ".github/chatmodes"];

/** Fields of a file that Core Chat does not use, and says so. */
const IGNORED = ["tools", "model"];

/** Longest text of a role, in UTF-16 units. */
const MAX_LENGTH = 30_000;

export class RoleFiles extends FollowedFiles<readonly Role[]> {
  /** @param storage storage folder of the extension */
  constructor(storage: vscode.Uri, clock: Clock) {
    const userFolder = userPromptFolder(storage);
    // The folders too: VS Code can miss files that are written to a folder right after its creation.
    const paths = WORKSPACE_FOLDERS.flatMap((path) => [path, `${path}/*.md`]);
    const globs = [
      `**/{.github,${paths.join(",")}}`,
      new vscode.RelativePattern(userFolder, "*.md"),
    ];
    super({ globs, read: () => readRoles(userFolder), clock });
  }

  /** The roles by name; empty until they are read, and in Restricted Mode. */
  get list(): readonly Role[] {
    return this.used ?? [];
  }
}

async function readRoles(userFolder: vscode.Uri): Promise<readonly Role[]> {
  if (!vscode.workspace.isTrusted) return [];
  const roles: Role[] = [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const path of WORKSPACE_FOLDERS)
      roles.push(...(await rolesIn(vscode.Uri.joinPath(uri, path), false)));
  }
  roles.push(...(await rolesIn(userFolder, true)));
  return roles.toSorted((a, b) => a.name.localeCompare(b.name));
}

async function rolesIn(folder: vscode.Uri, isOfUser: boolean): Promise<Role[]> {
  const found = await Promise.all(ENDINGS.map((ending) => filesIn(folder, ending)));
  const roles: Role[] = [];
  for (const uri of found.flat()) {
    const access = await readText(uri, isOfUser ? "of-user" : "unasked");
    if (access.kind !== "text") continue;
    const role = roleOf(uri, sourceOf(access.source).lines.join("\n"), isOfUser);
    if (role !== undefined) roles.push(role);
  }
  return roles;
}

function roleOf(uri: vscode.Uri, read: string, isOfUser: boolean): Role | undefined {
  const { values, body } = readFrontMatter(read);
  const file = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const named = oneLine(values.get("name") ?? "");
  const name = named === "" ? file.replace(/\.(?:agent|chatmode)\.md$/, "") : named;
  const description = oneLine(values.get("description") ?? "");
  const shown = shownText(body.slice(0, MAX_LENGTH));
  const hidden = hiddenNames(`${description}${shown}`);
  const text = [description, cleanHiddenCharacters(shown).trim()]
    .filter((one) => one !== "")
    .join("\n\n");
  if (text === "") return undefined;
  const path = isOfUser ? file : pathOf(uri);
  const ignored = IGNORED.filter((key) => values.has(key));
  const { l10n } = vscode;
  const notes = [
    ...(body.length > MAX_LENGTH ? [l10n.t("cut to {0} characters", MAX_LENGTH)] : []),
    ...(hidden.length > 0 ? [l10n.t("hidden characters removed")] : []),
    ...(shown.length < Math.min(body.length, MAX_LENGTH) ? [l10n.t("hidden text not sent")] : []),
  ];
  const sent = [
    "Take the following role in this conversation. It replaces any earlier role.",
    `<role name="${quoted(name)}" file="${quoted(path)}">\n${text}\n</role>`,
  ].join("\n\n");
  return {
    id: isOfUser ? `user:${file}` : path,
    name,
    description,
    ignored,
    part: {
      kind: "note",
      source: "role",
      label: l10n.t("Role: {0}", name),
      detail: [l10n.t("~{0} tokens", estimateTextTokens(sent)), ...notes].join(" · "),
      tooltip: [path, description, ...notes].filter((one) => one !== "").join("\n"),
      text: sent,
    },
  };
}

function oneLine(text: string): string {
  return cleanHiddenCharacters(text).replaceAll(/\s+/g, " ").trim().slice(0, 500);
}

function quoted(text: string): string {
  return text.replaceAll(/["<>\n]/g, "'");
}
