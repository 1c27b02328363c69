/** Twin of node/readYaml.ts: the browser reads no local files. */

export function readYaml(): never {
  throw new Error("a browser reads no files of the disk");
}
