/**
 * Checks and reads the lines of automatic context, and finds their definitions. Loaded with the first
 * document, because the checks are large.
 */
import type * as vscode from "vscode";
import type { AutomaticContext } from "../../chat/view/editorContext";
import type { Part } from "../../conversation/message";
import { INSTALLED } from "../access/foundFiles";
import { secretOf, type DocumentLocation } from "../access/readAccess";
import { pathOf, spanOf } from "../platform/sourceText";
import { excerptIn, wholeExcerpt } from "./excerpts";

export { locateDocument } from "../access/readAccess";
export { definitionsIn } from "./definitions";

/** The part of some lines, and the reason why their text is left out. */
export interface CheckedPart {
  readonly part: Part;
  readonly leftOut: AutomaticContext["leftOut"] | undefined;
}

/** Returns the part of a range; of the whole document without a range. */
export function checkedPart(
  document: vscode.TextDocument,
  location: DocumentLocation,
  range: vscode.Range | undefined,
): CheckedPart {
  const span = range && spanOf(range);
  const leftOut = reasonOf(document, location, range);
  if (leftOut === undefined) {
    const { part } = span ? excerptIn(document, span) : wholeExcerpt(document);
    return { part, leftOut };
  }
  const { uri, languageId } = document;
  const fileAlone = { path: pathOf(uri), uri: uri.toString(), languageId, text: "", ...span };
  return { part: { kind: "excerpt", ...fileAlone }, leftOut };
}

function reasonOf(
  document: vscode.TextDocument,
  location: DocumentLocation,
  range: vscode.Range | undefined,
): CheckedPart["leftOut"] {
  if (location.isLink && !location.isInside) return "outside";
  if (location.exclusion !== undefined) return "excluded";
  if (secretOf(document, location, range) !== undefined) return "secrets";
  // Package managers store a library once and give it several names.
  return location.isShared && !INSTALLED.test(document.uri.path) ? "shared" : undefined;
}
