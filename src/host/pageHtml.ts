/**
 * The panel's page as HTML: script and styles stand in it, so that nothing has to be fetched before
 * the panel shows, under a policy by which the page can load nothing else and reach no one.
 */

/** Where one page stands and what it is made of. */
export interface PageFacts {
  /** BCP 47 tag. */
  readonly language: string;
  /** Used once; by it the policy knows the page's own script and styles. */
  readonly nonce: string;
  /** Source expression of the extension's own files. */
  readonly ownSource: string;
  /** Address of the folder of the script, with a slash at its end: later chunks load from there. */
  readonly baseUrl: string;
  /** Translated strings by English ones. */
  readonly strings: object;
  readonly script: string;
  readonly styles: string;
}

/** The whole page. */
export function pageHtml(facts: PageFacts): string {
  const { language, nonce, ownSource, baseUrl, script, styles } = facts;
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
  const strings = JSON.stringify(facts.strings).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${baseUrl}">
<style nonce="${nonce}">${styles}</style>
<title>Core Chat</title>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="core-chat-strings">${strings}</script>
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>`;
}

/** What would end the element it stands in early, or change how it is read. */
const ENDS_ELEMENT = /<!--|<\/?(?:script|style)/i;

/** True for a script or style sheet that can stand in the page as it is. */
export function canStandInPage(text: string): boolean {
  return !ENDS_ELEMENT.test(text);
}
