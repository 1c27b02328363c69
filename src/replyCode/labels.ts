/**
 * Languages of files and of code blocks: the language of a file by its name, for files that VS Code
 * does not know, and what the label of a fence says about its block.
 */
import table from "./languages.txt";

/** Rows of languages.txt: names in lower case, the identifier first, and whole names of files. */
const LANGUAGES = table
  .split(/\r?\n/)
  .filter((row) => row !== "" && !row.startsWith("#"))
  .map((row) => {
    const [names = "", files = ""] = row.split(" | ");
    return { names: names.split(" "), files: files === "" ? [] : files.split(" ") };
  });

/** Languages whose labels are interchangeable, because models use them loosely. */
const FAMILIES: readonly (readonly string[])[] = [
  ["typescript", "typescriptreact", "javascript", "javascriptreact"],
  ["c", "cpp", "objective-c", "objective-cpp", "cuda-cpp"],
  ["css", "scss", "less"],
  ["html", "vue", "svelte", "xml", "php", "handlebars"],
  ["json", "jsonc"],
  ["yaml", "dockercompose"],
  ["shellscript", "powershell", "bat"],
  ["ini", "dotenv", "properties"],
];

const SHELL = words(
  "sh bash shell zsh fish console terminal shellsession shell-session powershell ps1 pwsh cmd bat dos shellscript",
);

const TEXT = words("text txt plaintext plain output log none pycon traceback stacktrace error");

const PATCH = words("diff patch udiff git-diff gitdiff");

/** Languages of files that hold several languages. */
const MIXED = words("vue svelte astro html php erb blade razor handlebars xml mdx");

/** Languages by ending or label, and by whole names of files, in lower case. */
const LANGUAGE_OF_NAME = new Map([
  ...LANGUAGES.flatMap(({ names, files }) =>
    [...names, ...files].map((name) => [name.toLowerCase(), names[0] ?? ""] as const),
  ),
  ...["ps1", "psm1"].map((one) => [one, "powershell"] as const),
  ...["bat", "cmd"].map((one) => [one, "bat"] as const),
]);

/** Endings of plain text; a name without an ending, as README, is plain text too. */
const TEXT_ENDINGS = words("txt text log md me 1st nfo");

/**
 * Returns the language of a document. Its name decides where VS Code says plain text; empty for a
 * language that the name does not give either.
 */
export function languageOfFile(languageId: string, path: string): string {
  if (languageId !== "plaintext") return languageId;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = /.\.([^.]+)$/.exec(name)?.[1] ?? "";
  const isText = ending === "" || TEXT_ENDINGS.has(ending);
  return isText ? (LANGUAGE_OF_NAME.get(name) ?? languageId) : languageOfName(name);
}

/** Returns the language that the name of any file, or a label, gives; empty if none. */
export function languageOfName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return LANGUAGE_OF_NAME.get(name) ?? LANGUAGE_OF_NAME.get(ending) ?? "";
}

/** Names without an ending that only files have. */
const FILE_NAMES = new Set(LANGUAGES.flatMap(({ files }) => files));

/** Returns true for a name without an ending that only files have, as Makefile. */
export function isFileName(name: string): boolean {
  return FILE_NAMES.has(name);
}

/**
 * Meaning of a label for a document: the document's language, a language of its family, none or an
 * unknown one, another language, a command or output, or a diff.
 */
export type LabelKind = "own" | "near" | "open" | "foreign" | "side" | "patch";

export function labelKind(label: string, languageId: string): LabelKind {
  const name = label.toLowerCase();
  if (PATCH.has(name)) return "patch";
  if (name === "") return "open";
  const isSide = SHELL.has(name) || TEXT.has(name);
  const language = languageOfName(name) || (SHELL.has(name) ? "shellscript" : name);
  const isOwn = (one: string) => one === language || one === languageId;
  if (language === languageId && language !== "") return "own";
  if (FAMILIES.some((family) => family.filter(isOwn).length > 1)) return "near";
  if (isSide) return "side";
  if (languageId === "") return "open";
  return LANGUAGE_OF_NAME.has(name) && !MIXED.has(languageId) ? "foreign" : "open";
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(" "));
}
