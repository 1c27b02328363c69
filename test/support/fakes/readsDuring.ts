import type { MemoryFileSystem } from "./memoryFileSystem";

/** Returns the paths of the conversations that are read during `run`, in order. */
export async function readsDuring(
  files: MemoryFileSystem,
  run: () => Promise<unknown>,
): Promise<string[]> {
  const reads: string[] = [];
  const read = files.read.bind(files);
  files.read = (path) => {
    if (path.startsWith("conversations/")) reads.push(path);
    return read(path);
  };
  await run();
  files.read = read;
  return reads;
}
