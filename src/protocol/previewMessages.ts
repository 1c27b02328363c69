/** Messages between host and the page of a preview, and the data that the host writes into the page. */
import * as z from "zod/mini";
import { messageType } from "./handlers";
import { bytesSchema, hashSchema } from "./pictureMessages";

/** Limits of the list of what a preview leaves out, and of an address in it, in UTF-16 units. */
export const MAX_LEFT_OUT = 50;
export const MAX_ADDRESS_LENGTH = 200;

/** Picture of the conversation with which a preview can be compared. */
const previewOriginalSchema = z.object({
  hash: hashSchema,
  name: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
});
export type PreviewOriginal = z.infer<typeof previewOriginalSchema>;

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
});
export type PreviewState = z.infer<typeof previewStateSchema>;

/** User actions in a preview. */
export const fromPreviewSchema = z.discriminatedUnion("type", [
  /** Request for the bytes of an original. */
  messageType("original-asked", { hash: hashSchema }),
  /** Attaches an original and the picture of the preview to the next question. */
  messageType("comparison-attached", {
    hash: hashSchema,
    png: bytesSchema,
    /** Addresses that the page would load and the picture does not show. */
    leftOut: z
      .array(z.string().check(z.regex(/^\S+$/), z.maxLength(MAX_ADDRESS_LENGTH)))
      .check(z.maxLength(MAX_LEFT_OUT)),
  }),
  /** Reports an error of the page; logged by name only. */
  messageType("preview-failed", { where: z.string().check(z.maxLength(200)) }),
]);
export type FromPreview = z.infer<typeof fromPreviewSchema>;

/** Reply to `original-asked`; without a picture if the picture cannot be read. */
export const originalReplySchema = z.object({
  picture: z.optional(z.object({ mediaType: z.string(), bytes: bytesSchema })),
});
export type OriginalReply = z.infer<typeof originalReplySchema>;
