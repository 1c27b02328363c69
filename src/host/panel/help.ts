/** Shows the accessibility help: a document about keyboard and screen reader use. */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { HELP_SCHEME } from "../platform/contributions";
import { VirtualDocuments } from "../platform/virtualDocuments";

const t = vscode.l10n.t;

export class AccessibilityHelp implements Disposable {
  private readonly owned = new Disposables();
  private readonly documents = this.owned.add(new VirtualDocuments(HELP_SCHEME, helpText));

  /** Shows the help in an editor. */
  show(): Promise<void> {
    return this.documents.show(`${t("Core Chat Accessibility Help")}.txt`);
  }

  dispose(): void {
    this.owned.dispose();
  }
}

function helpText(): string {
  return [
    t("Core Chat: accessibility help"),
    "",
    t("Everything can be reached by keyboard, and VS Code's commands by F1 and their names."),
    "",
    t("Writing"),
    t("- Core Chat: Open Chat (Ctrl+K J, Cmd+K J on macOS) puts the caret into the message box."),
    t("- Enter sends. Shift+Enter begins a new line. Escape stops a reply that is coming."),
    t("- Up in an empty message box edits the last message. Alt+M chooses the next model."),
    t(
      "- # offers files, symbols, problems and more to send along; / offers prompts. Up and Down choose, Enter takes, Escape closes.",
    ),
    t(
      "- What goes along stands before the message box as a list of buttons: open one with Enter, take it away with the Remove button after it.",
    ),
    "",
    t("Reading"),
    t("- Each message is an article named You or Assistant in a log named Conversation."),
    t("- A reply is announced sentence by sentence while it comes."),
    t(
      "- Open Reply as Text (Alt+F2) shows the last reply as plain text in an editor; from a reply's context menu (Shift+F10) it shows that reply.",
    ),
    t(
      "- Each reply and each code block has its buttons after it: Copy, Insert at cursor, Apply in editor and more.",
    ),
    t("- Ctrl+F (Cmd+F) searches in the conversation."),
    "",
    t("Conversations"),
    t(
      "- Core Chat: Show History lists all conversations: type to search, Up and Down choose, Enter opens, F2 renames, Delete deletes.",
    ),
    t("- Core Chat: Export Conversation writes the conversation to a file."),
    "",
    t("Code edits"),
    t(
      "- Core Chat: Edit Selection (Ctrl+K H) changes the selected code. The commands Keep, Discard, Retry, Compare and Stop work where the caret is; Ctrl+Enter keeps.",
    ),
    t("- Compare shows the change in VS Code's diff editor, which F7 walks through."),
    "",
    t("Settings of VS Code that help"),
    t(
      "- workbench.reduceMotion turns movement off and window.zoomLevel makes everything bigger; Core Chat follows both.",
    ),
    "",
  ].join("\n");
}
