/**
 * From VS Code's cancellation to the web's: the one place where they meet.
 */
import type * as vscode from "vscode";
import { toDisposable, type Disposable } from "../base/disposables";

/** A signal that is aborted when the token is cancelled; whoever asked for it lets it go. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** Links a new signal to `token`. */
export function linkedSignal(token: vscode.CancellationToken): LinkedSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("cancelled"));
  if (token.isCancellationRequested) abort();
  const listening = token.onCancellationRequested(abort);
  return { signal: controller.signal, ...toDisposable(() => void listening.dispose()) };
}
