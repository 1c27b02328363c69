/** Ids of package.json for the code; a test compares both. */
import type manifest from "../../../package.json";

/** First argument of commands that the walkthrough runs. */
export const FROM_FIRST_STEPS = "firstSteps";

/** Ids of commands. */
export const COMMANDS = {
  open: "coreChat.open",
  openInEditor: "coreChat.openInEditor",
  showHistory: "coreChat.showHistory",
  showOutline: "coreChat.showOutline",
  previousQuestion: "coreChat.previousQuestion",
  nextQuestion: "coreChat.nextQuestion",
  previousCodeBlock: "coreChat.previousCodeBlock",
  nextCodeBlock: "coreChat.nextCodeBlock",
  summarizeOlderMessages: "coreChat.summarizeOlderMessages",
  askAboutThis: "coreChat.askAboutThis",
  askAside: "coreChat.askAside",
  forkConversation: "coreChat.forkConversation",
  exportConversation: "coreChat.exportConversation",
  importConversation: "coreChat.importConversation",
  moveHistory: "coreChat.moveHistory",
  emptyBin: "coreChat.emptyBin",
  deleteWorkspaceConversations: "coreChat.deleteWorkspaceConversations",
  forgetPictures: "coreChat.forgetPictures",
  forgetMessage: "coreChat.forgetMessage",
  leaveOutMessage: "coreChat.leaveOutMessage",
  sendMessageAgain: "coreChat.sendMessageAgain",
  newConversation: "coreChat.newConversation",
  newUnsavedConversation: "coreChat.newUnsavedConversation",
  setApiKey: "coreChat.setApiKey",
  removeApiKey: "coreChat.removeApiKey",
  setBaseUrl: "coreChat.setBaseUrl",
  setSecretHeader: "coreChat.setSecretHeader",
  removeSecretHeader: "coreChat.removeSecretHeader",
  switchProfile: "coreChat.switchProfile",
  testConnection: "coreChat.testConnection",
  showRequests: "coreChat.showRequests",
  manageModelAccess: "coreChat.manageModelAccess",
  copyRequestAsCurl: "coreChat.copyRequestAsCurl",
  showLog: "coreChat.showLog",
  editSelection: "coreChat.editSelection",
  generateAtCursor: "coreChat.generateAtCursor",
  editReadOnly: "coreChat.editReadOnly",
  inlineKeep: "coreChat.inline.keep",
  inlineKeepAtCursor: "coreChat.inline.keepAtCursor",
  inlineDiscard: "coreChat.inline.discard",
  inlineKeepChange: "coreChat.inline.keepChange",
  inlineDiscardChange: "coreChat.inline.discardChange",
  inlineStop: "coreChat.inline.stop",
  inlineRetry: "coreChat.inline.retry",
  inlineCompare: "coreChat.inline.compare",
  inlineOpenReply: "coreChat.inline.openReply",
  readingInsert: "coreChat.reading.insert",
  readingShowOther: "coreChat.reading.showOther",
  readingAskForWholeBlock: "coreChat.reading.askForWholeBlock",
  readingOpenReply: "coreChat.reading.openReply",
  applyAll: "coreChat.applyAll",
  applyKeep: "coreChat.apply.keep",
  applyDiscard: "coreChat.apply.discard",
  applyChoose: "coreChat.apply.choose",
  askSelection: "coreChat.askSelection",
  addSelection: "coreChat.addSelection",
  addFile: "coreChat.addFile",
  addProblems: "coreChat.addProblems",
  addTerminalSelection: "coreChat.addTerminalSelection",
  addChanges: "coreChat.addChanges",
  addLastCommand: "coreChat.addLastCommand",
  addTestFailure: "coreChat.addTestFailure",
  addNotebookCell: "coreChat.addNotebookCell",
  explainSelection: "coreChat.explainSelection",
  boxSend: "coreChat.box.send",
  boxEarlier: "coreChat.box.earlier",
  boxLater: "coreChat.box.later",
  boxClose: "coreChat.box.close",
  fixSelection: "coreChat.fixSelection",
  writeTests: "coreChat.writeTests",
  documentSelection: "coreChat.documentSelection",
  askImage: "coreChat.askImage",
  askClipboardImage: "coreChat.askClipboardImage",
  takeScreenshot: "coreChat.takeScreenshot",
  comparePictures: "coreChat.comparePictures",
  generateCommitMessage: "coreChat.generateCommitMessage",
  stopCommitMessage: "coreChat.stopCommitMessage",
  openReplyAsText: "coreChat.openReplyAsText",
  send: "coreChat.send",
  insertNewLine: "coreChat.insertNewLine",
  openAccessibilityHelp: "coreChat.openAccessibilityHelp",
} as const;
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

/** Vendor of the language models for other extensions. */
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

/** The section of all settings. */
export const SETTINGS_SECTION = "coreChat";

/** Names of the settings, without the section. package.json has their scopes and defaults too. */
export type SettingName = NameIn<
  keyof (typeof manifest)["contributes"]["configuration"]["properties"]
>;
type NameIn<FullName> = FullName extends `coreChat.${infer Name}` ? Name : never;
