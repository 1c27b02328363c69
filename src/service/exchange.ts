/**
 * What the client tells about each exchange with the service, for an inspector or a log. Keys are
 * already out of everything here; the conversation itself is in `body` and must not be logged.
 */
import type { ServiceFailure } from "./types";

/** One fact about one exchange; every try is an exchange of its own. */
export type ExchangeEvent = { readonly exchangeId: number } & (
  | {
      readonly type: "exchange-started";
      readonly atMs: number;
      readonly attempt: number;
      readonly url: string;
      /** As sent, `authorization` masked. */
      readonly headers: Readonly<Record<string, string>>;
      /** The JSON as sent, pictures included. */
      readonly body: string;
    }
  | {
      readonly type: "exchange-answered";
      /** Milliseconds since the start, here and below. */
      readonly afterMs: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: "exchange-received"; readonly afterMs: number; readonly bytes: number }
  | {
      readonly type: "exchange-ended";
      readonly afterMs: number;
      /** "left" when the consumer stopped asking. */
      readonly ending: "complete" | "stopped" | "left" | "failed";
      readonly failure?: ServiceFailure;
    }
);

/** An event before it has its exchange's number. */
export type ExchangeFact = ExchangeEvent extends infer E
  ? E extends ExchangeEvent
    ? Omit<E, "exchangeId">
    : never
  : never;
