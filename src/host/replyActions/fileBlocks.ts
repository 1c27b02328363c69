/**
 * Finds the code blocks of a reply that name a file: in the info string, in the first line of the
 * code, in the line before the block, or in the headers of a diff.
 */
import { codeBlocks, type NumberedCodeBlock } from "../../markdown/codeBlocks";
import { findMentions, parseMention } from "../../markdown/fileMentions";
import { blockLines } from "../../replyCode/findTarget";
import { findPatch, type PatchSection } from "../../replyCode/patch";
import { pathInComment } from "../../replyCode/filePath";

/** Code for a file: lines of text, or the changes of a diff. */
export type FileCode =
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "patch"; readonly sections: readonly PatchSection[]; readonly isNew: boolean };

/** All code of a reply for a file, in the order of the reply. */
export interface FileBlocks {
  /** Path relative to a workspace folder, as the reply has it. */
  readonly path: string;
  readonly code: readonly FileCode[];
}

/** Languages of blocks with commands or output, which are no content of a mentioned file. */
const NO_CONTENT = new Set(
  "bash sh shell zsh fish console terminal powershell ps1 cmd bat shell-session output log text txt plaintext".split(
    " ",
  ),
);

/** Returns the files that blocks of a reply name, each once. */
export function fileBlocks(markdown: string): FileBlocks[] {
  const files = new Map<string, FileCode[]>();
  const add = (path: string | undefined, code: FileCode) => {
    const plain = path === undefined ? undefined : parseMention(path)?.path;
    if (plain === undefined) return;
    files.set(plain, [...(files.get(plain) ?? []), code]);
  };
  for (const block of codeBlocks(markdown)) {
    const lines = blockLines(block.text);
    const isPatch = findPatch(lines) !== undefined;
    if (!isPatch) {
      const commented = pathInComment(lines[0]);
      const path = commented ?? namedPath(markdown, block);
      const isContent = commented !== undefined || !NO_CONTENT.has(block.language.toLowerCase());
      if (isContent) add(path, { kind: "lines", lines });
      continue;
    }
    for (const { path, own, isNew } of patchesByFile(lines)) {
      const sections = findPatch(own) ?? [];
      add(path ?? namedPath(markdown, block), { kind: "patch", sections, isNew });
    }
  }
  return [...files].map(([path, code]) => ({ path, code }));
}

/** Returns the path in the block's info string, or in the line right before the block. */
export function namedPath(
  markdown: string,
  { language, label, text }: NumberedCodeBlock,
): string | undefined {
  const before = markdown.slice(0, Math.max(0, markdown.indexOf(text.slice(0, 200)))).split("\n");
  const line = before.slice(0, -2).findLast((one) => one.trim() !== "") ?? "";
  // "ts:src/cart.ts" and "src/cart.ts" are common as the first word of the info string.
  const word = /[:/]/.test(language) ? language.replace(/^[\w+#-]+:/, "") : "";
  for (const one of [label, word, line]) {
    const found = findMentions(one);
    const path = found.at(-1)?.text;
    if (path !== undefined) return path;
  }
  return undefined;
}

interface FilePatch {
  readonly path: string | undefined;
  readonly own: readonly string[];
  readonly isNew: boolean;
}

/** Splits a diff by its files. */
function patchesByFile(lines: readonly string[]): FilePatch[] {
  const starts = lines.flatMap((line, index) => {
    const isHeader = /^(?:diff --git |\*\*\* (?:Update|Add|Delete) File:)/.test(line);
    const isPlain = line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ") === true;
    const isCovered = isPlain && lines.slice(0, index).some((one) => one.startsWith("diff --git "));
    return isHeader || (isPlain && !isCovered) ? [index] : [];
  });
  if (starts.length === 0) return [{ path: undefined, own: lines, isNew: false }];
  return starts.map((start, at) => {
    const own = lines.slice(start, starts[at + 1]);
    return { path: pathOfPatch(own), own, isNew: isNewFile(own) };
  });
}

function pathOfPatch(lines: readonly string[]): string | undefined {
  for (const line of lines.slice(0, 8)) {
    const named =
      /^\+\+\+ (?:[a-z]\/)?([^\t]+)/.exec(line)?.[1] ??
      /^\*\*\* (?:Update|Add) File:(.+)$/.exec(line)?.[1];
    if (named !== undefined && named.trim() !== "/dev/null") return named.trim();
  }
  return undefined;
}

function isNewFile(lines: readonly string[]): boolean {
  return lines
    .slice(0, 8)
    .some((line) => /^(?:--- \/dev\/null|new file mode|\*\*\* Add File:)/.test(line));
}
