/**
 * Decides if the text of a file may be read and sent. All text of files that is sent passes here.
 * Checks the real path, the kind of file, its name and its text. Check and read share a handle, so
 * that the text returned is the text checked.
 */
import * as vscode from "vscode";
import { fileKindOf, MAX_TEXT_FILE_BYTES } from "../../pictures/fileKind";
import type { FileKind } from "../../pictures/fileSignatures";
import { mayHoldSecrets } from "../../secrets/secretNames";
import { secretIn } from "../../secrets/secretText";
import type { SecretKind } from "../../secrets/secretTokens";
import type { ExcerptPart } from "../../conversation/message";
import { languageOfName } from "../../replyCode/labels";
import { escapedPath, type TextSource } from "../platform/sourceText";
import { readFileUpTo } from "../node/readFileUpTo";
import { refuseFixed } from "../policy/policy";
import { isMisread, isMisreadDocument, refuseMisread } from "./encoding";
import { exclusionOf, isNeverSent } from "./exclusion";
import { locate, locationOf, type FileLocation } from "./location";

const { t } = vscode.l10n;

/** Reasons to ask before text is sent, or to leave it out where no question is asked. */
export interface Concern extends DocumentLocation {
  /** The secret that the text holds, or "name" for a file that usually holds some. */
  readonly secret: SecretKind | "name" | undefined;
}

/** Choice of a file for reading, which decides about questions to the user. */
export type FileChoice =
  /** The user named it in VS Code: asked about outside the workspace and for secrets. */
  | "chosen"
  /** The user chose it in the system's own dialog: asked about for secrets. */
  | "picked"
  /** The user named no file: never asked, left out if there is any concern. */
  | "unasked";

/** Reasons why a file cannot be text of a question. */
export type RefusedKind = Exclude<FileKind, "text"> | "misread" | "unreadable";

/** A file's text, or the reason why there is none. */
export type TextAccess =
  | { readonly kind: "text"; readonly source: TextSource }
  | { readonly kind: "refused"; readonly why: RefusedKind }
  /** Not sent: the user declined, or no question was to be asked. */
  | { readonly kind: "left-out"; readonly concern: Concern };

/** Reads a file's text for a question; of an open document the text in its editor. */
export async function readText(uri: vscode.Uri, choice: FileChoice): Promise<TextAccess> {
  const [access] = await readTexts([uri], choice);
  return access ?? { kind: "refused", why: "unreadable" };
}

/** Reads several files, in their order; asks a single question for all files that give a reason. */
export async function readTexts(
  uris: readonly vscode.Uri[],
  choice: FileChoice,
): Promise<TextAccess[]> {
  const files: (CheckedText | RefusedKind)[] = [];
  for (const uri of uris) files.push(await readChecked(uri));
  const isQuestionable = (file: CheckedText | RefusedKind) =>
    typeof file !== "string" && !isSentWithoutQuestion(file.concern, choice);
  const questionable = files.flatMap((file) =>
    typeof file !== "string" && isQuestionable(file) ? [file.concern] : [],
  );
  const isAsked = choice !== "unasked";
  const concerns = questionable.filter((concern) => !isForbidden(concern));
  if (isAsked) for (const concern of questionable) refuseForbidden(concern);
  const isAllowed =
    isAsked && (concerns.length === 0 || (await askToAdd(concerns, choice === "picked")));
  return files.map((file) => {
    if (typeof file === "string") return { kind: "refused", why: file };
    const { source, concern } = file;
    return (isAllowed && !isForbidden(concern)) || !isQuestionable(file)
      ? { kind: "text", source }
      : { kind: "left-out", concern };
  });
}

function isSentWithoutQuestion(concern: Concern, choice: FileChoice): boolean {
  if (choice === "unasked") return isUnconcerning(concern);
  if (concern.secret !== undefined || concern.exclusion !== undefined) return false;
  return choice === "picked" || (concern.isInside && !concern.isShared);
}

/** Returns true for a file that the organization never sends; nobody is asked. */
function isForbidden({ exclusion }: FileLocation): boolean {
  return exclusion === "policy";
}

/** Shows that the organization never sends a file; returns false for any other file. */
function refuseForbidden(location: FileLocation): boolean {
  return refuseFixed(isForbidden(location), escapedPath(location.realPath));
}

/**
 * Asks before excerpts of an open document are sent, where their text or the document's real path
 * gives a reason. A document outside the workspace that is no link was opened by the user under its
 * real path. Call this without an `await` after the excerpts were made: their lines in the document
 * show secrets that begin above or end below them.
 */
export async function maySendExcerpts(
  document: vscode.TextDocument,
  excerpts: readonly ExcerptPart[],
  verb: "add" | "send",
): Promise<boolean> {
  const concern = await concernOf(document, excerpts);
  if (refuseForbidden(concern)) return false;
  const isDamaged = excerpts.some(({ text }) => text.includes("\uFFFD"));
  if (isDamaged && (await refuseMisread(document))) return false;
  const { secret, exclusion } = concern;
  const isPathKnown = concern.isInside || !concern.isLink;
  const isPlain = secret === undefined && exclusion === undefined && isPathKnown;
  return isPlain || askToSend(concern, verb, isPathKnown);
}

/** Asks before text that is from no file, as from a terminal, is sent with a secret in it. */
export function maySendText(name: string, text: string): Promise<boolean> {
  return maySendUnlocated(name, secretIn(text));
}

/** Asks before the text of a file without a URI is sent, because of its name or its text. */
export async function maySendOffered(name: string, text: string): Promise<boolean> {
  const isRefused = isNeverSent([vscode.Uri.from({ scheme: "untitled", path: name })]);
  if (refuseFixed(isRefused, escapedPath(name))) return false;
  return maySendUnlocated(name, mayHoldSecrets(name) ? "name" : secretIn(text));
}

async function maySendUnlocated(name: string, secret: Concern["secret"]): Promise<boolean> {
  if (secret === undefined) return true;
  const location = { realPath: name, isInside: true, isLink: false, isShared: false };
  return askToSend({ ...location, secret }, "add", true);
}

/** Asks before names of files of a folder outside the workspace are sent. */
export async function mayListFolder(uri: vscode.Uri): Promise<boolean> {
  const located = await locate(uri);
  // A pattern with a slash at its end matches folders only.
  const folder = uri.with({ path: `${uri.path.replace(/\/$/, "")}/` });
  const location = { ...located, exclusion: await exclusionOf(folder, `${located.realPath}/`) };
  if (refuseForbidden(location)) return false;
  if (location.isInside && location.exclusion === undefined) return true;
  return askToSend({ ...location, isShared: false, secret: undefined }, "add", false);
}

/** Checks an open document as it is now: the excerpts, or the whole text without excerpts. */
async function concernOf(
  document: vscode.TextDocument,
  excerpts?: readonly ExcerptPart[],
): Promise<Concern> {
  // The text is read before the first `await`: an edit that follows is not checked.
  const textSecret = excerpts
    ? firstSecretIn(document, excerpts)
    : secretInLines(document, undefined);
  const location = await locateDocument(document);
  const secret = isSecretName(document.uri, location.realPath) ? "name" : textSecret;
  return { ...location, secret };
}

export interface DocumentLocation extends FileLocation {
  /** True if the same file has another name elsewhere on the disk. */
  readonly isShared: boolean;
}

/** Locates an open document; a document that was never saved has no file. */
export async function locateDocument({
  uri,
  isUntitled,
}: vscode.TextDocument): Promise<DocumentLocation> {
  return isUntitled
    ? { realPath: uri.path, isInside: true, isLink: false, isShared: false }
    : { ...(await locate(uri)), isShared: await hasOtherNames(uri) };
}

/** Checks for secrets by name, real name and text. */
export function secretOf(
  document: vscode.TextDocument,
  { realPath }: FileLocation,
  range?: vscode.Range,
): Concern["secret"] {
  return isSecretName(document.uri, realPath) ? "name" : secretInLines(document, range);
}

function firstSecretIn(
  document: vscode.TextDocument,
  excerpts: readonly ExcerptPart[],
): SecretKind | undefined {
  for (const { startLine, endLine = startLine, text } of excerpts) {
    const range =
      startLine === undefined || endLine === undefined
        ? undefined
        : new vscode.Range(startLine - 1, 0, endLine - 1, Infinity);
    const secret = secretIn(text) ?? secretInLines(document, range);
    if (secret !== undefined) return secret;
  }
  return undefined;
}

/** Finds secrets in the whole lines of a range, because excerpts hold whole lines. */
function secretInLines(
  document: vscode.TextDocument,
  range: vscode.Range | undefined,
): SecretKind | undefined {
  const text = document.getText();
  if (range === undefined) return secretIn(text);
  const { start, end } = document.validateRange(range);
  const lineEnd = document.lineAt(end.line).range.end;
  const startOffset = document.offsetAt(new vscode.Position(start.line, 0));
  return secretIn(text, startOffset, document.offsetAt(lineEnd));
}

/** Returns true for a file that may be sent where no question is asked. */
function isUnconcerning({ secret, isInside, isLink, isShared, exclusion }: Concern): boolean {
  return secret === undefined && isInside && !isLink && !isShared && exclusion === undefined;
}

function isSecretName(uri: vscode.Uri, realPath: string): boolean {
  return mayHoldSecrets(uri.path) || mayHoldSecrets(realPath);
}

interface CheckedText {
  readonly source: TextSource;
  readonly concern: Concern;
}

/** Reads a file with its concern. The text returned is the text checked. */
export async function readChecked(uri: vscode.Uri): Promise<CheckedText | RefusedKind> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) {
    const source = snapshotOf(uri, open.languageId, open.getText());
    const concern = await concernOf(open);
    return (await isMisreadDocument(open)) ? "misread" : { source, concern };
  }
  try {
    const content = uri.scheme === "file" ? await readFromDisk(uri) : await readFromProvider(uri);
    if (typeof content === "string") return content;
    const { bytes, location, isShared } = content;
    const kind = fileKindOf(bytes, bytes.length);
    if (kind !== "text") return kind;
    const text = await vscode.workspace.decode(bytes, { uri });
    if (isMisread(text, bytes)) return "misread";
    const secret = isSecretName(uri, location.realPath) ? "name" : secretIn(text);
    const source = snapshotOf(uri, languageOfName(uri.path) || "plaintext", text);
    return { source, concern: { ...location, isShared, secret } };
  } catch {
    return "unreadable";
  }
}

/** Returns true for a file whose text may be quoted where no question is asked. */
export async function mayBeQuoted(uri: vscode.Uri): Promise<boolean> {
  const content = await readChecked(uri);
  if (typeof content !== "string") return isUnconcerning(content.concern);
  const location = await locate(uri);
  const isPlain = location.isInside && !location.isLink && location.exclusion === undefined;
  return isPlain && !isSecretName(uri, location.realPath);
}

/** Returns true if the file has several names (hard links). */
export async function hasOtherNames(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== "file") return false;
  let nameCount = 1;
  const countOnly = (_path: string, count: number) => {
    nameCount = count;
    return Promise.resolve(false);
  };
  // A file that is gone, and the web host, which has no disk, have no other names.
  await readFileUpTo(uri.fsPath, 0, countOnly).catch(() => undefined);
  return nameCount > 1;
}

interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly location: FileLocation;
  readonly isShared: boolean;
}

async function readFromDisk(uri: vscode.Uri): Promise<ReadBytes | RefusedKind> {
  let real = uri.fsPath;
  let isShared = false;
  const bytes = await readFileUpTo(uri.fsPath, MAX_TEXT_FILE_BYTES, (path, nameCount) => {
    real = path;
    isShared = nameCount > 1;
    return Promise.resolve(true);
  });
  if (bytes === "too-many-bytes") return "huge";
  if (typeof bytes === "string") return "unreadable";
  return { bytes, location: await locationOf(uri, real), isShared };
}

async function readFromProvider(uri: vscode.Uri): Promise<ReadBytes | RefusedKind> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) return "unreadable";
  // The size decides before anything is read.
  if (size > MAX_TEXT_FILE_BYTES) return "huge";
  const bytes = await vscode.workspace.fs.readFile(uri);
  return { bytes, location: await locate(uri), isShared: false };
}

/** Returns a text that later edits and writes do not change. */
function snapshotOf(uri: vscode.Uri, languageId: string, text: string): TextSource {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const lineAt = (line: number) => ({ text: lines[line] ?? "" });
  const validPosition = ({ line, character }: vscode.Position) =>
    line >= lines.length
      ? new vscode.Position(lines.length - 1, lineAt(lines.length - 1).text.length)
      : new vscode.Position(line, Math.min(character, lineAt(line).text.length));
  return {
    uri,
    languageId,
    lineCount: lines.length,
    lineAt,
    validateRange: ({ start, end }) => new vscode.Range(validPosition(start), validPosition(end)),
  };
}

const MAX_LISTED = 20;

/** Asks once for all files, with their real paths and reasons. */
async function askToAdd(concerns: readonly Concern[], isPathKnown: boolean): Promise<boolean> {
  const [only, ...others] = concerns;
  if (only === undefined) return true;
  if (others.length === 0) return askToSend(only, "add", isPathKnown);
  const lines = concerns.slice(0, MAX_LISTED).map((concern) => {
    const { realPath, isInside, isShared, secret, exclusion } = concern;
    const reasons = [
      ...(exclusion === undefined ? [] : [t("listed in {0}", exclusion)]),
      ...(isInside || isPathKnown ? [] : [t("outside the workspace")]),
      ...(isInside && isShared && !isPathKnown ? [t("hard link")] : []),
      ...(secret === undefined ? [] : [reasonOf(secret)]),
    ];
    return `${escapedPath(realPath)}: ${reasons.join(", ")}`;
  });
  const more = concerns.length - lines.length;
  const detail = more > 0 ? t("{0}\nand {1} more", lines.join("\n"), more) : lines.join("\n");
  const add = t("Add All");
  const chosen = await vscode.window.showWarningMessage(
    t(
      "Files that may contain secrets, are excluded or outside the workspace: {0}. Send their text to the service anyway?",
      concerns.length,
    ),
    { modal: true, detail },
    add,
  );
  return chosen === add;
}

/** Asks with the real path and the reason. */
async function askToSend(
  concern: Concern,
  verb: "add" | "send",
  isPathKnown: boolean,
): Promise<boolean> {
  const add = verb === "add" ? t("Add") : t("Send");
  const question = questionAbout(concern, verb, isPathKnown);
  const chosen = await vscode.window.showWarningMessage(question, { modal: true }, add);
  return chosen === add;
}

function questionAbout(
  { realPath, isInside, isShared, secret, exclusion }: Concern,
  verb: "add" | "send",
  isPathKnown: boolean,
): string {
  const path = escapedPath(realPath);
  const reason = secret && reasonOf(secret);
  if (reason !== undefined) {
    return isInside || isPathKnown
      ? t("{0} may contain secrets: {1}. Send its text to the service anyway?", path, reason)
      : t(
          "{0} is outside the workspace and may contain secrets: {1}. Send its text to the service anyway?",
          path,
          reason,
        );
  }
  if (exclusion !== undefined) {
    return t("{0} is listed in {1}. Send its text to the service anyway?", path, exclusion);
  }
  if (isInside && isShared) {
    return t(
      "{0} is a hard link: the same file may also be outside the workspace. Send its text to the service anyway?",
      path,
    );
  }
  return verb === "add"
    ? t("{0} is outside the workspace. Add it anyway?", path)
    : t("{0} is outside the workspace. Send lines of it anyway?", path);
}

/** Returns the reason as the end of a sentence. */
export function reasonOf(secret: NonNullable<Concern["secret"]>): string {
  const reasons: Readonly<Record<typeof secret, string>> = {
    name: t("files with this name usually do"),
    "private-key": t("it contains a private key"),
    token: t("it contains an access token"),
    password: t("it contains a password or key"),
    vault: t("it contains an encrypted vault"),
  };
  return reasons[secret];
}
