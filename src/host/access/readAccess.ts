/**
 * Decides whether the text of a file may be read and sent: the one resolver for all ways by which
 * text of files leaves. Checks the real path, the kind of file, its name and its text; what is
 * checked is what is returned, as check and read share one handle.
 */
import * as vscode from "vscode";
import { fileKindOf, MAX_TEXT_FILE_BYTES } from "../../context/fileKind";
import type { FileKind } from "../../context/fileSignatures";
import { mayHoldSecrets } from "../../context/secretNames";
import { secretIn, type SecretKind } from "../../context/secretText";
import type { TextSource } from "../platform/sourceText";
import { readFileUpTo } from "../node/readFileUpTo";
import { languageOf } from "./languageOf";
import { locate, locationOf, type FileLocation } from "./location";

/** Reasons to ask before text is sent, or to leave it out where nobody is asked. */
export interface Concern extends FileLocation {
  /** True if the same file has another name elsewhere on the disk. */
  readonly isShared: boolean;
  /** The secret that the text holds, or "name" for a file that usually holds some. */
  readonly secret: SecretKind | "name" | undefined;
}

/** Ways by which a file comes to be read. */
export type WayIn =
  /** The user named it in VS Code: asked about outside the workspace and for secrets. */
  | "chosen"
  /** The user chose it in the system's own dialog: asked about for secrets. */
  | "picked"
  /** Nobody named it: never asked, left out wherever there is a concern. */
  | "unasked";

/** Why a file cannot be text of a question. */
export type RefusedKind = Exclude<FileKind, "text"> | "unreadable";

/** A file's text, or the reason why there is none. */
export type TextAccess =
  | { readonly kind: "text"; readonly source: TextSource }
  | { readonly kind: "refused"; readonly why: RefusedKind }
  /** Not sent: the user declined, or nobody was to be asked. */
  | { readonly kind: "left-out"; readonly concern: Concern };

/** Reads a file's text for a question; an open document is taken as its editor has it. */
export async function readText(uri: vscode.Uri, way: WayIn): Promise<TextAccess> {
  const found = await readChecked(uri);
  if (typeof found === "string") return { kind: "refused", why: found };
  const { source, concern } = found;
  const isAllowed =
    way === "unasked"
      ? goesUnasked(concern)
      : (isQuiet(concern) && (concern.isInside || way === "picked")) ||
        (await askToSend(concern, "add", way === "picked"));
  return isAllowed ? { kind: "text", source } : { kind: "left-out", concern };
}

/**
 * Asks before lines of an open document are sent, where its text or its real path gives a reason;
 * a document outside the workspace that is no link was opened by the user as what it is.
 */
export async function maySendLines(
  document: vscode.TextDocument,
  range: vscode.Range,
  verb: "add" | "send",
): Promise<boolean> {
  const concern = await concernOf(document, range);
  const isAsItSeems = concern.isInside || !concern.isLink;
  return (isQuiet(concern) && isAsItSeems) || askToSend(concern, verb, isAsItSeems);
}

/** Asks before text that is from no file, as from a terminal, is sent with a secret in it. */
export async function maySendText(name: string, text: string): Promise<boolean> {
  const secret = secretIn(text);
  if (secret === undefined) return true;
  const location = { realPath: name, isInside: true, isLink: false, isShared: false };
  return askToSend({ ...location, secret }, "add", true);
}

/** Asks before names of files of a folder outside the workspace are sent. */
export async function mayListFolder(uri: vscode.Uri): Promise<boolean> {
  const location = await locate(uri);
  if (location.isInside) return true;
  return askToSend({ ...location, isShared: false, secret: undefined }, "add", false);
}

/** Checks lines of an open document; all of them without a range. */
export async function concernOf(
  document: vscode.TextDocument,
  range?: vscode.Range,
): Promise<Concern> {
  const location = await locateDocument(document);
  return {
    ...location,
    isShared: false,
    secret: secretOf(document.uri, location, document, range),
  };
}

/** Locates an open document; one that was never saved is the window's own. */
export async function locateDocument({
  uri,
  isUntitled,
}: vscode.TextDocument): Promise<FileLocation> {
  return isUntitled ? { realPath: uri.path, isInside: true, isLink: false } : locate(uri);
}

/** Checks for secrets by name, real name and text. */
export function secretOf(
  uri: vscode.Uri,
  { realPath }: FileLocation,
  document: vscode.TextDocument,
  range?: vscode.Range,
): Concern["secret"] {
  if (isSecretName(uri, realPath)) return "name";
  const text = document.getText();
  return range === undefined
    ? secretIn(text)
    : secretIn(text, document.offsetAt(range.start), document.offsetAt(range.end));
}

/** Tells whether a file goes along where nobody is asked. */
export function goesUnasked(concern: Concern): boolean {
  return isQuiet(concern) && concern.isInside && !concern.isLink && !concern.isShared;
}

function isQuiet({ secret }: Concern): boolean {
  return secret === undefined;
}

function isSecretName(uri: vscode.Uri, realPath: string): boolean {
  return mayHoldSecrets(uri.path) || mayHoldSecrets(realPath);
}

interface CheckedText {
  readonly source: TextSource;
  readonly concern: Concern;
}

/** Reads a file and its concern, for whoever decides with both. */
export async function readChecked(uri: vscode.Uri): Promise<CheckedText | RefusedKind> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return { source: open, concern: await concernOf(open) };
  try {
    const read = uri.scheme === "file" ? await readFromDisk(uri) : await readElsewhere(uri);
    if (typeof read === "string") return read;
    const { bytes, location, isShared } = read;
    const kind = fileKindOf(bytes, bytes.length);
    if (kind !== "text") return kind;
    const text = await vscode.workspace.decode(bytes, { uri });
    const secret = isSecretName(uri, location.realPath) ? "name" : secretIn(text);
    return { source: sourceIn(uri, text), concern: { ...location, isShared, secret } };
  } catch {
    return "unreadable";
  }
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

async function readElsewhere(uri: vscode.Uri): Promise<ReadBytes | RefusedKind> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) return "unreadable";
  // The size decides before anything is read.
  if (size > MAX_TEXT_FILE_BYTES) return "huge";
  const bytes = await vscode.workspace.fs.readFile(uri);
  return { bytes, location: await locate(uri), isShared: false };
}

/** A text as a document that is not open. */
function sourceIn(uri: vscode.Uri, text: string): TextSource {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const lineAt = (line: number) => ({ text: lines[line] ?? "" });
  const validPosition = ({ line, character }: vscode.Position) =>
    line >= lines.length
      ? new vscode.Position(lines.length - 1, lineAt(lines.length - 1).text.length)
      : new vscode.Position(line, Math.min(character, lineAt(line).text.length));
  return {
    uri,
    languageId: languageOf(uri),
    lineCount: lines.length,
    lineAt,
    validateRange: ({ start, end }) => new vscode.Range(validPosition(start), validPosition(end)),
  };
}

/** Asks with the real path and the reason. */
async function askToSend(
  { realPath, isInside, secret }: Concern,
  verb: "add" | "send",
  isPlaceKnown: boolean,
): Promise<boolean> {
  const isOutside = !isInside && !isPlaceKnown;
  const reason = secret && reasonOf(secret);
  const add = verb === "add" ? vscode.l10n.t("Add It") : vscode.l10n.t("Send");
  const question =
    reason === undefined
      ? verb === "add"
        ? vscode.l10n.t("{0} is outside the workspace. Add it all the same?", realPath)
        : vscode.l10n.t("{0} is outside the workspace. Send lines of it anyway?", realPath)
      : isOutside
        ? vscode.l10n.t(
            "{0} is outside the workspace and may hold secrets: {1}. Send its text to the service anyway?",
            realPath,
            reason,
          )
        : vscode.l10n.t(
            "{0} may hold secrets: {1}. Send its text to the service anyway?",
            realPath,
            reason,
          );
  const chosen = await vscode.window.showWarningMessage(question, { modal: true }, add);
  return chosen === add;
}

/** A reason as the end of a sentence. */
export function reasonOf(secret: NonNullable<Concern["secret"]>): string {
  switch (secret) {
    case "name":
      return vscode.l10n.t("files of this name usually do");
    case "private-key":
      return vscode.l10n.t("there is a private key in it");
    case "token":
      return vscode.l10n.t("there is an access token in it");
    case "password":
      return vscode.l10n.t("there is a password or key in it");
    case "vault":
      return vscode.l10n.t("there is an encrypted vault in it");
    default:
      return secret satisfies never;
  }
}
