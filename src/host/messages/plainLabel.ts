/** Line ends, and characters that are invisible or change the direction; joiners of scripts stay. */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a foreign name as one line of plain text, for quick picks and the status bar, which show
 * `$(name)` as an icon.
 */
export function plainLabel(name: string): string {
  const line = name.replaceAll(/\s+/g, " ").replaceAll(HIDDEN, "").trim();
  return line.toWellFormed().replaceAll("$(", "\\$(");
}
