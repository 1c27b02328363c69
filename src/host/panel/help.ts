import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { HELP_SCHEME } from "../platform/contributions";
import { VirtualDocuments } from "../platform/virtualDocuments";

const t = vscode.l10n.t;

export class AccessibilityHelp extends DisposableOwner {
  private readonly documents = this.owned.add(new VirtualDocuments(HELP_SCHEME, helpText));

  show(): Promise<void> {
    return this.documents.show(`${t("Core Chat Accessibility Help")}.txt`);
  }
}

function helpText(): string {
  return [
    t("Core Chat: accessibility help"),
    "",
    t("Everything works from the keyboard. Press F1 to run a command by its name."),
    "",
    t("Writing"),
    t("- Core Chat: Open Chat (Ctrl+K J, Cmd+K J on macOS) moves the focus to the message box."),
    t(
      "- Enter sends, or Ctrl+Enter (Cmd+Enter) with the setting coreChat.sendKey. Shift+Enter starts a new line. Escape stops the reply.",
    ),
    t(
      "- Up in the first line of the message box shows earlier questions, Down returns to your text. F2 edits the last message. Alt+M switches to the next model.",
    ),
    t(
      "- Type # to add files, symbols, problems and more, and / for prompts. Up and Down select, Enter accepts, Escape closes.",
    ),
    t(
      "- Attachments are listed as buttons before the message box: Enter opens one, the Remove button after it removes it.",
    ),
    "",
    t("Reading"),
    t("- Each message is an article named You or Assistant in a log named Conversation."),
    t("- Replies are announced sentence by sentence while they stream."),
    t(
      "- Open Reply as Text (Alt+F2) opens the last reply as plain text in an editor. From the context menu of a reply (Shift+F10) it opens that reply.",
    ),
    t(
      "- The buttons of a message, a code block or a picture prompt are one Tab stop: arrow keys move between them. … opens a menu with more, and + beside the message box adds files, pictures and screenshots.",
    ),
    t("- Ctrl+F (Cmd+F) finds text in the conversation."),
    t(
      "- Each message has a heading. Ctrl+Shift+O (Cmd+Shift+O) opens the outline: type to search, Up and Down show a place, Enter goes there, Escape returns.",
    ),
    t(
      "- Ctrl+Alt+Up and Down (Cmd+Alt) go to the previous and next question, Ctrl+Alt+Page Up and Page Down to the previous and next code block. If your screen reader uses these keys, run the commands with F1.",
    ),
    t(
      "- Select text in a message with Shift and the arrow keys, then Alt+Q attaches it to your question.",
    ),
    "",
    t("Conversations"),
    t(
      "- Core Chat: Show History lists all conversations. Type to search; Up and Down select, Enter opens, F2 renames, Delete deletes, Shift+Delete deletes permanently.",
    ),
    t("- Core Chat: Export Conversation saves the conversation to a file."),
    "",
    t("Code edits"),
    t(
      "- Core Chat: Edit Selection (Ctrl+K H) changes the selected code; Up in its box shows earlier instructions. The commands Keep, Discard, Retry, Compare and Stop act on the edit at the cursor; Ctrl+Enter keeps it.",
    ),
    t("- Compare shows the changes in the diff editor. F7 goes to the next change."),
    "",
    t("Useful VS Code settings"),
    t(
      "- workbench.reduceMotion turns off animations and window.zoomLevel enlarges everything. Core Chat follows both.",
    ),
    "",
  ].join("\n");
}
