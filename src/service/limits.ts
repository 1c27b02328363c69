/**
 * Limits on the data that a server can send. A reply that exceeds a limit ends as `limit` and keeps the
 * text before it.
 */
import type { ReplyLimit, ServiceFailure } from "./types";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Longest event of a stream: 8 MiB of content and its frame. */
export const MAX_EVENT_BYTES = 8 * MIB + 64 * KIB;

/** Longest text of a reply, in UTF-8 bytes, arguments of tool calls included. */
export const MAX_TEXT_BYTES = 16 * MIB;

/** Longest part of a stream without any text, decompressed; stops endless comments. */
export const MAX_BYTES_WITHOUT_TEXT = 64 * MIB;

export const MAX_DAMAGED_EVENTS = 10_000;

/** Maximum number of consecutive lines without text that are no field of an event stream. */
export const MAX_UNKNOWN_LINES = 10_000;

/** Longest whole completion, decompressed: 16 MiB of text with every character escaped. */
export const MAX_JSON_BYTES = 34 * MIB;

/** Longest part of a failure's body that is read. */
export const MAX_FAILURE_BYTES = 2 * MIB;

/** Maximum number of names and of bytes of a response's headers. */
export const MAX_HEADER_NAMES = 200;
export const MAX_HEADER_BYTES = 64 * KIB;

const NAMED_BYTES: Readonly<Record<ReplyLimit, number>> = {
  "event-bytes": 8 * MIB,
  "text-bytes": MAX_TEXT_BYTES,
  "body-bytes": MAX_BYTES_WITHOUT_TEXT,
  headers: MAX_HEADER_BYTES,
};

/** Returns the failure for an exceeded limit; `maxBytes` is shown to the user. */
export function limitFailure(limit: ReplyLimit, maxBytes = NAMED_BYTES[limit]): ServiceFailure {
  return { kind: "limit", limit, maxBytes };
}

/** Upper limit of the pictures of a reply; further ones are only counted. */
export const MAX_REPLY_PICTURES = 16;
