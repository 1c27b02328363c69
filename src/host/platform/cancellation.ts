import * as vscode from "vscode";
import { toDisposable } from "../../base/disposables";

/** Returns a signal that is aborted when a token is canceled; the caller disposes it. */
export function linkedSignal(token: vscode.CancellationToken) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("canceled"));
  if (token.isCancellationRequested) abort();
  const listening = token.onCancellationRequested(abort);
  return { signal: controller.signal, ...toDisposable(() => void listening.dispose()) };
}

/** Returns a token that is canceled when a signal is aborted; the caller disposes it. */
export function linkedToken(signal: AbortSignal) {
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
