/**
 * The panel's page as HTML: script, styles and the box for a question stand in it, so that nothing
 * has to be fetched or run before one can type, under a policy by which the page can load nothing
 * else and reach no one.
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
  readonly strings: Readonly<Record<string, unknown>>;
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
<div id="root">${boxHtml(facts.strings)}</div>
<script type="application/json" id="core-chat-strings">${strings}</script>
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>`;
}

/** The panel's heading and composer as they are built first; the script goes on with these elements. */
function boxHtml(strings: PageFacts["strings"]): string {
  const said = (english: string) => {
    const { [english]: translated } = strings;
    return escaped(typeof translated === "string" ? translated : english);
  };
  return (
    `<main class="panel"><h1 class="visually-hidden">${said("Core Chat")}</h1>` +
    `<div class="conversation-layer"><form class="composer" aria-label="${said("Question")}">` +
    `<div class="composer-box"><div class="composer-extras"></div><textarea class="composer-text" aria-label="${said("Message")}" ` +
    `placeholder="${said("Ask, or # for context, / for prompts")}" rows="1" ` +
    `aria-autocomplete="list"></textarea><div class="composer-tools"></div></div></form></div></main>`
  );
}

/** Plain text as HTML, also inside double quotes. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** What would end the element it stands in early, or change how it is read. */
const ENDS_ELEMENT = /<!--|<\/?(?:script|style)/i;

/** True for a script or style sheet that can stand in the page as it is. */
export function canStandInPage(text: string): boolean {
  return !ENDS_ELEMENT.test(text);
}
