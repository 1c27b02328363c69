/**
 * Key of a service. Only `use` reads it, so that no kind of request can forget to renew a key that has
 * expired.
 */
import { LOOPBACK_KEY } from "./apiKey";

export class ServiceKey {
  /** @param renew returns the key to try once after the service refused this one; undefined if none */
  constructor(
    private readonly key: string,
    private readonly renew?: () => Promise<string | undefined>,
  ) {}

  /** True if there is no key of the user. */
  get isMissing(): boolean {
    return this.key.trim() === "" || this.key === LOOPBACK_KEY;
  }

  /**
   * Sends a request with the key. If the service refused the key and there is a newer one, sends the
   * request once more. Returns the last result.
   */
  async *use<Event, Result>(
    send: (key: string) => AsyncGenerator<Event, Result, void>,
    isRefused: (result: Result) => boolean,
  ): AsyncGenerator<Event, Result, void> {
    const result = yield* send(this.key);
    if (this.renew === undefined || !isRefused(result)) return result;
    const newer = await this.renew();
    return newer === undefined || newer === this.key ? result : yield* send(newer);
  }

  /** Sends a request without events, as `use` does. */
  async useOnce<Result>(
    send: (key: string) => Promise<Result>,
    isRefused: (result: Result) => boolean,
  ): Promise<Result> {
    const sent = this.use(async function* (key): AsyncGenerator<never, Result, void> {
      return send(key);
    }, isRefused);
    const end = await sent.next();
    return end.value;
  }
}
