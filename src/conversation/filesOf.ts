/** Files in the parts of a question, for "never send this file" and for finding repeated text. */
import type { ExcerptPart, Part } from "./message";

/** Text in place of a file that is left out. Sent, never stored. */
const NEVER_SENT = "(The organization of the user does not allow to send this file.)";

/** Returns the excerpts of files in a part. A new kind of part has to say here which files it has. */
export function filesOf(part: Part): readonly ExcerptPart[] {
  switch (part.kind) {
    case "excerpt":
      return [part];
    case "related":
      return part.items;
    case "text":
    case "note":
    case "image":
    case "image-address":
      return [];
    default:
      return part satisfies never;
  }
}

/** Returns the part without the text of files that the organization never sends, given by their URIs. */
export function withoutNeverSent(part: Part, neverSent: ReadonlySet<string>): Part {
  const isNeverSent = ({ uri }: ExcerptPart) => neverSent.has(uri);
  if (!filesOf(part).some(isNeverSent)) return part;
  if (part.kind === "excerpt") return emptied(part);
  if (part.kind === "related")
    return { ...part, items: part.items.map((item) => (isNeverSent(item) ? emptied(item) : item)) };
  // A kind of part without a form of its own is left out as a whole.
  return { kind: "text", text: NEVER_SENT };
}

function emptied({ kind, path, uri, languageId }: ExcerptPart): ExcerptPart {
  return { kind, path, uri, languageId, text: NEVER_SENT };
}
