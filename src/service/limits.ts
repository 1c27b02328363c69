/**
 * The caps on what a server may make us take in. A reply that meets one ends as `limit`, with the
 * text that came before.
 */
import type { ReplyLimit, ServiceFailure } from "./types";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Longest event of a stream; a little above 8 MiB, so that 8 MiB of content fit with its frame. */
export const MAX_EVENT_BYTES = 8 * MIB + 64 * KIB;

/** Most text of one reply, in UTF-8 bytes, arguments of tool calls included. */
export const MAX_TEXT_BYTES = 16 * MIB;

/** Most bytes of a stream, decompressed, that bring no text at all; stops bombs of comments. */
export const MAX_BARREN_BYTES = 64 * MIB;

/** Most events that are skipped as damaged; a stream of nothing else only burns time. */
export const MAX_DAMAGED_EVENTS = 10_000;

/** Most lines in a row, without any text between them, that are no field of an event stream. */
export const MAX_UNKNOWN_LINES = 10_000;

/** Longest whole completion, decompressed: 16 MiB of text with every character escaped. */
export const MAX_JSON_BYTES = 34 * MIB;

/** How much of a failure's body is read; the rest is thrown away. */
export const MAX_FAILURE_BYTES = 2 * MIB;

/** Most names and most bytes of a response's headers. */
export const MAX_HEADER_NAMES = 200;
export const MAX_HEADER_BYTES = 64 * KIB;

const NAMED_BYTES: Readonly<Record<ReplyLimit, number>> = {
  "event-bytes": 8 * MIB,
  "text-bytes": MAX_TEXT_BYTES,
  "body-bytes": MAX_BARREN_BYTES,
  headers: MAX_HEADER_BYTES,
};

/** The failure for a cap that was met; `maxBytes` is what a person is told. */
export function limitMet(limit: ReplyLimit, maxBytes = NAMED_BYTES[limit]): ServiceFailure {
  return { kind: "limit", limit, maxBytes };
}
