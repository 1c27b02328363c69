/** Twin of node/homeFolder.ts. A browser has no home folder. */

export function homeFolder(): string | undefined {
  return undefined;
}
