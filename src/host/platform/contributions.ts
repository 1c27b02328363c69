/** Ids of package.json for the code. Names of commands and settings are read from there. */
import { contributes } from "../../../package.json";
import type titles from "../../../package.nls.json";

/** First argument of commands that the walkthrough runs. */
export const FROM_FIRST_STEPS = "firstSteps";

/** Ids of the commands: `inlineKeep` is `coreChat.inline.keep`. package.nls.json has a title of each. */
export const COMMANDS = Object.fromEntries(
  contributes.commands.map(({ command }) => [
    command
      .slice("coreChat.".length)
      .replace(/\.(\w)/, (_dot, letter: string) => letter.toUpperCase()),
    command,
  ]),
) as {
  readonly [Id in NameIn<keyof typeof titles, "commands"> as CamelCase<Id>]: `coreChat.${Id}`;
};
type CamelCase<Id> = Id extends `${infer Group}.${infer Name}` ? `${Group}${Capitalize<Name>}` : Id;
type NameIn<Key, Group extends string> = Key extends `${Group}.${infer Name}` ? Name : never;
export type CommandName = keyof typeof COMMANDS;

/** Handlers of some commands, called with the arguments that VS Code passes. */
export type CommandHandlers<Name extends CommandName = CommandName> = Readonly<
  Record<Name, (...args: unknown[]) => unknown>
>;

/** Id of the panel's view. */
export const CHAT_VIEW = "coreChat.chat";

/** Id of the comment controller of the box for instructions. */
export const BOX_CONTROLLER = "coreChat.box";

/** Key of the earlier instructions in the storage of the workspace. */
export const INSTRUCTIONS_KEY = "coreChat.instructions";

export const LANGUAGE_MODEL_VENDOR = "core-chat";

/** URI schemes of the request inspector's documents and of the connection test's report. */
export const REQUEST_SCHEME = "core-chat-request";
export const REPORT_SCHEME = "core-chat-report";

/** View type of conversations in editor tabs. */
export const CHAT_EDITOR = "coreChat.chatEditor";

/** URI scheme of documents without their pending edit. */
export const ORIGINAL_SCHEME = "core-chat-original";

/** URI scheme of documents with a reading of a reply that is not clear. */
export const READING_SCHEME = "core-chat-reading";

/** URI scheme of documents with the code of a reply applied. */
export const PROPOSAL_SCHEME = "core-chat-proposal";

/** URI scheme of notes that are sent with a question. */
export const CONTEXT_SCHEME = "core-chat-context";

/** URI schemes of replies as plain text and of the accessibility help. */
export const PLAIN_REPLY_SCHEME = "core-chat-reply";
export const HELP_SCHEME = "core-chat-help";

/** Source of the problems that show marks of a picture in editors. */
export const MARK_SOURCE = "Core Chat";

export const SETTINGS_SECTION = "coreChat";

/** Names of the settings, without the section. package.json has their scopes and defaults too. */
export type SettingName = NameIn<
  KeyOfAny<(typeof contributes.configuration)[number]["properties"]>,
  "coreChat"
>;

/** Keys of each type of a union. */
type KeyOfAny<Type> = Type extends object ? keyof Type : never;
