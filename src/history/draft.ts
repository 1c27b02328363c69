/**
 * What a person left in the composer of one conversation, and how the drafts of several windows
 * become one without anything being lost.
 */
import * as z from "zod/mini";
import { imagePartSchema, partSchema, type Part } from "../conversation/message";

const queuedSchema = z.object({ id: z.string(), parts: z.array(partSchema) });

/** How a picture goes that is too large, or was marked up; its part is the picture before that. */
const picturePlanSchema = z.object({
  fit: z.enum(["tiles", "crop", "scaled", "marked"]),
  /** Pictures sent instead; empty until the marks are drawn, so that nothing unmarked is sent. */
  sent: z.array(imagePartSchema),
  /** Marks as the page wrote them. */
  marks: z.optional(z.string()),
  /** Effect of the marks; older drafts say it in `fit` alone. */
  change: z.optional(z.enum(["crop", "marked"])),
});
export type PicturePlan = Readonly<z.infer<typeof picturePlanSchema>>;

/** Differences between an attached picture and the file it was read from. */
const pictureOriginSchema = z.object({
  /** Media type of the file, where the picture was converted. */
  mediaType: z.optional(z.string()),
  /** True when the pixels were turned as EXIF data asked. */
  isTurned: z.optional(z.boolean()),
  /** Number of frames in the file, where only the first one is attached. */
  frames: z.optional(z.number()),
});
export type PictureOrigin = Readonly<z.infer<typeof pictureOriginSchema>>;

const attachmentSchema = z.object({
  id: z.string(),
  part: partSchema,
  /** Only where a picture does not go as it is. */
  picture: z.optional(picturePlanSchema),
  /** Only where the picture's pixels are not those of its file. */
  origin: z.optional(pictureOriginSchema),
});
/** Something that goes with the question when it is sent: a picture, an excerpt, a note. */
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>;

/** What really goes for an attachment. */
export function sentParts({ part, picture }: Attachment): readonly Part[] {
  return picture?.sent ?? [part];
}

/** True for a picture whose marks are not drawn yet, or could not be: it must not be sent. */
export function isUnfinished({ picture }: Attachment): boolean {
  return picture?.sent.length === 0;
}

export const draftSchema = z.object({
  text: z.string(),
  /** Everything attached, in its order. */
  attached: z._default(z.array(attachmentSchema), []),
  /** What goes with an earlier question while that is edited; `attached` waits meanwhile. */
  editing: z.optional(
    z.object({
      messageId: z.string(),
      attached: z.array(attachmentSchema),
      /** The text that waits meanwhile. */
      parkedText: z.optional(z.string()),
    }),
  ),
  /** Questions that wait until the running reply has ended, in their order. */
  queued: z._default(z.array(queuedSchema), []),
  /** How far the conversation is scrolled; absent at its end. */
  scroll: z.optional(z.object({ messageId: z.string(), offsetPx: z.number() })),
  /** Texts of other windows that `text` has taken the place of, to be offered. */
  others: z.optional(z.array(z.string())),
});
/** What a person left in the composer. */
export type Draft = Readonly<z.infer<typeof draftSchema>>;

export const EMPTY_DRAFT: Draft = { text: "", attached: [], queued: [] };

/** True for one that needs no file. */
export function isEmptyDraft(draft: Draft): boolean {
  return (
    draft.text === "" &&
    draft.attached.length === 0 &&
    draft.queued.length === 0 &&
    draft.editing === undefined &&
    draft.scroll === undefined &&
    (draft.others ?? []).length === 0
  );
}

/**
 * One draft with everything of several, the newest last: its text is shown, other texts are beside
 * it; attachments and waiting questions come together.
 */
export function mergeDrafts(drafts: readonly Draft[]): Draft {
  const shown = drafts.findLast((draft) => draft.text !== "");
  const text = shown?.text ?? "";
  // An edit goes with its own text only: other words must not replace the earlier question.
  const editing =
    shown === undefined
      ? drafts.findLast((draft) => draft.editing !== undefined)?.editing
      : shown.editing;
  const scroll = drafts.findLast((draft) => draft.scroll !== undefined)?.scroll;
  const others = otherTexts(
    text,
    drafts.flatMap((draft) => [
      ...(draft.others ?? []),
      ...(draft.editing === editing ? [] : [draft.editing?.parkedText ?? ""]),
      draft.text,
    ]),
  );
  return {
    text,
    attached: byId(drafts.flatMap(({ attached }) => attached)),
    queued: byId(drafts.flatMap(({ queued }) => queued)),
    ...(editing && { editing }),
    ...(scroll && { scroll }),
    ...(others.length > 0 && { others }),
  };
}

/** What of these texts would be lost if only `text` were kept; none that another one begins with. */
export function otherTexts(text: string, texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)];
  return distinct.filter(
    (one) =>
      one.trim() !== "" &&
      !text.startsWith(one) &&
      !distinct.some((other) => other !== one && other.startsWith(one)),
  );
}

/** The newest of each id, where the first one stood. */
function byId<T extends { readonly id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.id, one])).values()];
}
