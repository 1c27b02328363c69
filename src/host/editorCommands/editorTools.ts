/**
 * Features that work in the editor without the panel: inline edits, questions about the selection,
 * commit messages. Separate bundle, loaded on first use.
 */
import type * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import { InlineCommands } from "../inline/inlineCommands";
import type { ActiveChat } from "../panel/activeChat";
import type { BuiltInPrompt } from "../settings/prompts";
import { askAboutSelection } from "./askCommands";
import type { AskService } from "../settings/askService";
import { CommitMessages } from "../sourceControl/commitMessage";
import { sendFromEditor } from "./sendFromEditor";

/** Dependencies on the rest of the extension. */
export interface EditorCommandsOptions {
  /** Requests a reply with the service's full output length. */
  readonly askLong: AskService;
  readonly askShort: AskService;
  readonly runAction: (action: NoticeAction) => void;
  readonly places: ActiveChat;
  /** Storage of the workspace. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

export class EditorCommands implements Disposable {
  private readonly owned = new Disposables();
  readonly inline: InlineCommands;
  readonly commitMessages: CommitMessages;

  constructor(private readonly ports: EditorCommandsOptions) {
    const { askLong, askShort, runAction, memory, log } = ports;
    this.inline = this.owned.add(new InlineCommands({ ask: askLong, runAction, memory, log }));
    this.commitMessages = this.owned.add(new CommitMessages({ ask: askShort, runAction, log }));
  }

  /** Sends a question about the selection, or about the range of a code action. */
  async askAbout(kind: BuiltInPrompt, argument: unknown): Promise<void> {
    await askAboutSelection(kind, argument, sendFromEditor(this.ports.places));
  }

  dispose(): void {
    this.owned.dispose();
  }
}
