/**
 * Builds the panel's page as HTML. The first script, styles and the composer are inline, so that the
 * user can type before anything is fetched. The content security policy forbids all network access.
 */

import { VSCODE_FONT_SIZE_PX, type SendKey } from "../../protocol/views";

export interface PageOptions {
  /** BCP 47 tag. */
  readonly language: string;
  /** Random value for a page; the policy allows script and styles with this nonce. */
  readonly nonce: string;
  /** Source expression of the extension's own files. */
  readonly ownSource: string;
  readonly sendKey: SendKey;
  /** 0 for the size of VS Code. */
  readonly fontSizePx: number;
  /** URL of the panel's files, with a final slash: the other scripts load from there. */
  readonly baseUrl: string;
  /** Localized strings by their English text. */
  readonly strings: Readonly<Record<string, unknown>>;
  readonly script: string;
  readonly styles: string;
}

export function pageHtml(options: PageOptions): string {
  const { language, nonce, ownSource, baseUrl, script, styles, fontSizePx } = options;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${ownSource}`,
    "font-src data:",
    `img-src ${ownSource} blob: data:`,
    `connect-src ${ownSource}`,
    "worker-src blob:",
    `base-uri ${ownSource}`,
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types core-chat-worker",
  ].join("; ");
  // In a JSON script only "<" could end the element early.
  const strings = JSON.stringify(options.strings).replaceAll("<", "\\u003c");
  const size = fontSizePx > 0 ? `:root{--core-chat-zoom:${fontSizePx / VSCODE_FONT_SIZE_PX}}` : "";
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${baseUrl}">
<link rel="modulepreload" href="main.js" nonce="${nonce}">
<style nonce="${nonce}">${styles}
${size}</style>
<title>Core Chat</title>
</head>
<body>
<div id="root">${composerHtml(options)}</div>
<script type="application/json" id="core-chat-strings">${strings}</script>
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>`;
}

/** Returns the heading and the composer; the script takes over these elements. */
function composerHtml({ strings, sendKey }: PageOptions): string {
  const localized = (english: string) => {
    const { [english]: translated } = strings;
    return escapeHtml(typeof translated === "string" ? translated : english);
  };
  const placeholder =
    sendKey === "enter"
      ? localized("Ask, # for context, / for prompts")
      : // The page knows if it runs on a Mac.
        localized("{0} to ask, # for context, / for prompts").replace("{0}", "Ctrl+Enter");
  return (
    `<main class="panel"><h1 class="visually-hidden">${localized("Core Chat")}</h1>` +
    `<div class="conversation-layer"><form class="composer" aria-label="${localized("Question")}">` +
    `<div class="composer-box"><div class="composer-extras"></div><textarea class="composer-text" autocomplete="off" aria-label="${localized("Message")}" ` +
    `placeholder="${placeholder}" rows="1" ` +
    `data-send-key="${sendKey}" ` +
    `data-failure-text="${localized("Some parts of the panel could not be loaded. Close and reopen the panel.")}" ` +
    `aria-autocomplete="list"></textarea><div class="composer-tools"></div></div></form></div></main>`
  );
}

/** Escapes text for HTML, also inside double quotes. */
function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** Text that ends a script or style element early, or changes its parsing. */
const ENDS_ELEMENT = /<!--|<\/?(?:script|style)/i;

/** Returns true if a script or style sheet can be inlined without escaping. */
export function canBeInlined(text: string): boolean {
  return !ENDS_ELEMENT.test(text);
}
