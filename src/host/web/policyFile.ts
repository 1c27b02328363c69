/** Twin of node/policyFile.ts. A browser reads no file of the system, so there is no policy. */

export function systemPolicyFiles() {
  return { paths: [], ownerId: undefined };
}

export function readPolicyFile(): undefined {
  return undefined;
}

export function watchPolicyFile() {
  return { dispose: () => undefined };
}
