/**
 * Receives an event stream and yields its content, at most a `reasoning-delta` and a `text-delta` for
 * each network read.
 */
import type { ReplyDecoder } from "./chatCompletions";
import { NO_CONTENT, type DecodedBytes } from "./decodeStream";
import {
  readingFailure,
  type Reader,
  type ResponseEvents,
  type ResponseOptions,
} from "./bodyReader";
import { StillWaiting } from "./idleTimeout";
import type { ServiceEvent, ServiceFailure } from "./types";

/** Longest wait for usage and `[DONE]` after a certain finish reason, in milliseconds. */
const AFTER_FINISH_MS = 2000;

/** Reads an event stream whose first bytes are `head`; ends like `readResponse`. */
export async function* readSseResponse(
  reader: Reader,
  head: Uint8Array,
  to: ResponseOptions,
): ResponseEvents {
  const decoder = to.wire.decoder(to.redact);
  let decoded: DecodedBytes | undefined = decoder.push(head);
  let hasText = false;
  let isThinkingFirst = false;
  let broken: ServiceFailure | undefined;
  while (decoded !== undefined) {
    hasText ||= decoded.text + decoded.reasoning !== "" || decoded.pictures.length > 0;
    isThinkingFirst ||= decoded.isEarlierTextReasoning;
    yield* contentEvents(decoded);
    if (decoder.ending !== undefined) break;
    if (!decoder.isSurelyFinished()) to.watch.begin("silence", to.silenceTimeoutMs);
    else to.watch.begin("silence", Math.min(AFTER_FINISH_MS, to.silenceTimeoutMs || Infinity));
    try {
      const content = readContent(reader, decoder, to);
      let outcome = await to.watch.wait(content);
      while (outcome instanceof StillWaiting) {
        yield { type: "still-waiting", forMs: outcome.forMs };
        outcome = await to.watch.wait(content);
      }
      decoded = outcome;
    } catch (error) {
      broken = readingFailure(error, to, hasText);
      break;
    }
  }
  const lastContent = decoder.finish();
  isThinkingFirst ||= lastContent.isEarlierTextReasoning;
  yield* contentEvents(lastContent);
  // A reason that may be in every block proves an end only if the body ended too.
  const isUnproven = broken !== undefined && decoder.ending === undefined;
  if (isUnproven && decoder.isFinished && !decoder.isSurelyFinished()) return broken;
  const failure = decoder.endOfBytes();
  if (failure !== undefined) {
    // A timeout or a failed decompression is more specific than "truncated". A limit or an error of
    // the service is more specific still.
    const isCutOff = failure.kind === "truncated" || failure.kind === "unreadable";
    return isCutOff && broken !== undefined && broken.kind !== "truncated" ? broken : failure;
  }
  if (hasText) to.onThinkingFirst?.(isThinkingFirst);
  const calls = decoder.toolCalls();
  if (calls.length > 0) yield { type: "tool-calls", calls };
  const damagedEvents = decoder.damagedEvents;
  yield { type: "reply-ended", finishReason: decoder.finishReason, damagedEvents };
  return undefined;
}

function* contentEvents(decoded: DecodedBytes): Generator<ServiceEvent, void, void> {
  const { isEarlierTextReasoning, reasoning, text, pictures, usage } = decoded;
  if (isEarlierTextReasoning) yield { type: "text-was-reasoning" };
  if (reasoning !== "") yield { type: "reasoning-delta", text: reasoning };
  if (text !== "") yield { type: "text-delta", text };
  for (const url of pictures) yield { type: "picture", url };
  if (usage !== undefined) yield { type: "usage", usage };
}

/**
 * Reads and decodes until there is content to yield; undefined at the end of the body. A single
 * promise covers all reads in between. A read may be a single byte, and resuming the generator for
 * each read costs more than decoding.
 */
function readContent(
  reader: Reader,
  decoder: ReplyDecoder,
  to: ResponseOptions,
): Promise<DecodedBytes | undefined> {
  return new Promise((resolve, reject) => {
    const fail: (error: Error) => void = reject;
    const isFinishing = decoder.isSurelyFinished();
    const readNext = (): void => {
      reader.read().then(onRead, fail);
    };
    const onRead = ({ value }: { value?: Uint8Array | undefined }): void => {
      // Errors are passed to `reject`: no code awaits the promise of this `then`.
      try {
        if (value === undefined) {
          resolve(undefined);
          return;
        }
        to.received?.(value);
        const decoded = decoder.push(value);
        if (decoded !== NO_CONTENT || decoder.ending !== undefined) {
          resolve(decoded);
        } else if (isFinishing) {
          readNext(); // comments do not extend the wait after a finish reason
        } else if (!decoder.isSurelyFinished()) {
          to.watch.restart();
          readNext();
        } else {
          resolve(decoded);
        }
      } catch (error) {
        fail(error as Error);
      }
    };
    readNext();
  });
}
