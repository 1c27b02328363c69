/**
 * Formats an exchange as a recording, which a user attaches to a report about a strange service and
 * which the reference service plays (`npm run service -- --play FILE`).
 */
import { toBase64 } from "../../base/base64";
import { concatBytes } from "../../base/concatBytes";
import { diagnosticHeaders } from "./requestDocument";
import type { ReceivedBlock, RequestRecord } from "./requestLog";

/** Version of the format; test/service/recording.ts reads it. */
const VERSION = 1;

/** JSON members whose strings belong to the protocol; the strings of all others are texts. */
const PROTOCOL_MEMBERS = new Set([
  "code",
  "finish_reason",
  "message", // of an error; in a choice it is an object
  "model",
  "native_finish_reason",
  "object",
  "role",
  "status",
  "stop_reason",
  "type",
]);

/** Escape, quote or other text of JSON. */
const JSON_PIECE = /\\[^]|"|[^"\\]+/g;

/** In a JSON string: parts that stay, then escapes, letters and digits. */
const TEXT_PART =
  /<[/|]?[a-z_]{1,24}|data:[a-z]{1,12}\/[a-z.+-]{1,24};base64,|\\u[0-9a-f]{4}|\\.|\p{L}|\p{N}/giu;

/**
 * Returns the recording as JSON; undefined if the reply was not kept.
 * @param isWithoutTexts replaces letters and digits of the texts on both sides; the length of every
 *   block and the place of every cut stay
 * @param redact removes keys
 */
export function recordingOf(
  { url, headers, body, answer, reply, ending }: RequestRecord,
  isWithoutTexts: boolean,
  redact: (text: string) => string,
): string | undefined {
  if (reply === undefined) return undefined;
  const ownHeaders = Object.entries(headers).filter(([name]) => name !== "authorization");
  const recording = {
    version: VERSION,
    request: {
      path: new URL(url).pathname,
      headers: Object.fromEntries(ownHeaders),
      body: isWithoutTexts && body !== undefined ? withoutTexts(body) : body,
    },
    response: answer && {
      status: answer.status,
      headers: Object.fromEntries(diagnosticHeaders(answer.headers)),
      afterMs: Math.round(answer.afterMs),
      blocks: blocksOf(reply, isWithoutTexts, redact),
    },
    failure: ending?.failure?.kind,
  };
  return `${redact(JSON.stringify(recording, undefined, 2))}\n`;
}

interface RecordedBlock {
  readonly afterMs: number;
  readonly text?: string;
  /** Instead of `text`, for bytes that are no whole UTF-8 characters. */
  readonly base64?: string;
}

function blocksOf(
  reply: readonly ReceivedBlock[],
  isWithoutTexts: boolean,
  redact: (text: string) => string,
): RecordedBlock[] {
  const bytes = concatBytes(reply.map((block) => block.bytes));
  const received = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const text = isWithoutTexts ? withoutTexts(received) : received;
  const cleaned = isWithoutTexts ? new TextEncoder().encode(text) : bytes;
  const last = reply.at(-1)?.afterMs ?? 0;
  // The end of a block may divide a key, and bytes that are no UTF-8 do not keep their length.
  if (cleaned.byteLength !== bytes.byteLength || redact(text) !== text) {
    return [{ afterMs: Math.round(last), text }];
  }
  let start = 0;
  return reply.map((block) => {
    const part = cleaned.subarray(start, (start += block.bytes.byteLength));
    return { afterMs: Math.round(block.afterMs), ...textOrBase64(part) };
  });
}

function textOrBase64(bytes: Uint8Array): Omit<RecordedBlock, "afterMs"> {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: toBase64(bytes) };
  }
}

/** Replaces letters and digits in the texts of a JSON text or stream; keeps its length in UTF-8. */
function withoutTexts(json: string): string {
  const result: string[] = [];
  /** Pieces of the string in progress. */
  let inside: string[] | undefined;
  let name = "";
  const addString = (text: string, isName: boolean) => {
    const isKept = isName || PROTOCOL_MEMBERS.has(name);
    result.push(isKept ? text : text.replace(TEXT_PART, replacementOf));
    if (isName) name = text;
  };
  for (const { 0: piece, index } of json.matchAll(JSON_PIECE)) {
    if (piece !== '"') (inside ?? result).push(piece);
    else {
      if (inside)
        addString(inside.join(""), /^\s{0,100}:/.test(json.slice(index + 1, index + 102)));
      result.push(piece);
      inside = inside ? undefined : [];
    }
  }
  if (inside) addString(inside.join(""), false);
  return result.join("");
}

function replacementOf(part: string): string {
  if (part.startsWith("<") || part.startsWith("data:")) return part;
  if (part.startsWith("\\u")) return part < "\\u0080" ? "\\u0078" : "\\u5b57";
  if (part.startsWith("\\")) return part;
  if (/^\d$/.test(part)) return "0";
  const [, one, two, three, four] = ["", "x", "é", "字", "𝐱"];
  const size = new TextEncoder().encode(part).byteLength;
  return [one, two, three, four][size - 1] ?? "x";
}
