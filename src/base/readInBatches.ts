/**
 * Reads values by key while keys are still being found, in batches: keys that are added during a batch are
 * the next one. A batch that fails has no values.
 * @param read returns the values in the order of the keys
 */
export function readInBatches<Key extends { toString(): string }, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
) {
  /** Values by the name of their key, as far as they are read. */
  const values = new Map<string, Value>();
  const askedKeys = new Set<string>();
  let waiting: Key[] = [];
  let isReading = false;
  let reading = Promise.resolve();
  const readWaiting = async () => {
    isReading = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const batchValues = await read(batch).catch(() => []);
      batchValues.forEach((value, index) => values.set(String(batch[index]), value));
    }
    isReading = false;
  };
  return {
    values,
    /** Reads the values of keys that were not added before. */
    add(keys: readonly Key[]): void {
      for (const key of keys) {
        if (!askedKeys.has(String(key))) waiting.push(key);
        askedKeys.add(String(key));
      }
      if (!isReading) reading = readWaiting();
    },
    /** Resolves when all values of the added keys are read, or failed to be read. */
    finished: () => reading,
  };
}
