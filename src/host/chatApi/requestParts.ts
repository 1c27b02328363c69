/**
 * What a person wrote and attached in VS Code's chat, as the parts of a message: their words, files,
 * stretches of files and pictures. What cannot go is a sentence, before anything is sent.
 */
import * as vscode from "vscode";
import { secretIn } from "../../context/secretText";
import type { Part } from "../../conversation/message";
import { excerptIn } from "../context/excerpts";
import { gatherFile, leftOutSentence, nameOnly } from "../context/gather";
import { spanOf } from "../platform/sourceText";
import { leftOutFileSentence, refusedFileSentence } from "../access/textFiles";
import { locate } from "../access/location";
import { readText, reasonOf } from "../access/readAccess";
import { PICTURE_ENDINGS } from "../pictures/pictureEndings";
import { readPicture } from "../pictures/pictureFiles";
import { panelMessages } from "../messages/panelMessages";
import type { RequestPictures } from "./requestPictures";

/** The parts, and what to say beside them. */
export interface RequestParts {
  readonly parts: readonly Part[];
  readonly remarks: readonly string[];
  /** Why something of it cannot go; the question should not be asked then. */
  readonly refused: string | undefined;
}

type Found =
  | { readonly ok: true; readonly parts: readonly Part[]; readonly remark?: string }
  | { readonly ok: false; readonly sentence: string };

/** Reads everything that goes with one question. */
export async function partsOf(
  prompt: string,
  references: readonly vscode.ChatPromptReference[],
  pictures: RequestPictures,
): Promise<RequestParts> {
  const parts: Part[] = [{ kind: "text", text: prompt }];
  const remarks: string[] = [];
  let refused: string | undefined;
  // The last one of the prompt is the first of the list.
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
): Promise<Found> {
  if (value instanceof vscode.Uri)
    return isPicture(value) ? picture(value) : gatherFile(value, "unasked");
  if (value instanceof vscode.Location) return stretch(value);
  if (typeof value === "string") {
    const secret = secretIn(value);
    if (secret !== undefined) {
      const remark = vscode.l10n.t(
        "{0} was not sent, as it may hold secrets: {1}.",
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
      return taken(await pictures.take(id, await value.data()));
    } catch {
      return { ok: false, sentence: panelMessages.pictureRefused(id, "unreadable").text };
    }
  }
  // Kinds of later VS Codes: named, and the question goes without them.
  const remark = vscode.l10n.t("Left out, as Core Chat does not know it: {0}.", id);
  return { ok: true, parts: [], remark };

  async function picture(uri: vscode.Uri): Promise<Found> {
    const location = await locate(uri);
    if (!location.isInside || location.isLink) {
      const concern = { ...location, isShared: false, secret: undefined };
      return { ok: true, parts: [nameOnly(uri)], remark: leftOutFileSentence(uri, concern) };
    }
    const { name, bytes } = await readPicture(uri);
    if (typeof bytes === "string") {
      return { ok: false, sentence: panelMessages.pictureRefused(name, bytes).text };
    }
    return taken(await pictures.take(name, bytes));
  }
}

async function stretch({ uri, range }: vscode.Location): Promise<Found> {
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

function taken(picture: Awaited<ReturnType<RequestPictures["take"]>>): Found {
  return picture.ok ? { ok: true, parts: [picture.part] } : picture;
}

function isPicture({ path }: vscode.Uri): boolean {
  return PICTURE_ENDINGS.includes(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}

/** A pasted picture: a class that VS Code has and its typings do not show yet. */
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
