/**
 * Converts prompt and references of VS Code's chat into parts of a message: text, files, ranges of
 * files and pictures. Asks no questions: reports what cannot be sent before anything is sent.
 */
import * as vscode from "vscode";
import { secretIn } from "../../secrets/secretText";
import type { Part } from "../../conversation/message";
import { excerptIn } from "../context/excerpts";
import { gatherFile, leftOutSentence, nameOnly, type Gathered } from "../context/gather";
import { spanOf } from "../platform/sourceText";
import { leftOutFileSentence, refusedFileSentence } from "../access/textFiles";
import { readText, reasonOf } from "../access/readAccess";
import { PICTURE_EXTENSIONS } from "../../pictures/fileSignatures";
import { readUnaskedPicture } from "../pictures/pictureFiles";
import { panelMessages } from "../messages/panelMessages";
import type { RequestPictures } from "./requestPictures";

/** The parts, with remarks to show. */
export interface RequestParts {
  readonly parts: readonly Part[];
  readonly remarks: readonly string[];
  /** Reason why a reference cannot be sent; the question must not be sent then. */
  readonly refused: string | undefined;
}

/** Reads the prompt and all references of a request. */
export async function partsOf(
  prompt: string,
  references: readonly vscode.ChatPromptReference[],
  pictures: RequestPictures,
): Promise<RequestParts> {
  const parts: Part[] = [{ kind: "text", text: prompt }];
  const remarks: string[] = [];
  let refused: string | undefined;
  // VS Code lists references in reverse order.
  for (const reference of references.toReversed()) {
    const found = await partsOfReference(reference, pictures);
    if (found.ok) {
      parts.push(...found.parts);
      if (found.remark !== undefined) remarks.push(found.remark);
    } else refused ??= found.sentence;
  }
  return { parts, remarks, refused };
}

async function partsOfReference(
  { id, value, modelDescription }: vscode.ChatPromptReference,
  pictures: RequestPictures,
): Promise<Gathered> {
  if (value instanceof vscode.Uri)
    return isPicture(value) ? picture(value) : gatherFile(value, "unasked");
  if (value instanceof vscode.Location) return rangeParts(value);
  if (typeof value === "string") {
    const secret = secretIn(value);
    if (secret !== undefined) {
      const remark = vscode.l10n.t(
        "{0} was not sent because it may contain secrets: {1}.",
        modelDescription ?? id,
        reasonOf(secret),
      );
      return { ok: true, parts: [], remark };
    }
    const text = modelDescription ? `${modelDescription}:\n${value}` : value;
    return { ok: true, parts: [{ kind: "text", text }] };
  }
  if (isBinary(value)) {
    try {
      return pictureParts(await pictures.addPicture(id, await value.data()));
    } catch {
      return { ok: false, sentence: panelMessages.pictureRefused(id, "unreadable").text };
    }
  }
  // Kinds of references of later versions of VS Code are left out and named.
  const remark = vscode.l10n.t("Not supported, so not included: {0}.", id);
  return { ok: true, parts: [], remark };

  async function picture(uri: vscode.Uri): Promise<Gathered> {
    const file = await readUnaskedPicture(uri);
    if ("realPath" in file) {
      const concern = { ...file, isShared: !file.isLink && file.isInside, secret: undefined };
      return { ok: true, parts: [nameOnly(uri)], remark: leftOutFileSentence(uri, concern) };
    }
    const { name, bytes } = file;
    if (typeof bytes === "string") {
      return { ok: false, sentence: panelMessages.pictureRefused(name, bytes).text };
    }
    return pictureParts(await pictures.addPicture(name, bytes));
  }
}

async function rangeParts({ uri, range }: vscode.Location): Promise<Gathered> {
  const access = await readText(uri, "unasked");
  if (access.kind === "refused") {
    return { ok: false, sentence: refusedFileSentence(uri, access.why) };
  }
  if (access.kind === "left-out") {
    const remark = leftOutFileSentence(uri, access.concern);
    return { ok: true, parts: [nameOnly(uri)], remark };
  }
  const document = access.source;
  const { part, linesLeftOut } = excerptIn(document, spanOf(document.validateRange(range)));
  if (linesLeftOut === 0) return { ok: true, parts: [part] };
  return { ok: true, parts: [part], remark: leftOutSentence(part.path, linesLeftOut) };
}

function pictureParts(picture: Awaited<ReturnType<RequestPictures["addPicture"]>>): Gathered {
  return picture.ok ? { ok: true, parts: [picture.part] } : picture;
}

function isPicture({ path }: vscode.Uri): boolean {
  return PICTURE_EXTENSIONS.includes(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}

/** A pasted picture: a class of VS Code that its typings lack. */
interface BinaryData {
  data(): Thenable<Uint8Array>;
}

function isBinary(value: unknown): value is BinaryData {
  return (
    typeof value === "object" &&
    value !== null &&
    "data" in value &&
    typeof value.data === "function"
  );
}
