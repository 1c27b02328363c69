/**
 * Builds the page of a preview as HTML. The frame in the page inherits this page's content security
 * policy, and `frame-src` of this policy forbids the frame to navigate.
 */
import type { PreviewState } from "../../protocol/previewMessages";

export interface PreviewPageOptions {
  /** BCP 47 tag. */
  readonly language: string;
  /** Random value for a page. */
  readonly nonce: string;
  readonly title: string;
  /** Localized strings by their English text. */
  readonly strings: Readonly<Record<string, unknown>>;
  readonly script: string;
  /** Script of the worker that compares pictures. */
  readonly worker: string;
  /** Tailwind's runtime; empty for a page that does not load it. */
  readonly tailwind: string;
  readonly styles: string;
  readonly state: PreviewState;
}

/** Returns the whole page, which loads nothing. */
export function previewPageHtml(options: PreviewPageOptions): string {
  const { language, nonce, title, script, worker, tailwind, styles, state } = options;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data: blob:",
    "media-src data: blob:",
    "frame-src 'none'",
    // Workers compare pictures and run Tailwind. The policy of the frame allows none.
    "worker-src blob:",
    "base-uri about:",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${styles}</style>
<title>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</title>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="core-chat-strings">${json(options.strings)}</script>
<script type="application/json" id="core-chat-preview">${json(state)}</script>
<script type="text/plain" id="core-chat-picture-worker">${worker}</script>
${tailwind === "" ? "" : `<script nonce="${nonce}">${tailwind}</script>`}
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
}

/** In a JSON script only "<" could end the element early. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
