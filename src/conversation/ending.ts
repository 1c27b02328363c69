/**
 * Ending of a turn. Each turn ends exactly once. `failed` contains the data of the error message, which
 * `host` writes.
 */
import * as z from "zod/mini";

/** Returns the schema of a variant of a union, with its fields. */
export function variant<const Kind extends string, Fields extends z.core.$ZodShape>(
  kind: Kind,
  fields: Fields,
) {
  return z.object({ kind: z.literal(kind), ...fields });
}

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
  variant("no-service", {}),
  variant("bad-url", { problem: z.string() }),
  variant("no-key", { origin: z.string() }),
  /** The organization's policy cannot be used, or changed before the request was sent. */
  variant("bad-policy", { path: z.string(), problem: z.string() }),
  /** The command of the setting `apiKeyCommand` gave no key. */
  variant("key-command", { problem: z.string() }),
  /** The conversation's profile is no longer in the settings. */
  variant("no-profile", { profile: z.string() }),
  /** A header with a secret value has no value yet. */
  variant("no-header", { origin: z.string(), header: z.string() }),
  variant("unauthorized", {
    host: z.string(),
    message: z.string(),
    /** True if no key is stored for the service, which is then on loopback. */
    isKeyMissing: z.optional(z.boolean()),
  }),
  variant("unreachable", { host: z.string(), cause: networkCause }),
  variant("timed-out", {
    phase: z.enum(["connect", "first-byte", "silence"]),
    limitMs: z.number(),
  }),
  variant("rate-limited", {
    message: z.string(),
    retryAfterMs: z.optional(z.number()),
  }),
  /** The account has no credit left; waiting does not help. */
  variant("quota", { message: z.string() }),
  /** The messages have more tokens than the model reads. */
  variant("too-long", {
    message: z.string(),
    /** True for a request without earlier messages. */
    isOnlyQuestion: z.optional(z.boolean()),
  }),
  variant("redirected", { host: z.string() }),
  variant("too-large", {
    message: z.string(),
    /** Pictures of the request, in order; a picture by address has no known size. */
    pictures: z.optional(z.array(sentPicture)),
    /** True if the pictures were too large for any request, so nothing was sent. */
    isUnsent: z.optional(z.boolean()),
  }),
  /** A picture of a question cannot be read, so nothing was sent. */
  variant("picture-lost", { name: z.string(), loss: pictureLoss }),
  variant("rejected", {
    status: z.number(),
    url: z.string(),
    message: z.string(),
    about: z.optional(subject),
  }),
  variant("server", {
    status: z.number(),
    message: z.string(),
    retryAfterMs: z.optional(z.number()),
  }),
  variant("reported", { message: z.string(), about: z.optional(subject) }),
  /** A reply of another protocol, or text of a gateway; `message` is its beginning. */
  variant("foreign", { message: z.string() }),
  variant("malformed", {
    what: z.enum(["web-page", "empty", "no-text", "only-thinking", "unreadable"]),
  }),
  variant("over-limit", {
    limit: z.enum(["event-bytes", "text-bytes", "body-bytes", "headers"]),
    maxBytes: z.number(),
  }),
  variant("truncated", {}),
  /** The window was closed or terminated during the reply. */
  variant("interrupted", {}),
  /** The request violates the specification; `problem` names the field. */
  variant("bad-request", { problem: z.string() }),
  /** A bug in Core Chat; `name` is the error's class, never its message. */
  variant("internal", { name: z.optional(z.string()) }),
]);
export type Failure = z.infer<typeof failureSchema>;

/** Kind of an ending, with the failure of `failed`. */
export const endingSchema = z.discriminatedUnion("kind", [
  variant("complete", {}),
  variant("cut-short", {}),
  /** `isTextKept` is the `contentFilter` setting at the end of the reply. */
  variant("withheld", { isTextKept: z.boolean() }),
  variant("tool-calls", {}),
  variant("stopped", {}),
  variant("failed", { failure: failureSchema }),
]);
export type Ending = z.infer<typeof endingSchema>;
