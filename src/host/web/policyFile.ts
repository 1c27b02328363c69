/**
 * Twin of node/policyFile.ts. A web worker reads no file of the system. Next to a desktop or a remote
 * machine, Core Chat could run in Node and read that machine's policy, so the worker counts as a flaw.
 */
import * as vscode from "vscode";

export function systemPolicyFiles() {
  return { paths: [], ownerId: undefined };
}

export function readPolicyFile() {
  const { remoteName, uiKind } = vscode.env;
  const hasMachine = remoteName !== undefined || uiKind === vscode.UIKind.Desktop;
  return hasMachine ? { path: "", problem: "worker" } : undefined;
}

export function watchPolicyFile() {
  return { dispose: () => undefined };
}
