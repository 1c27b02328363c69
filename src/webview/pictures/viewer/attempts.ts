/** Picture or page that was compared. */
export interface Attempt {
  readonly id: string;
  readonly name: string;
  /** Share of equal pixels, in percent. */
  readonly percent: number;
}

/** Attempts in the order of their comparison, by the hash of the picture that they were compared with. */
export type Attempts = ReadonlyMap<string, readonly Attempt[]>;

export function withAttempt(attempts: Attempts, hash: string, attempt: Attempt): Attempts {
  const before = attempts.get(hash) ?? [];
  const index = before.findIndex(({ id }) => id === attempt.id);
  return new Map(attempts).set(
    hash,
    index === -1 ? [...before, attempt] : before.with(index, attempt),
  );
}
