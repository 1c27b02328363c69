/**
 * The bridge's messages about pictures. Bytes cross as they are, one picture a message; the view
 * names pictures by their hash and is given those of its own conversation only.
 */
import * as z from "zod/mini";

const idSchema = z.string().check(z.minLength(1), z.maxLength(64));

/** Most bytes of one picture on the bridge, either way. */
export const MAX_BRIDGE_PICTURE_BYTES = 64 * 1024 * 1024;

/** Most pieces one picture is cut into. */
export const MAX_TILES = 64;

/** Longest marks of one picture, in UTF-16 units; a freehand line of an hour stays below it. */
export const MAX_MARKS_LENGTH = 4 * 1024 * 1024;

const bytesSchema = z
  .instanceof(Uint8Array<ArrayBufferLike>)
  .check(z.refine((bytes) => bytes.length <= MAX_BRIDGE_PICTURE_BYTES));
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const nameSchema = z.string().check(z.maxLength(255));

/** What the person did with pictures. */
export const pictureToHostSchemas = [
  /** A request: pasted or dropped; answered when it is attached or refused. */
  z.object({
    type: z.literal("picture-offered"),
    conversationId: idSchema,
    name: nameSchema,
    bytes: bytesSchema,
    /** False where the browser could not decode a PNG or JPEG. */
    isReadable: z.optional(z.boolean()),
  }),
  /** One piece of what `picture-job` asked to be drawn. */
  z.object({
    type: z.literal("picture-drawn"),
    jobId: idSchema,
    index: z.number().check(z.int(), z.gte(0), z.lt(MAX_TILES)),
    count: z.number().check(z.int(), z.gte(1), z.lte(MAX_TILES)),
    bytes: bytesSchema,
    /** Position of a tile in the picture after cropping, in pixels. */
    x: z.optional(z.number().check(z.int(), z.gte(0))),
    y: z.optional(z.number().check(z.int(), z.gte(0))),
  }),
  /** It cannot be drawn. */
  z.object({ type: z.literal("picture-not-drawn"), jobId: idSchema }),
  /** A request for the bytes of a picture of this conversation. */
  z.object({ type: z.literal("picture-asked"), hash: hashSchema }),
  /** Another way to send a picture that is too large, or the whole of one that was marked up. */
  z.object({
    type: z.literal("picture-fit-chosen"),
    conversationId: idSchema,
    attachmentId: idSchema,
    fit: z.enum(["whole", "tiles", "scaled"]),
  }),
  /**
   * A request: draws marks on a picture; answered when that is done. From here on the picture is sent
   * with these marks or not at all.
   */
  z.object({
    type: z.literal("picture-marked"),
    conversationId: idSchema,
    attachmentId: idSchema,
    change: z.enum(["crop", "marked"]),
    /** JSON text; the host hands it back to the page and does not look into it. */
    marks: z.string().check(z.maxLength(MAX_MARKS_LENGTH)),
    /** Size of what the crop leaves, in pixels. */
    widthPx: z.number(),
    heightPx: z.number(),
    /** How it is sent where it is beyond the limits; absent for the usual way. */
    fit: z.optional(z.enum(["tiles", "scaled"])),
  }),
  /** The button "Attach". */
  z.object({ type: z.literal("files-asked"), conversationId: idSchema }),
  /** Dropped from VS Code; the host looks at where they are before it reads any. */
  z.object({
    type: z.literal("files-dropped"),
    conversationId: idSchema,
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(100)),
  }),
  /** A web address of a picture; it travels as it is. */
  z.object({
    type: z.literal("picture-address-attached"),
    conversationId: idSchema,
    url: z.string().check(z.maxLength(8192), z.regex(/^https?:\/\//i)),
  }),
  /** A picture of an earlier question goes with this one too. */
  z.object({
    type: z.literal("picture-put-back"),
    conversationId: idSchema,
    messageId: idSchema,
    hash: hashSchema,
  }),
  /** After a reply that failed over pictures: its question again, with less of them. */
  z.object({
    type: z.literal("picture-retry-asked"),
    messageId: idSchema,
    how: z.enum(["smaller", "without", "remove"]),
    /** The one to remove: its index among the names of `pictureRetry`, older ones last. */
    index: z.optional(z.number().check(z.int(), z.gte(0), z.lte(1000))),
  }),
  z.object({ type: z.literal("picture-save-asked"), hash: hashSchema, name: nameSchema }),
] as const;

/** What is asked of the page, which alone can draw. */
export const pictureToViewSchemas = [
  z.object({
    type: z.literal("picture-job"),
    seq: z.number(),
    jobId: z.string(),
    /**
     * `draw` makes an upright PNG or JPEG of it, whole and in its own pixels; `check` decodes it and
     * answers with one empty piece.
     */
    fit: z.enum(["draw", "tiles", "scaled", "check"]),
    mediaType: z.string(),
    /** Marks to draw first, as `picture-marked` brought them. */
    marks: z.optional(z.string()),
    /** Orientation as EXIF counts (1 to 8), where the browser does not apply it itself. */
    orientation: z.optional(z.number()),
    maxSidePx: z.number(),
    maxBytes: z.number(),
    bytes: bytesSchema,
  }),
  /** The command "Ask About Clipboard Image": only the page can read it. */
  z.object({ type: z.literal("clipboard-picture-asked"), seq: z.number() }),
] as const;

/** Pictures in an answer to a request of the view. */
export const pictureReplySchema = z.object({ mediaType: z.string(), bytes: bytesSchema });
