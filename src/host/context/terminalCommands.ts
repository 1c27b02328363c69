/**
 * Keeps the last commands of the terminals with the end of their output, from VS Code's shell
 * integration. Nothing is sent before the user adds a command to a question. Loaded with the first
 * command.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";

/** Context key for the button in the terminal's title. */
const FAILED_KEY = "coreChat.lastCommandFailed";

/** Upper limits: commands of the window, and output of a command in UTF-16 units. */
const MAX_COMMANDS = 20;
const MAX_OUTPUT = 200_000;

/** Exit code of a command that the user stopped with Ctrl+C. */
const INTERRUPTED = 130;

/** A command that ran, or still runs, in a terminal. */
export interface TerminalCommand {
  readonly terminal: vscode.Terminal;
  readonly execution: vscode.TerminalShellExecution;
  /** End of the raw output. */
  output: string;
  /** Undefined while the command runs, and if the shell does not report a code. */
  exitCode: number | undefined;
  isRunning: boolean;
  /** True once all output is read; the end of a command may be reported before. */
  isRead: boolean;
}

export class TerminalCommands implements Disposable {
  /** Oldest first. */
  private readonly commands: TerminalCommand[] = [];
  private isDisposed = false;

  /** @param output read since the command began */
  async follow(
    { terminal, execution }: vscode.TerminalShellExecutionStartEvent,
    output: AsyncIterable<string>,
  ): Promise<void> {
    const command: TerminalCommand = {
      terminal,
      execution,
      output: "",
      exitCode: undefined,
      isRunning: true,
      isRead: false,
    };
    this.commands.push(command);
    if (this.commands.length > MAX_COMMANDS) this.commands.shift();
    this.showFailed();
    for await (const text of output) {
      if (this.isDisposed) return;
      command.output = (command.output + text).slice(-MAX_OUTPUT);
    }
    command.isRead = true;
  }

  end({ execution, exitCode }: vscode.TerminalShellExecutionEndEvent): void {
    const command = this.commands.find((one) => one.execution === execution);
    if (command === undefined) return;
    command.exitCode = exitCode;
    command.isRunning = false;
    this.showFailed();
  }

  /** Returns the last command of the window; undefined if no shell reported one. */
  get last(): TerminalCommand | undefined {
    return this.commands.at(-1);
  }

  /** Returns the commands of a terminal, oldest first. */
  commandsOf(terminal: vscode.Terminal): readonly TerminalCommand[] {
    return this.commands.filter((command) => command.terminal === terminal);
  }

  dispose(): void {
    this.isDisposed = true;
    this.commands.length = 0;
  }

  private showFailed(): void {
    const isFailed = ![undefined, 0, INTERRUPTED].includes(this.last?.exitCode);
    void vscode.commands.executeCommand("setContext", FAILED_KEY, isFailed);
  }
}
