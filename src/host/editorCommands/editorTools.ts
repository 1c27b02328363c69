/**
 * What works in the editor and not in the panel: edits in place, questions about the selection,
 * messages of commits. One file of the extension, read when the first of them is asked for.
 */
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

/** What the tools need of the house. */
export interface EditorCommandsOptions {
  /** Asks for a reply as long as the service gives it. */
  readonly askLong: AskService;
  readonly askShort: AskService;
  readonly runAction: (action: NoticeAction) => void;
  readonly places: ActiveChat;
  readonly log: Log;
}

/** The work of the editor's commands. */
export class EditorCommands implements Disposable {
  private readonly owned = new Disposables();
  readonly inline: InlineCommands;
  readonly commitMessages: CommitMessages;

  constructor(private readonly ports: EditorCommandsOptions) {
    const { askLong, askShort, runAction, log } = ports;
    this.inline = this.owned.add(new InlineCommands({ ask: askLong, runAction, log }));
    this.commitMessages = this.owned.add(new CommitMessages({ ask: askShort, runAction, log }));
  }

  /** Sends a question about the selection, or about the range a code action gives. */
  async askAbout(kind: BuiltInPrompt, argument: unknown): Promise<void> {
    await askAboutSelection(kind, argument, sendFromEditor(this.ports.places));
  }

  dispose(): void {
    this.owned.dispose();
  }
}
