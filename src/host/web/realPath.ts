/**
 * The browser's twin of node/realPath.ts: there are no links that could be followed.
 */

/** The path as it is. */
export function realPath(path: string): Promise<string> {
  return Promise.resolve(path);
}
