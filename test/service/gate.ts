/**
 * The gate scripted replies wait at until a test releases them, so that no test has to sleep.
 * A release that comes first is kept for the next reply that arrives at the gate.
 */

export class Gate {
  private waiting: (() => void)[] = [];
  private permits = 0;

  /** Resolves at the next release, first come first served; rejects when `signal` is aborted. */
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

  /** Lets one reply pass, now or when it comes. */
  release(): void {
    const pass = this.waiting.shift();
    if (pass === undefined) this.permits++;
    else pass();
  }

  /** How many replies stand at the gate. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Lets everybody who waits go and forgets releases that were kept. */
  reset(): void {
    this.permits = 0;
    for (const pass of this.waiting.splice(0)) pass();
  }
}
