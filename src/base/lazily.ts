/** Creates a value on first use and shares it. After a failure the next caller tries again. */
export function lazily<T>(create: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= create().catch((error: unknown) => {
      promise = undefined;
      throw error;
    });
    return promise;
  };
}
