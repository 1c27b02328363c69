/**
 * Replaces `vscode` in plain Node for tests that need only texts and settings: `l10n`,
 * `env.language` and user settings. Texts are English, or in the language of `withLanguage`. Settings are
 * empty, or those of `withSettings`.
 */
import type { Translate } from "../../../src/base/translate";
import { chinese, english } from "./plainTranslate";

let translate: Translate = english;

/** @public by the alias in esbuild.mjs, as `l10n` is */
export const env = { language: "en" };

/** @public */
export const l10n = {
  t: (message: string, ...args: (string | number)[]): string => translate(message, ...args),
};

let settings: Readonly<Record<string, unknown>> = {};

const project = { name: "project", uri: { path: "/project", toString: () => "file:///project" } };

/** @public A workspace with the folder /project, which has all files. */
export const workspace = {
  workspaceFolders: [project],
  getWorkspaceFolder: () => project,
  asRelativePath: ({ path }: { readonly path: string }) => path.replace("/project/", ""),
  getConfiguration: (section: string) => ({
    get: (name: string) => settings[`${section}.${name}`],
    inspect: (name: string) => ({ globalValue: settings[`${section}.${name}`] }),
  }),
};

/** @public */
export const EndOfLine = { LF: 1, CRLF: 2 };

/** @public */
export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

/**
 * Undefined values for the imports of files of which tests only read the texts.
 * @public
 */
export const [ConfigurationTarget, FileSystemError, languages, Uri, window] = [
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
];

/** Calls `read` with these settings, given by full name, and returns the result. */
export function withSettings<T>(own: Readonly<Record<string, unknown>>, read: () => T): T {
  try {
    settings = own;
    return read();
  } finally {
    settings = {};
  }
}

/** Calls `read` with this display language and returns the result. */
export function withLanguage<T>(language: "en" | "zh-cn", read: () => T): T {
  try {
    translate = language === "en" ? english : chinese();
    env.language = language;
    return read();
  } finally {
    translate = english;
    env.language = "en";
  }
}
