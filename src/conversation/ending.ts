/**
 * Ending of a turn. Each turn ends exactly once. `failed` contains the data of the error message, which
 * `host` writes.
 */
import * as z from "zod/mini";

/** Cause of a failed connection, as far as known. */
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

/** Setting or field that caused a service's error, if the error names it. */
const subject = z.enum(["key", "model", "tools"]);

/** Picture in an error message. */
const sentPicture = z.object({ name: z.string(), bytes: z.optional(z.number()) });
export type SentPicture = z.infer<typeof sentPicture>;

/** Cause of a stored picture's failed read. */
const pictureLoss = z.enum(["missing", "damaged", "unreadable"]);
export type PictureLoss = z.infer<typeof pictureLoss>;

/**
 * Failures, separated by the user's possible action. `message` is text of the service: plain, at most
 * 300 characters, without the key.
 */
export const failureSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("no-service") }),
  z.object({ kind: z.literal("bad-url"), problem: z.string() }),
  z.object({ kind: z.literal("no-key"), origin: z.string() }),
  /** The organization's policy cannot be used, or changed before the request was sent. */
  z.object({ kind: z.literal("bad-policy"), path: z.string(), problem: z.string() }),
  /** The command of the setting `apiKeyCommand` gave no key. */
  z.object({ kind: z.literal("key-command"), problem: z.string() }),
  /** The conversation's profile is no longer in the settings. */
  z.object({ kind: z.literal("no-profile"), profile: z.string() }),
  /** A header with a secret value has no value yet. */
  z.object({ kind: z.literal("no-header"), origin: z.string(), header: z.string() }),
  z.object({
    kind: z.literal("unauthorized"),
    host: z.string(),
    message: z.string(),
    /** True if no key is stored for the service, which is then on loopback. */
    isKeyMissing: z.optional(z.boolean()),
  }),
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
  /** The account has no credit left; waiting does not help. */
  z.object({ kind: z.literal("quota"), message: z.string() }),
  /** The messages have more tokens than the model reads. */
  z.object({
    kind: z.literal("too-long"),
    message: z.string(),
    /** True for a request without earlier messages. */
    isOnlyQuestion: z.optional(z.boolean()),
  }),
  z.object({ kind: z.literal("redirected"), host: z.string() }),
  z.object({
    kind: z.literal("too-large"),
    message: z.string(),
    /** Pictures of the request, in order; a picture by address has no known size. */
    pictures: z.optional(z.array(sentPicture)),
    /** True if the pictures were too large for any request, so nothing was sent. */
    isUnsent: z.optional(z.boolean()),
  }),
  /** A picture of a question cannot be read, so nothing was sent. */
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
  /** A reply of another protocol, or text of a gateway; `message` is its beginning. */
  z.object({ kind: z.literal("foreign"), message: z.string() }),
  z.object({
    kind: z.literal("malformed"),
    what: z.enum(["web-page", "empty", "no-text", "only-thinking", "unreadable"]),
  }),
  z.object({
    kind: z.literal("over-limit"),
    limit: z.enum(["event-bytes", "text-bytes", "body-bytes", "headers"]),
    maxBytes: z.number(),
  }),
  z.object({ kind: z.literal("truncated") }),
  /** The window was closed or terminated during the reply. */
  z.object({ kind: z.literal("interrupted") }),
  /** The request violates the specification; `problem` names the field. */
  z.object({ kind: z.literal("bad-request"), problem: z.string() }),
  /** A bug in Core Chat; `name` is the error's class, never its message. */
  z.object({ kind: z.literal("internal"), name: z.optional(z.string()) }),
]);
export type Failure = z.infer<typeof failureSchema>;

/** Kind of an ending, with the failure of `failed`. */
export const endingSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("complete") }),
  z.object({ kind: z.literal("cut-short") }),
  /** `isTextKept` is the `contentFilter` setting at the end of the reply. */
  z.object({ kind: z.literal("withheld"), isTextKept: z.boolean() }),
  z.object({ kind: z.literal("tool-calls") }),
  z.object({ kind: z.literal("stopped") }),
  z.object({ kind: z.literal("failed"), failure: failureSchema }),
]);
export type Ending = z.infer<typeof endingSchema>;
