/**
 * Gathers what just failed: the last command of the terminal, the output of a terminal, a failed
 * test. Secrets are replaced, and paths are relative.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { systemClock } from "../../base/clock";
import type { PictureFile } from "../../chat/view/editorContext";
import { endOf } from "../../context/programText";
import type { NotePart } from "../../conversation/message";
import { maySendText } from "../access/readAccess";
import { pathOf } from "../platform/sourceText";
import { picturesNamedIn } from "./failurePictures";
import { gatherTerminal, refused, type Gathered } from "./gather";
import { sentText } from "./sentText";
import type { TerminalCommand, TerminalCommands } from "./terminalCommands";

/** Upper limits of output, in UTF-16 units. The end is kept: errors are there. */
const MAX_OUTPUT = 16_000;
const MAX_COMMAND_LINE = 1_000;

/** Longest wait for the rest of the output, and the time between two checks, in milliseconds. */
const MAX_WAIT_MS = 500;
const WAIT_STEP_MS = 20;

/** Commands of a terminal that are sent together. */
const MAX_COMMANDS = 5;

/** Gathers the last command with its folder, exit code and the end of its output. */
export async function gatherLastCommand(commands: TerminalCommands | undefined): Promise<Gathered> {
  const last = commands?.last;
  if (last === undefined) {
    return refused(
      vscode.l10n.t(
        "No command was recorded in a terminal. Run a command in a terminal with shell integration, then try again.",
      ),
    );
  }
  const label = vscode.l10n.t("Last command");
  const detail = await detailOf(last);
  const text = await commandText(last, "Last command in the terminal");
  const pictures = await picturesNamedIn(last.output, last.execution.cwd);
  return note("terminal", label, detail, text, pictures);
}

/** Returns the command line and its exit code, for a chip. */
export async function detailOf({
  execution,
  exitCode,
  isRunning,
}: TerminalCommand): Promise<string> {
  const [line = ""] = (await sentText(execution.commandLine.value)).split("\n");
  const shown = line.length > 40 ? `${line.slice(0, 39)}…` : line;
  if (isRunning) return vscode.l10n.t("{0}, running", shown);
  return exitCode === undefined ? shown : vscode.l10n.t("{0}, exit code {1}", shown, exitCode);
}

/**
 * Gathers the last commands of the active terminal with their output; without shell integration the
 * selection of the terminal.
 */
export async function gatherTerminalOutput(
  commands: TerminalCommands | undefined,
): Promise<Gathered> {
  const terminal = vscode.window.activeTerminal;
  const recent = terminal && commands?.commandsOf(terminal).slice(-MAX_COMMANDS);
  if (recent === undefined || recent.length === 0) return gatherTerminal();
  const texts = await Promise.all(recent.map((command) => commandText(command, "Command")));
  const text = `From the terminal:\n${endOf(texts.join("\n\n"), MAX_OUTPUT)}`;
  return note("terminal", vscode.l10n.t("Terminal"), "", text);
}

/** A failed test as VS Code's test menus pass it. */
const testMessageSchema = z.object({
  test: z.optional(z.object({ label: z.string() })),
  message: z.object({
    message: z.union([z.string(), z.object({ value: z.string() })]),
    expectedOutput: z.optional(z.string()),
    actualOutput: z.optional(z.string()),
    location: z.optional(
      z.object({
        uri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
        range: z.object({ start: z.object({ line: z.number() }) }),
      }),
    ),
  }),
});

/** Gathers the failure that a menu of Test Results passes. */
export async function gatherTestFailure(argument: unknown): Promise<Gathered> {
  const parsed = testMessageSchema.safeParse(argument);
  if (!parsed.success)
    return refused(vscode.l10n.t("Choose a failure in Test Results, and use its button."));
  const { test, message } = parsed.data;
  const { location, expectedOutput, actualOutput } = message;
  const position = location && `${pathOf(location.uri)}:${location.range.start.line + 1}`;
  const stated = typeof message.message === "string" ? message.message : message.message.value;
  const lines = [
    `Test: ${test?.label ?? ""}`,
    ...(position === undefined ? [] : [`At: ${position}`]),
    `Message:\n${stated}`,
    ...(expectedOutput === undefined ? [] : [`Expected:\n${expectedOutput}`]),
    ...(actualOutput === undefined ? [] : [`Actual:\n${actualOutput}`]),
  ];
  const text = endOf(await sentText(lines.join("\n")), MAX_OUTPUT);
  const pictures = await picturesNamedIn(stated);
  const label = vscode.l10n.t("Test failure");
  return note("test", label, test?.label ?? "", `A test failed.\n${text}`, pictures);
}

/** Waits until the output of an ended command is read. */
async function waitForOutput(command: TerminalCommand): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += WAIT_STEP_MS) {
    if (command.isRunning || command.isRead) return;
    await new Promise<void>((resolve) => void systemClock.after(WAIT_STEP_MS, resolve));
  }
}

async function commandText(command: TerminalCommand, title: string): Promise<string> {
  await waitForOutput(command);
  const { execution, exitCode, isRunning } = command;
  const { cwd, commandLine } = execution;
  const details = [
    ...(cwd === undefined ? [] : [`folder ${pathOf(cwd)}`]),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(isRunning ? ["still running"] : []),
  ];
  const line = (await sentText(commandLine.value)).slice(0, MAX_COMMAND_LINE);
  const output = endOf(await sentText(command.output), MAX_OUTPUT);
  const head = details.length === 0 ? `${title}:` : `${title} (${details.join(", ")}):`;
  return `${head}\n$ ${line}\n${output === "" ? "[no output]" : output}`;
}

/** Returns the note; asks first if a secret is left in its text. */
async function note(
  source: NotePart["source"],
  label: string,
  detail: string,
  text: string,
  pictures: readonly PictureFile[] = [],
): Promise<Gathered> {
  if (!(await maySendText(label, text))) return refused();
  const part: NotePart = { kind: "note", source, label, ...(detail !== "" && { detail }), text };
  return { ok: true, parts: [part], pictures };
}
