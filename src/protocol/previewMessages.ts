/** Messages between host and the page of a preview, and the data that the host writes into the page. */
import * as z from "zod/mini";
import { pictureNoteSchema } from "../pointing/pictureNote";
import { MAX_BRIDGE_PICTURE_BYTES, MAX_NOTES } from "./pictureMessages";

/** Limits of the list of what a preview leaves out, and of an address in it, in UTF-16 units. */
export const MAX_LEFT_OUT = 50;
export const MAX_ADDRESS_LENGTH = 200;

const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const bytesSchema = z
  .instanceof(Uint8Array<ArrayBufferLike>)
  .check(z.refine((bytes) => bytes.length <= MAX_BRIDGE_PICTURE_BYTES));

/** Picture of the conversation with which a preview can be compared. */
const previewOriginalSchema = z.object({
  hash: hashSchema,
  name: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
});
export type PreviewOriginal = z.infer<typeof previewOriginalSchema>;

/** State of a preview. */
export const previewStateSchema = z.object({
  /** Identifies the preview, so that the page restores its own choices only. */
  id: z.string(),
  code: z.object({
    kind: z.enum(["html", "svg"]),
    markup: z.string(),
    styles: z.array(z.string()),
    /** True if other blocks have scripts for the page, which do not run. */
    hasScripts: z.boolean(),
  }),
  /** Pictures of the conversation, the best for a comparison first. */
  originals: z.array(previewOriginalSchema),
  /** By the hash of an original: the numbers of differences of the pages that were compared before. */
  rounds: z.record(z.string(), z.array(z.number())),
});
export type PreviewState = z.infer<typeof previewStateSchema>;

const pictureNotesSchema = z.array(pictureNoteSchema).check(z.maxLength(MAX_NOTES));

/** User actions in a preview. */
export const fromPreviewSchema = z.discriminatedUnion("type", [
  /** Request for the bytes of an original. */
  z.object({ type: z.literal("original-asked"), hash: hashSchema }),
  /** The number of differences between an original and the preview. */
  z.object({
    type: z.literal("differences-counted"),
    hash: hashSchema,
    count: z.number().check(z.nonnegative()),
  }),
  /** Attaches an original and the picture of the preview to the next question. */
  z.object({
    type: z.literal("comparison-attached"),
    hash: hashSchema,
    png: bytesSchema,
    /** Numbered differences, in the pixels of each picture. */
    notes: z.object({ original: pictureNotesSchema, preview: pictureNotesSchema }),
    /** Addresses that the page would load and the picture does not show. */
    leftOut: z
      .array(z.string().check(z.regex(/^\S+$/), z.maxLength(MAX_ADDRESS_LENGTH)))
      .check(z.maxLength(MAX_LEFT_OUT)),
  }),
  /** Reports an error of the page; logged by name only. */
  z.object({ type: z.literal("preview-failed"), where: z.string().check(z.maxLength(200)) }),
]);
export type FromPreview = z.infer<typeof fromPreviewSchema>;

/** Reply to `original-asked`; without a picture if the picture cannot be read. */
export const originalReplySchema = z.object({
  picture: z.optional(z.object({ mediaType: z.string(), bytes: bytesSchema })),
});
export type OriginalReply = z.infer<typeof originalReplySchema>;
