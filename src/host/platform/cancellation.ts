import * as vscode from "vscode";
import { toDisposable, type Disposable } from "../../base/disposables";

/** A signal that is aborted when a token is canceled; the caller disposes it. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

export function linkedSignal(token: vscode.CancellationToken): LinkedSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("canceled"));
  if (token.isCancellationRequested) abort();
  const listening = token.onCancellationRequested(abort);
  return { signal: controller.signal, ...toDisposable(() => void listening.dispose()) };
}

/** A token that is canceled when a signal is aborted; the caller disposes it. */
export interface LinkedToken extends Disposable {
  readonly token: vscode.CancellationToken;
}

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
