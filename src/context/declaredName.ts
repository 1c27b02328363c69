/** Finds the declaration of a name by the text of a file, for languages whose extension is missing. */

/** End of the text before a declared name: the word that declares it, and a receiver of Go. */
const DECLARING =
  /\b(?:class|def|func|fn|fun|type|struct|enum|union|trait|interface|record|object|const|static|let|var|val|module|mod) (?:\([^()]{0,80}\) )?$/;

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#)/;

/** Part of a line that is searched, in UTF-16 units. */
const MAX_LINE_LENGTH = 300;

/** Returns the 0-based line that declares a name; undefined if there is none. */
export function lineDeclaring(name: string, lines: readonly string[]): number | undefined {
  const declarationAt = lines.findIndex((line) => {
    const head = line.slice(0, MAX_LINE_LENGTH);
    const at = head.indexOf(name);
    if (at < 1 || /^[\p{L}\p{N}_$]/u.test(head.slice(at + name.length))) return false;
    return DECLARING.test(head.slice(0, at)) && !COMMENT.test(head);
  });
  return declarationAt === -1 ? undefined : declarationAt;
}

/**
 * Returns the words of a sentence that look like names of code: with a capital, an underscore or a
 * digit, in order.
 */
export function namesInSentence(text: string, maxNames: number): string[] {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const names = words.filter((word) => word.length > 2 && /[\p{Lu}\p{N}_$]/u.test(word));
  return [...new Set(names)].slice(0, maxNames);
}
