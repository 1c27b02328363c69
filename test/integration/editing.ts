/**
 * Shared functions for tests of editing: files in the workspace, scripted replies with gates,
 * answers to VS Code's dialogs, and waiting for the text or the code lenses of a document.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ScriptedReply } from "../service/server";

/** A message passed to VS Code, and its buttons. */
export interface ShownMessage {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** Time limit for an expected event, in milliseconds; far longer than any event takes. */
const MAX_WAIT_MS = 90_000;

type Show = (text: string, ...rest: unknown[]) => Thenable<string | undefined>;

interface Answer {
  readonly text: string;
  readonly act: (() => Promise<void>) | undefined;
}

/** Replaces VS Code's messages, lists and input boxes with prepared answers; nothing is shown. */
export class Answers {
  readonly shown: ShownMessage[] = [];
  /** Titles of the input boxes that were opened. */
  readonly asked: string[] = [];
  /** Texts that input boxes and boxes at the code showed at first. */
  readonly values: string[] = [];
  private readonly replies: Answer[] = [];
  private readonly typed: Answer[] = [];
  private readonly picked: string[] = [];
  /** Entries of each list that was shown. */
  readonly offered: string[][] = [];
  /** Details of all entries of all lists, and of all questions. */
  readonly details: (string | undefined)[] = [];
  /** Suggested names of files to be saved. */
  readonly proposed: string[] = [];
  private readonly files: vscode.Uri[][] = [];
  private readonly originals = new Map<string, unknown>();

  /**
   * Selects this button in the next message that has such a button.
   * @param act runs while the message is open
   */
  choose(button: string, act?: () => Promise<void>): void {
    this.replies.push({ text: button, act });
  }

  /**
   * Enters this text in the next input box.
   * @param act runs while the box is open
   */
  type(text: string, act?: () => Promise<void>): void {
    this.typed.push({ text, act });
  }

  /**
   * Enters this text in the next box at the code.
   * @param act runs while the box is open; it may close the box
   */
  instruct(text: string, act?: () => Promise<void>): void {
    const write = async () => {
      const field = await untilBox();
      this.values.push(plainText(field.document));
      await act?.();
      if (vscode.window.activeTextEditor !== field) return;
      await writeInBox(field, text);
      await vscode.commands.executeCommand("coreChat.box.send");
    };
    this.instructing = write().catch((error: unknown) => assert.fail(String(error)));
  }

  /** Resolves when the last instruction is sent. */
  instructing: Promise<void> = Promise.resolve();

  /** Selects this entry in the next list; with check boxes, in addition to those that are checked. */
  pick(label: string): void {
    this.picked.push(label);
  }

  /** Selects these files in the next dialog for saving or opening; undefined selects Cancel. */
  chooseFile(...uris: readonly (vscode.Uri | undefined)[]): void {
    this.files.push(uris.filter((uri) => uri !== undefined));
  }

  /** Starts answering, without any answers of earlier tests. */
  install(): void {
    for (const list of [
      this.shown,
      this.asked,
      this.values,
      this.replies,
      this.typed,
      this.picked,
      this.offered,
      this.details,
      this.proposed,
      this.files,
    ]) {
      list.length = 0;
    }
    const show: Show = async (text, ...rest) => {
      const buttons = rest.filter((one) => typeof one === "string");
      this.shown.push({ text, buttons });
      this.details.push(
        ...rest.flatMap((one) => (one as vscode.MessageOptions | null)?.detail ?? []),
      );
      const next = this.replies[0];
      if (next === undefined || !buttons.includes(next.text)) return undefined;
      this.replies.shift();
      await next.act?.();
      return next.text;
    };
    for (const name of ["showInformationMessage", "showWarningMessage", "showErrorMessage"]) {
      this.replace(name, show);
    }
    this.replace("showInputBox", async (options?: vscode.InputBoxOptions) => {
      this.asked.push(options?.title ?? "");
      this.values.push(options?.value ?? "");
      const next = this.typed.shift();
      await next?.act?.();
      return next?.text;
    });
    type Items = readonly (string | vscode.QuickPickItem)[];
    this.replace("showQuickPick", (items: Items, options?: vscode.QuickPickOptions) => {
      const labelOf = (item: string | vscode.QuickPickItem) =>
        typeof item === "string" ? item : item.label;
      this.offered.push(items.map(labelOf));
      for (const item of items) if (typeof item !== "string") this.details.push(item.detail);
      const label = this.picked.shift();
      const isChosen = (item: string | vscode.QuickPickItem) => labelOf(item) === label;
      if (options?.canPickMany !== true) return Promise.resolve(items.find(isChosen));
      // A list with check boxes returns all that are checked; undefined after Escape.
      const isChecked = (item: string | vscode.QuickPickItem) =>
        isChosen(item) || (typeof item !== "string" && item.picked === true);
      return Promise.resolve(label === undefined ? undefined : items.filter(isChecked));
    });
    this.replace("showSaveDialog", (options?: vscode.SaveDialogOptions) => {
      this.proposed.push(options?.defaultUri?.path.split("/").at(-1) ?? "");
      return Promise.resolve(this.files.shift()?.[0]);
    });
    this.replace("showOpenDialog", () => {
      const uris = this.files.shift() ?? [];
      return Promise.resolve(uris.length > 0 ? uris : undefined);
    });
  }

  restore(): void {
    for (const [name, original] of this.originals) Reflect.set(vscode.window, name, original);
    this.originals.clear();
  }

  private replace(name: string, by: unknown): void {
    this.originals.set(name, Reflect.get(vscode.window, name));
    Reflect.set(vscode.window, name, by);
  }
}

/** In-memory replacement for VS Code's workspace storage. */
export class MapMemento implements vscode.Memento {
  private readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, missing?: T): T | undefined {
    return this.values.has(key) ? (this.values.get(key) as T) : missing;
  }

  update(key: string, value: unknown): Thenable<void> {
    // VS Code stores the JSON of a value.
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

/** Resolves with the field of the box at the code when it has the focus. */
export async function untilBox(): Promise<vscode.TextEditor> {
  const field = () => vscode.window.activeTextEditor;
  await poll(() => field()?.document.uri.scheme === "comment", "a box at the code");
  const found = field();
  assert.ok(found);
  return found;
}

/** Replaces the text of a box. */
export async function writeInBox(field: vscode.TextEditor, text: string): Promise<void> {
  // VS Code refuses an edit of an older version, and the box itself writes its first text again.
  const write = () => {
    const all = field.document.validateRange(new vscode.Range(0, 0, field.document.lineCount, 0));
    return field.edit((edit) => edit.replace(all, text));
  };
  await poll(write, "the text of the box");
}

/** Returns the URI of a file in the test's workspace. */
export function workspaceUri(...names: string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder, "the tests need a workspace");
  return vscode.Uri.joinPath(folder, ...names);
}

/** Writes a file of exactly these bytes and opens it. */
export async function showFile(name: string, bytes: string): Promise<vscode.TextEditor> {
  const uri = workspaceUri(name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(bytes));
  const editor = await vscode.window.showTextDocument(uri, { preview: false });
  const text = withPlainEnds(bytes.replace(/^\uFEFF/, ""));
  // VS Code may still have an unsaved text of an earlier test, and report it as unsaved only later.
  await poll(async () => {
    if (withPlainEnds(editor.document.getText()) === text) return true;
    await vscode.commands.executeCommand("workbench.action.files.revert");
    return false;
  }, `the text of ${name}`);
  return editor;
}

/** Normalizes line endings, as VS Code does when it opens a file. */
function withPlainEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Returns the bytes of a file as text, with the byte order mark. */
export async function readFile(name: string): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(workspaceUri(name));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Selects whole lines, 1-based and inclusive. */
export function selectLines(editor: vscode.TextEditor, first: number, last: number): void {
  const end = editor.document.lineAt(last - 1).range.end;
  editor.selection = new vscode.Selection(new vscode.Position(first - 1, 0), end);
}

/** Moves the caret to a line (1-based) and column (0-based). */
export function putCaret(editor: vscode.TextEditor, line: number, column = 0): void {
  editor.selection = new vscode.Selection(line - 1, column, line - 1, column);
}

/** Returns a reply with this code in a fence, a line per block; `|` lines are gates. */
export function fenced(lines: readonly string[], rest: Partial<ScriptedReply> = {}): ScriptedReply {
  const blocks = lines.map((line) => (line === "|" ? { gate: true as const } : `${line}\n`));
  return { blocks: ["```\n", ...blocks, "```\n"], ...rest };
}

/**
 * Resolves when the document has this text (with `\n`); rejects with the current text after the
 * time limit.
 */
export function untilText(document: vscode.TextDocument, text: string): Promise<void> {
  return until(
    vscode.workspace.onDidChangeTextDocument,
    () => plainText(document) === text,
    () => difference(plainText(document), text),
  );
}

/** Describes the first place where two texts differ. */
function difference(actual: string, expected: string): string {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at += 1;
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 80), at + 160));
  const sizes = `${actual.length} and ${expected.length} characters`;
  return `${sizes}, which differ at ${at}: ${excerpt(actual)} is not ${excerpt(expected)}`;
}

/** Returns a document's text with `\n` line endings. */
export function plainText(document: vscode.TextDocument): string {
  return document.getText().replaceAll("\r\n", "\n");
}

/** Polls until the condition is true; throws after the time limit. */
export async function poll(
  condition: () => boolean | PromiseLike<boolean>,
  what: string,
): Promise<void> {
  const untilMs = Date.now() + MAX_WAIT_MS;
  while (!(await condition())) {
    if (Date.now() > untilMs) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Returns the current code lens titles of a document. */
export async function lensTitles(document: vscode.TextDocument): Promise<string[]> {
  return (await lenses(document)).map((lens) => lens.command?.title ?? "");
}

/** Polls until a code lens title contains this text. */
export async function untilLens(document: vscode.TextDocument, title: string): Promise<void> {
  await poll(
    async () => (await lensTitles(document)).some((one) => one.includes(title)),
    `a lens "${title}"`,
  );
}

/** Polls until the document has no code lens. */
export async function untilNoLens(document: vscode.TextDocument): Promise<void> {
  await poll(async () => (await lensTitles(document)).length === 0, "the lenses to go");
}

/** Runs the command of the `nth` code lens with this title, 0-based. */
export async function clickLens(
  document: vscode.TextDocument,
  title: string,
  nth = 0,
): Promise<void> {
  const found = (await lenses(document)).filter((lens) => lens.command?.title === title);
  const command = found[nth]?.command;
  assert.ok(command, `there is no lens "${title}"`);
  await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
}

/** Closes all editors without saving. */
export async function closeAll(): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) break;
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

async function lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>(
    "vscode.executeCodeLensProvider",
    document.uri,
    1_000,
  );
  return (found ?? []).filter(({ command }) => /^(coreChat\.|$)/.test(command?.command ?? "none"));
}

async function until(
  event: vscode.Event<unknown>,
  condition: () => boolean,
  complaint: () => string,
): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve, reject) => {
    // Rejects with the current state, so that a failed wait is explained.
    const timer = setTimeout(() => {
      listening.dispose();
      reject(new Error(complaint()));
    }, MAX_WAIT_MS);
    const listening = event(() => {
      if (!condition()) return;
      clearTimeout(timer);
      listening.dispose();
      resolve();
    });
  });
}
