/**
 * Events of the exchanges with the service, for the inspector and logs. Keys are removed; `body`
 * contains the conversation and must not be logged.
 */
import type { ServiceFailure } from "./types";

/** Event of an exchange; every try is an exchange of its own. */
export type ExchangeEvent = { readonly exchangeId: number } & (
  | {
      readonly type: "exchange-started";
      readonly atMs: number;
      readonly attempt: number;
      readonly url: string;
      readonly model: string;
      /** Headers as sent, with `authorization` masked. */
      readonly headers: Readonly<Record<string, string>>;
      /** JSON as sent, pictures included. */
      readonly body: string;
      readonly pictures: readonly string[];
      /** Missing if private. */
      readonly questionText?: string | undefined;
      /** True if the body may not be kept. */
      readonly isPrivate?: boolean;
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
      /** "left" if the consumer stopped reading. */
      readonly ending: "complete" | "stopped" | "left" | "failed";
      readonly failure?: ServiceFailure;
    }
);

/** Event without the id of its exchange. */
export type ExchangeFact = ExchangeEvent extends infer E
  ? E extends ExchangeEvent
    ? Omit<E, "exchangeId">
    : never
  : never;
