/**
 * What package.json's conditions and titles are measured by.
 * Keys: https://code.visualstudio.com/api/references/when-clause-contexts
 */

/** VS Code's own keys that are good for a condition here. */
export const KNOWN_CONTEXT_KEYS: ReadonlySet<string> = new Set([
  "accessibleViewIsShown",
  "activeCustomEditorId",
  "terminalCount",
  "activeEditorIsReadonly",
  "activeWebviewPanelId",
  "commentController",
  "commentIsEmpty",
  "commentThread",
  "editorFocus",
  "editorHasMultipleSelections",
  "editorHasSelection",
  "editorIsOpen",
  "editorLangId",
  "editorReadonly",
  "editorTextFocus",
  "explorerResourceIsFolder",
  "explorerResourceIsRoot",
  "filesExplorerFocus",
  "findWidgetVisible",
  "focusedView",
  "gitOpenRepositoryCount",
  "inSnippetMode",
  "isInDiffEditor",
  "isWeb",
  "isWorkspaceTrusted",
  "listMultiSelection",
  "resourceExtname",
  "resourceFilename",
  "resourceLangId",
  "resourcePath",
  "resourceScheme",
  "resourceSet",
  "scmProvider",
  "scmResourceGroup",
  "suggestWidgetVisible",
  "terminalCount",
  "terminalFocus",
  "terminalIsOpen",
  "terminalTextSelected",
  "textInputFocus",
  "view",
  "webviewId",
  "webviewSection",
  "workbenchState",
  "workspaceFolderCount",
]);

/** The keys in a condition: left of a comparison, or alone. */
export function contextKeysOf(condition: string): string[] {
  return condition
    .replaceAll(/=~\s*\/(?:\\.|[^/\\])*\/[a-z]*/g, "")
    .split(/&&|\|\||[()]/)
    .map((clause) => clause.trim().replace(/^!+/, ""))
    .map((clause) => clause.split(/\s*(?:===?|!==?|[<>]=?|\s(?:not\s+)?in\s)\s*/)[0] ?? "")
    .filter((key) => key !== "" && key !== "true" && key !== "false");
}

const SMALL_WORDS = new Set([
  "a",
  "an",
  "and",
  "as",
  "at",
  "for",
  "from",
  "in",
  "of",
  "on",
  "or",
  "the",
  "to",
]);

/** True for words that begin with capitals, small ones in the middle apart; names like cURL too. */
export function isTitleCase(title: string): boolean {
  return title
    .split(" ")
    .every((word, index) => /[A-Z]/.test(word) || (index > 0 && SMALL_WORDS.has(word)));
}
