/**
 * How a turn ends: exactly once, by one of six names. `failed` carries what a person can do
 * something about; the sentence for it is made in `host`.
 */
import * as z from "zod/mini";

/** Why the connection failed, as far as it is known. */
const networkCause = z.enum([
  "refused",
  "dns",
  "reset",
  "tls-expired",
  "tls-self-signed",
  "tls-wrong-name",
  "tls-unknown-issuer",
  "tls",
  "proxy",
  "bad-response",
  "browser",
  "other",
]);

/** The setting that a service's error is about, where it says so. */
const subject = z.enum(["key", "model"]);

/** A picture as a sentence can name it. */
const sentPicture = z.object({ name: z.string(), bytes: z.optional(z.number()) });
export type SentPicture = z.infer<typeof sentPicture>;

/** Why a stored picture could not be read as it was stored. */
const pictureLoss = z.enum(["missing", "damaged", "unreadable"]);
export type PictureLoss = z.infer<typeof pictureLoss>;

/**
 * What went wrong, by what the user can do. `message` is the service's own words: plain text, at
 * most 300 characters, no key in it.
 */
export const failureSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("no-service") }),
  z.object({ kind: z.literal("bad-url"), problem: z.string() }),
  z.object({ kind: z.literal("no-key"), origin: z.string() }),
  /** The conversation's profile is not in the settings any more. */
  z.object({ kind: z.literal("no-profile"), profile: z.string() }),
  /** A header whose value is kept as a secret has none yet. */
  z.object({ kind: z.literal("no-header"), origin: z.string(), header: z.string() }),
  z.object({ kind: z.literal("unauthorized"), host: z.string(), message: z.string() }),
  z.object({ kind: z.literal("unreachable"), host: z.string(), cause: networkCause }),
  z.object({
    kind: z.literal("timed-out"),
    phase: z.enum(["connect", "first-byte", "silence"]),
    limitMs: z.number(),
  }),
  z.object({
    kind: z.literal("rate-limited"),
    message: z.string(),
    retryAfterMs: z.optional(z.number()),
  }),
  z.object({ kind: z.literal("redirected"), host: z.string() }),
  z.object({
    kind: z.literal("too-large"),
    message: z.string(),
    /** The pictures that went along, in their order; an address has no size that we know. */
    pictures: z.optional(z.array(sentPicture)),
    /** True if the pictures were too large for any request, so nothing was sent. */
    isUnsent: z.optional(z.boolean()),
  }),
  /** A picture of the question or of an earlier one is not there to be sent; nothing was. */
  z.object({ kind: z.literal("picture-lost"), name: z.string(), loss: pictureLoss }),
  z.object({
    kind: z.literal("rejected"),
    status: z.number(),
    url: z.string(),
    message: z.string(),
    about: z.optional(subject),
  }),
  z.object({
    kind: z.literal("server"),
    status: z.number(),
    message: z.string(),
    retryAfterMs: z.optional(z.number()),
  }),
  z.object({ kind: z.literal("reported"), message: z.string(), about: z.optional(subject) }),
  z.object({
    kind: z.literal("malformed"),
    what: z.enum(["web-page", "empty", "no-text", "unreadable"]),
  }),
  z.object({
    kind: z.literal("over-limit"),
    limit: z.enum(["event-bytes", "text-bytes", "body-bytes", "headers"]),
    maxBytes: z.number(),
  }),
  z.object({ kind: z.literal("truncated") }),
  /** The window was closed or killed while the reply was coming. */
  z.object({ kind: z.literal("interrupted") }),
  /** A request that the specification does not allow; `problem` names the field. */
  z.object({ kind: z.literal("bad-request"), problem: z.string() }),
  /** A mistake of ours; `name` is the error's class, never its message. */
  z.object({ kind: z.literal("internal"), name: z.optional(z.string()) }),
]);
export type Failure = z.infer<typeof failureSchema>;

/** The name of an ending, and for `failed` the reason. */
export const endingSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("complete") }),
  z.object({ kind: z.literal("cut-short") }),
  /** `isTextKept` is what the `contentFilter` setting said when the reply ended. */
  z.object({ kind: z.literal("withheld"), isTextKept: z.boolean() }),
  z.object({ kind: z.literal("tool-calls") }),
  z.object({ kind: z.literal("stopped") }),
  z.object({ kind: z.literal("failed"), failure: failureSchema }),
]);
export type Ending = z.infer<typeof endingSchema>;
