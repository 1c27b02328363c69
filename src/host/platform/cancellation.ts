/**
 * From VS Code's cancellation to the web's and back: the one place where they meet.
 */
import * as vscode from "vscode";
import { toDisposable, type Disposable } from "../../base/disposables";

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

/** A token that is cancelled when the signal is aborted; whoever asked for it lets it go. */
export interface LinkedToken extends Disposable {
  readonly token: vscode.CancellationToken;
}

/** Links a new token to `signal`. */
export function linkedToken(signal: AbortSignal): LinkedToken {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  return {
    token: source.token,
    ...toDisposable(() => {
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }),
  };
}
