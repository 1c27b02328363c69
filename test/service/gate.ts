/**
 * Makes scripted replies wait until a test releases them, so that tests do not need to sleep. An
 * early release applies to the next reply that reaches the gate.
 */

export class Gate {
  private waiting: (() => void)[] = [];
  private permits = 0;

  /** Resolves at the next release, in order of arrival; rejects when `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.permits > 0) {
      this.permits--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const pass = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.waiting = this.waiting.filter((one) => one !== pass);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(pass);
    });
  }

  /** Releases a single reply, now or when it reaches the gate. */
  release(): void {
    const pass = this.waiting.shift();
    if (pass === undefined) this.permits++;
    else pass();
  }

  /** Number of replies that wait at the gate. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Releases all waiting replies and discards early releases. */
  reset(): void {
    this.permits = 0;
    for (const pass of this.waiting.splice(0)) pass();
  }
}
