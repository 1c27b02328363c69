/**
 * Draft of a conversation: the unsent content of its composer. Merges the drafts of several windows
 * without losing text.
 */
import * as z from "zod/mini";
import { imagePartSchema, partSchema, type Part } from "./message";
import { defined } from "../base/defined";
import { pictureNoteSchema } from "../pointing/pictureNote";
import { notesText, type SentArea } from "../pointing/pictureNotes";

export const queuedSchema = z.object({ id: z.string(), parts: z.array(partSchema) });

/** Changes to a picture before sending; the attachment's part is the unchanged picture. */
const picturePlanSchema = z.object({
  fit: z.enum(["tiles", "crop", "scaled", "marked"]),
  /** Pictures that are sent; empty until the marks are drawn, so nothing unmarked is sent. */
  sent: z.array(imagePartSchema),
  /** Marks, as JSON of the page. */
  marks: z.optional(z.string()),
  /** Effect of the marks; older drafts have it in `fit` alone. */
  change: z.optional(z.enum(["crop", "marked"])),
  /** Area of the attached picture that is sent, in its pixels; absent for all of it. */
  area: z.optional(
    z.object({ x: z.number(), y: z.number(), widthPx: z.number(), heightPx: z.number() }),
  ),
});
export type PicturePlan = Readonly<z.infer<typeof picturePlanSchema>>;

/** Differences between an attached picture and the file it was read from. */
const pictureOriginSchema = z.object({
  /** Media type of the file, where the picture was converted. */
  mediaType: z.optional(z.string()),
  /** True when the pixels were rotated by the EXIF orientation. */
  isTurned: z.optional(z.boolean()),
  /** Number of frames in the file, where only the first frame is attached. */
  frames: z.optional(z.number()),
});
export type PictureOrigin = Readonly<z.infer<typeof pictureOriginSchema>>;

/** Notes at positions of a picture, with what their text depends on. */
const pictureNotesSchema = z.object({
  /** Display name in the user's language. */
  label: z.string(),
  /** Scale of the model's coordinates, if known. */
  scale: z.optional(z.string()),
  items: z.array(pictureNoteSchema),
});
export type PictureNotes = Readonly<z.infer<typeof pictureNotesSchema>>;

const attachmentSchema = z.object({
  id: z.string(),
  part: partSchema,
  /** Absent for a picture that is sent unchanged. */
  picture: z.optional(picturePlanSchema),
  /** Absent where the pixels are those of the file. */
  origin: z.optional(pictureOriginSchema),
  notes: z.optional(pictureNotesSchema),
});
/** Attachment of a question: a picture, an excerpt or a note. */
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>;

/** Returns the parts that are sent for an attachment: pictures are followed by the notes in them. */
export function sentParts(attachment: Attachment): readonly Part[] {
  const { part, picture } = attachment;
  return [...(picture?.sent ?? [part]), ...sentNotes(attachment)];
}

/** Longest text of notes next to the name of their chip, in UTF-16 units. */
const MAX_NOTES_DETAIL = 80;

function sentNotes({ part, picture, notes }: Attachment): Part[] {
  if (notes === undefined || part.kind !== "image") return [];
  const { label, scale, items } = notes;
  const { x, y, widthPx, heightPx } = picture?.area ?? { x: 0, y: 0, ...part };
  const sent = (picture?.sent ?? [part]).map((one): SentArea => ({
    widthPx: one.widthPx,
    heightPx: one.heightPx,
    ...(one.tile && { tile: one.tile.index + 1 }),
    area: one.tile
      ? { x: x + one.tile.x, y: y + one.tile.y, width: one.widthPx, height: one.heightPx }
      : { x, y, width: widthPx, height: heightPx },
  }));
  const text = notesText(part.name, items, sent, scale);
  if (text === undefined) return [];
  const lines = items
    .filter(({ leftOut }) => leftOut === undefined)
    .map((item) => `${item.number}. ${item.text}`);
  const detail = lines.join(" ").slice(0, MAX_NOTES_DETAIL);
  return [{ kind: "note", source: "pins", label, detail, tooltip: lines.join("\n"), text }];
}

/** True for a picture whose marks are not drawn yet or failed; it must not be sent. */
export function isUnfinished({ picture }: Attachment): boolean {
  return picture?.sent.length === 0;
}

export const draftSchema = z.object({
  text: z.string(),
  attached: z._default(z.array(attachmentSchema), []),
  /** Edit of an earlier question with its attachments; `attached` is kept for afterwards. */
  editing: z.optional(
    z.object({
      messageId: z.string(),
      attached: z.array(attachmentSchema),
      /** Text of the draft from before the edit. */
      parkedText: z.optional(z.string()),
      /** True if sending asks a new question; the earlier question stays. */
      isRecalled: z.optional(z.boolean()),
    }),
  ),
  /** Questions to send after the running reply, in order. */
  queued: z._default(z.array(queuedSchema), []),
  /** Text that `text` replaced, for instance of another window; the user can restore it. */
  other: z.optional(z.string()),
  /** Name of the workspace in which the draft was begun; a conversation without messages has no file. */
  workspace: z.optional(z.string()),
  /** Fields that prompts put into the text, as written: "${input:name:hint}". */
  fields: z.optional(z.array(z.string())),
});
export type Draft = Readonly<z.infer<typeof draftSchema>>;

export const EMPTY_DRAFT: Draft = { text: "", attached: [], queued: [] };

/** True for a draft that needs no file. */
export function isEmptyDraft(draft: Draft): boolean {
  return (
    draft.text === "" &&
    draft.attached.length === 0 &&
    draft.queued.length === 0 &&
    draft.editing === undefined &&
    draft.other === undefined
  );
}

/**
 * Merges drafts of the same conversation. The newest text wins and the other texts go into
 * `other`; attachments and queued questions are combined.
 * @param drafts oldest first
 */
export function mergeDrafts(drafts: readonly Draft[]): Draft {
  const shown = drafts.findLast((draft) => draft.text !== "");
  const text = shown?.text ?? "";
  // An edit needs its own text: another text must not replace the earlier question.
  const editing =
    shown === undefined
      ? drafts.findLast((draft) => draft.editing !== undefined)?.editing
      : shown.editing;
  const workspace = drafts.find((draft) => draft.workspace !== undefined)?.workspace;
  const other = otherText(
    text,
    drafts.flatMap((draft) => [
      draft.other,
      draft.editing === editing ? undefined : draft.editing?.parkedText,
      draft.text,
    ]),
  );
  const fields = [...new Set(drafts.flatMap((draft) => draft.fields ?? []))];
  return {
    text,
    attached: uniqueById(drafts.flatMap(({ attached }) => attached)),
    queued: uniqueById(drafts.flatMap(({ queued }) => queued)),
    ...defined({ editing, other, workspace }),
    ...(fields.length > 0 && { fields }),
  };
}

/**
 * Returns the texts that `text` replaced as one text, without those that are part of `text` or of each
 * other; undefined if all are.
 */
export function otherText(
  text: string,
  replaced: readonly (string | undefined)[],
): string | undefined {
  const distinct = [...new Set(replaced.filter((one) => one !== undefined))];
  const lost = distinct.filter(
    (one) =>
      one.trim() !== "" &&
      !text.includes(one) &&
      !distinct.some((longer) => longer !== one && longer.includes(one)),
  );
  return lost.length === 0 ? undefined : lost.join("\n\n");
}

/** Keeps the newest item of each id, at the position of the oldest. */
function uniqueById<T extends { readonly id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((item) => [item.id, item])).values()];
}
