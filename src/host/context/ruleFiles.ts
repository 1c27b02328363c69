/**
 * Reads the rule files of the workspace and follows their changes. Every file passes `host/access`
 * and is left out without a question if there is any concern. Hidden characters are removed and
 * named. Loaded on first use.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { readFrontMatter } from "../../context/instructionFile";
import { splitGlobs } from "../../context/glob";
import { applicableRules, rulesText, type RuleFile } from "../../context/projectRules";
import { estimateTextTokens } from "../../base/tokens";
import type { NotePart } from "../../conversation/message";
import { cleanHiddenCharacters } from "../../markdown/hiddenCharacters";
import { mayHideText, shownText } from "../../markdown/unshownText";
import { hiddenNames } from "../access/confirmInsert";
import { readText } from "../access/readAccess";
import { uniqueUris } from "../platform/files";
import { pathOf, sourceOf } from "../platform/sourceText";
import { readSettings } from "../settings/settings";
import { searchExclude } from "./fileList";
import { FollowedFiles } from "./followedFiles";

/** Names of rule files, for the watcher and the search. */
const WATCHED = "**/{AGENTS.md,CLAUDE.md,copilot-instructions.md,*.instructions.md}";
const NESTED = "**/{AGENTS.md,CLAUDE.md}";
const INSTRUCTIONS = ".github/instructions/**/*.instructions.md";
const RULE_NAME =
  /(?:^|\/)(?:AGENTS\.md|CLAUDE\.md|copilot-instructions\.md|[^/]*\.instructions\.md)$/;

/** Upper limits: files of a kind in a workspace folder, and tokens of all rules of a question. */
const MAX_FILES = 200;
const MAX_TOKENS = 8_000;

/** Upper limit of a file that is read, in UTF-16 units: more than the tokens above. */
const MAX_LENGTH = 200_000;

/** Share of the token budget for rules. */
const BUDGET_SHARE = 1 / 4;

interface ReadRules {
  readonly files: readonly RuleFile[];
  /** Shown paths of files that are not sent because of a concern. */
  readonly leftOut: readonly string[];
}

interface LastNote {
  readonly rules: ReadRules;
  readonly key: string;
  readonly note: NotePart | undefined;
}

export class RuleFiles extends FollowedFiles<ReadRules> {
  private last: LastNote | undefined;

  constructor(clock: Clock) {
    super({ globs: [WATCHED], read: readRules, clock });
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (RULE_NAME.test(document.uri.path)) this.readSoon();
      }),
    );
  }

  /**
   * Returns the rules for a question; undefined if there are none.
   * @param uris files of the question
   */
  noteFor(uris: readonly vscode.Uri[]): NotePart | undefined {
    const rules = this.value;
    if (rules === undefined) return undefined;
    const targets = uris.map(pathKey);
    const maxTokens = Math.min(
      MAX_TOKENS,
      readSettings().settings["context.budget"] * BUDGET_SHARE,
    );
    const key = JSON.stringify([targets, maxTokens]);
    if (this.last?.key !== key || this.last.rules !== rules)
      this.last = { rules, key, note: noteOf(rules, targets, maxTokens) };
    return this.last.note;
  }
}

function noteOf(
  rules: ReadRules,
  targets: readonly string[],
  maxTokens: number,
): NotePart | undefined {
  const files = applicableRules(rules.files, targets);
  if (files.length === 0) return undefined;
  const { text, linesLeftOut } = rulesText(files, maxTokens);
  const tokens = estimateTextTokens(text);
  const hidden = files.filter((file) => file.hidden.length > 0);
  const unshown = files.filter(({ hasUnshown }) => hasUnshown);
  const withHtml = files.filter(({ hasHtml }) => hasHtml);
  const detail = [
    files.length === 1 ? (files[0]?.path ?? "") : vscode.l10n.t("{0} files", files.length),
    vscode.l10n.t("~{0} tokens", tokens),
    ...(linesLeftOut > 0 ? [vscode.l10n.t("{0} lines not included", linesLeftOut)] : []),
    ...(hidden.length > 0 ? [vscode.l10n.t("hidden characters removed")] : []),
    ...(unshown.length > 0 ? [vscode.l10n.t("hidden text not sent")] : []),
    ...(withHtml.length > 0 ? [vscode.l10n.t("with HTML")] : []),
  ];
  const tooltip = [
    vscode.l10n.t("Project rules"),
    ...files.map(({ path }) => path),
    ...hidden.map((file) =>
      vscode.l10n.t("Hidden characters removed from {0}: {1}", file.path, file.hidden.join(", ")),
    ),
    ...unshown.map(({ path }) =>
      vscode.l10n.t(
        "Comments and other text that a Markdown preview hides are not sent: {0}",
        path,
      ),
    ),
    ...withHtml.map(({ path }) =>
      vscode.l10n.t("HTML is sent as it is written; a Markdown preview may hide parts: {0}", path),
    ),
    ...rules.leftOut.map((path) =>
      vscode.l10n.t("Not included: {0} (may contain secrets, or is a link)", path),
    ),
  ];
  return {
    kind: "note",
    source: "rules",
    label: vscode.l10n.t("Project rules"),
    text,
    detail: detail.join(" · "),
    tooltip: tooltip.join("\n"),
  };
}

async function readRules(): Promise<ReadRules> {
  const files: RuleFile[] = [];
  const leftOut: string[] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const uri of await candidatesIn(folder)) {
      const access = await readText(uri, "unasked");
      if (access.kind === "left-out") leftOut.push(pathOf(uri));
      if (access.kind !== "text") continue;
      const file = ruleFile(uri, folder, sourceOf(access.source).lines.join("\n"));
      if (file !== undefined) files.push(file);
    }
  }
  return { files, leftOut };
}

/** Returns the part of a URI by which files and folders are compared. */
function pathKey({ authority, path }: vscode.Uri): string {
  return authority + path.replace(/\/$/, "");
}

/** Returns the files that may hold rules; those at the root need no search. */
async function candidatesIn(folder: vscode.WorkspaceFolder): Promise<vscode.Uri[]> {
  const exclude = searchExclude(folder.uri);
  const find = (glob: string) =>
    vscode.workspace
      .findFiles(new vscode.RelativePattern(folder, glob), exclude, MAX_FILES)
      // A file system without search has rules at the root only.
      .then(undefined, (): vscode.Uri[] => []);
  const matches = await Promise.all([find(NESTED), find(INSTRUCTIONS)]);
  const atRoot = ["AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"];
  const all = [...atRoot.map((path) => vscode.Uri.joinPath(folder.uri, path)), ...matches.flat()];
  return uniqueUris(all).filter((uri) => vscode.workspace.getWorkspaceFolder(uri) === folder);
}

function ruleFile(
  uri: vscode.Uri,
  { uri: root }: vscode.WorkspaceFolder,
  read: string,
): RuleFile | undefined {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const isInstructions = name.endsWith(".instructions.md");
  const isCopilot = name === "copilot-instructions.md";
  const kind = isInstructions
    ? "instructions"
    : isCopilot
      ? "copilot"
      : name === "CLAUDE.md"
        ? "claude"
        : "agents";
  const { values, body } = isInstructions
    ? readFrontMatter(read)
    : { values: new Map<string, string>(), body: read };
  const visible = shownText(body.slice(0, MAX_LENGTH));
  const text = cleanHiddenCharacters(visible);
  const applyTo = splitGlobs(values.get("applyTo") ?? "");
  // Instructions without globs are for use by hand.
  if (text.trim() === "" || (isInstructions && applyTo.length === 0)) return undefined;
  const parent = vscode.Uri.joinPath(uri, "..");
  return {
    kind,
    path: pathOf(uri),
    text,
    applyTo,
    hidden: hiddenNames(visible),
    hasUnshown: visible.length < Math.min(body.length, MAX_LENGTH),
    hasHtml: mayHideText(text),
    root: pathKey(root),
    folder: pathKey(isInstructions || isCopilot ? root : parent),
  };
}
