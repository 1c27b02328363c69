export type ScreenCapture =
  | { readonly kind: "captured"; readonly bytes: Uint8Array }
  /** The user closed the tool without a picture, or the signal was aborted. */
  | { readonly kind: "canceled" }
  | { readonly kind: "no-tool" }
  | { readonly kind: "failed"; readonly tool: string };
