/**
 * Checks the conditions and titles of package.json.
 * Keys: https://code.visualstudio.com/api/references/when-clause-contexts
 */

/** Context keys of VS Code that conditions may use. */
export const KNOWN_CONTEXT_KEYS: ReadonlySet<string> = new Set(
  (
    "accessibleViewIsShown activeCustomEditorId activeEditor activeEditorIsReadonly " +
    "activeWebviewPanelId commentController commentEditorFocused commentIsEmpty commentThread " +
    "editorFocus editorHasMultipleSelections editorHasSelection editorIsOpen editorLangId " +
    "editorReadonly editorTextFocus explorerResourceIsFolder explorerResourceIsRoot " +
    "filesExplorerFocus findWidgetVisible focusedView gitOpenRepositoryCount inSnippetMode " +
    "isInDiffEditor isWeb isWorkspaceTrusted listDoubleSelection listMultiSelection " +
    "resourceExtname resourceFilename resourceLangId resourcePath resourceScheme resourceSet " +
    "scmProvider scmResourceGroup suggestWidgetVisible terminalCount terminalFocus " +
    "terminalIsOpen terminalTextSelected testing.hasAnyResults textInputFocus view webviewId " +
    "webviewSection workbenchState workspaceFolderCount"
  ).split(" "),
);

/** Returns the keys of a condition: left of a comparison, or alone. */
export function contextKeysOf(condition: string): string[] {
  return condition
    .replaceAll(/=~\s*\/(?:\\.|[^/\\])*\/[a-z]*/g, "")
    .split(/&&|\|\||[()]/)
    .map((clause) => clause.trim().replace(/^!+/, ""))
    .map((clause) => clause.split(/\s*(?:===?|!==?|[<>]=?|\s(?:not\s+)?in\s)\s*/)[0] ?? "")
    .filter((key) => key !== "" && key !== "true" && key !== "false");
}

const SMALL_WORDS = new Set("a an and as at for from in of on or the to".split(" "));

/**
 * Returns true if all words start with a capital, except small words in the middle and names such
 * as cURL.
 */
export function isTitleCase(title: string): boolean {
  return title
    .split(" ")
    .every((word, index) => /[A-Z]/.test(word) || (index > 0 && SMALL_WORDS.has(word)));
}
