/**
 * Messages about images. Bytes are sent unencoded, a single image per message. The webview requests
 * images by hash and gets those of its own conversation only.
 */
import * as z from "zod/mini";
import { messageType } from "./handlers";

export const idSchema = z.string().check(z.minLength(1), z.maxLength(64));

/** Largest image in a message, in bytes, in either direction. */
export const MAX_BRIDGE_PICTURE_BYTES = 64 * 1024 * 1024;

export const MAX_TILES = 64;

/** Maximum number of notes on an image. */
export const MAX_NOTES = 100;

/** Longest marks of an image, in UTF-16 units; an hour of freehand drawing is shorter. */
export const MAX_MARKS_LENGTH = 4 * 1024 * 1024;

export const bytesSchema = z
  .instanceof(Uint8Array<ArrayBufferLike>)
  .check(z.refine((bytes) => bytes.length <= MAX_BRIDGE_PICTURE_BYTES));
/** Part of a picture in a hover, where VS Code shows Markdown of at most 100,000 characters. */
export const MAX_CUT_OUT_BYTES = 64_000;
export const cutOutSchema = z
  .instanceof(Uint8Array<ArrayBufferLike>)
  .check(z.refine((bytes) => bytes.length <= MAX_CUT_OUT_BYTES));
export const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const nameSchema = z.string().check(z.maxLength(255));

/** Platform of the machine that shows VS Code. */
const clientPlatformSchema = z.enum(["mac", "windows", "linux", "other"]);
export type ClientPlatform = z.infer<typeof clientPlatformSchema>;

/** Area after cropping, in pixels of the attached picture. */
const areaShape = {
  x: z.number().check(z.int(), z.gte(0)),
  y: z.number().check(z.int(), z.gte(0)),
  widthPx: z.number(),
  heightPx: z.number(),
};

const copiedContentSchema = z.enum(["text", "table", "code"]);
export type CopiedContent = z.infer<typeof copiedContentSchema>;

export const pictureContentSchema = z.object({
  conversationId: z.string(),
  /** The content with marks around uncertain text, or the whole reply without a content. */
  text: z.string(),
  /** False if the reply has no such content. */
  isCopied: z.boolean(),
  uncertainCount: z.number(),
});
export type PictureContentView = z.infer<typeof pictureContentSchema>;

/** User actions on images, whose handlers are loaded late. */
export const pictureToHostSchemas = [
  /** Request: attaches a pasted or dropped image; answered once it is attached or refused. */
  messageType("picture-offered", {
    conversationId: idSchema,
    name: nameSchema,
    bytes: bytesSchema,
    /** False if the browser could not decode a PNG or JPEG. */
    isReadable: z.optional(z.boolean()),
  }),
  messageType("picture-drawn", {
    jobId: idSchema,
    index: z.number().check(z.int(), z.gte(0), z.lt(MAX_TILES)),
    count: z.number().check(z.int(), z.gte(1), z.lte(MAX_TILES)),
    bytes: bytesSchema,
    /** Position of a tile in the picture after cropping, in pixels. */
    x: z.optional(z.number().check(z.int(), z.gte(0))),
    y: z.optional(z.number().check(z.int(), z.gte(0))),
  }),
  /** Reports that the job cannot be drawn. */
  messageType("picture-not-drawn", { jobId: idSchema }),
  /** Request for the bytes of an image of this conversation. */
  messageType("picture-asked", { hash: hashSchema }),
  /** Changes how an image that is too large or marked is sent. */
  messageType("picture-fit-chosen", {
    conversationId: idSchema,
    attachmentId: idSchema,
    fit: z.enum(["whole", "tiles", "scaled"]),
  }),
  /**
   * A request: draws marks on a picture; answered when that is done. From here on the picture is sent
   * with these marks or not at all.
   */
  messageType("picture-marked", {
    conversationId: idSchema,
    attachmentId: idSchema,
    change: z.enum(["crop", "marked"]),
    /** JSON text that only the page reads. */
    marks: z.string().check(z.maxLength(MAX_MARKS_LENGTH)),
    ...areaShape,
    /** Choice for an image beyond the limits; missing for the default. */
    fit: z.optional(z.enum(["tiles", "scaled"])),
  }),
  /** Opens the conversation in an editor tab, with the picture editor over all of it. */
  messageType("picture-editor-asked", {
    conversationId: idSchema,
    attachmentId: idSchema,
  }),
  /**
   * The user asked for a screenshot. The page knows the platform of the machine that shows VS Code,
   * which can be another machine than the host's.
   */
  messageType("screenshot-asked", {
    conversationId: idSchema,
    platform: clientPlatformSchema,
  }),
  /** Web address of an image, sent as text and never fetched. */
  messageType("picture-address-attached", {
    conversationId: idSchema,
    url: z.string().check(z.maxLength(8192), z.regex(/^https?:\/\//i)),
  }),
  /** Sends an image of an earlier question with this question too. */
  messageType("picture-put-back", {
    conversationId: idSchema,
    messageId: idSchema,
    hash: hashSchema,
  }),
  /** Sends the question of a failed reply again without images, or with smaller ones. */
  messageType("picture-retry-asked", {
    messageId: idSchema,
    how: z.enum(["smaller", "without"]),
  }),
  /** Request: attaches an area of a picture of this conversation, at its own pixels. */
  messageType("picture-region-attached", {
    conversationId: idSchema,
    hash: hashSchema,
    /** Crop and marks, as JSON that only the page reads. */
    marks: z.string().check(z.maxLength(MAX_MARKS_LENGTH)),
    ...areaShape,
  }),
  messageType("picture-save-asked", { hash: hashSchema, name: nameSchema }),
  /**
   * Request: asks the vision model for the content of an area of a picture of this conversation and
   * copies the content. Answered by `content`.
   */
  messageType("picture-content-asked", {
    conversationId: idSchema,
    hash: hashSchema,
    content: copiedContentSchema,
    /** Crop and marks, as JSON that only the page reads. */
    marks: z.string().check(z.maxLength(MAX_MARKS_LENGTH)),
  }),
  /** Stops the reply to `picture-content-asked`. */
  messageType("picture-content-stopped", {}),
] as const;
export type PictureToHost = z.infer<(typeof pictureToHostSchemas)[number]>;

/** Drawing jobs; only the page can draw. */
export const pictureToViewSchemas = [
  messageType("picture-job", {
    jobId: z.string(),
    /**
     * `draw` makes an upright PNG or JPEG of the same size in pixels; `check` decodes the image and
     * answers with an empty tile.
     */
    fit: z.enum(["draw", "tiles", "scaled", "check"]),
    mediaType: z.string(),
    /** Marks to draw first, from `picture-marked`. */
    marks: z.optional(z.string()),
    maxSidePx: z.number(),
    maxBytes: z.number(),
    bytes: bytesSchema,
  }),
  messageType("picture-editor-opened", {
    attachmentId: z.string(),
  }),
  /** A command takes a screenshot; the page answers with `screenshot-asked`. */
  messageType("screenshot-wanted", {}),
  /** Asks the page to attach the image on the clipboard, which only the page can read. */
  messageType("clipboard-picture-asked", {}),
] as const;

/** Images in replies to requests of the webview. */
export const pictureReplySchema = z.object({ mediaType: z.string(), bytes: bytesSchema });
