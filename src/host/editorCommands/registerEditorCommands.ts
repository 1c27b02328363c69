import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { CommandHandlers, CommandName } from "../platform/contributions";
import { SAVED_EDITS_KEY } from "../inline/savedEdits";
import type { EditorCommandsOptions } from "./editorCommands";

const LAZY_COMMANDS = [
  "editSelection",
  "generateAtCursor",
  "editReadOnly",
  "inlineKeep",
  "inlineKeepAtCursor",
  "inlineDiscard",
  "inlineKeepChange",
  "inlineDiscardChange",
  "inlineStop",
  "inlineRetry",
  "inlineCompare",
  "inlineOpenReply",
  "readingInsert",
  "readingShowOther",
  "readingAskForWholeBlock",
  "readingOpenReply",
  "explainSelection",
  "fixSelection",
  "writeTests",
  "documentSelection",
] as const;

const BOX_COMMANDS = ["boxSend", "boxEarlier", "boxLater", "boxClose"] as const;

export function registerEditorCommands(options: EditorCommandsOptions) {
  const { memory } = options;
  const owned = new Disposables();
  const loadBox = lazily(async () => {
    const { InstructionBox } = await import("../inline/instructionBox");
    return owned.add(new InstructionBox(memory));
  });
  const load = lazily(async () => {
    const [{ createEditorCommands }, box] = await Promise.all([
      import("./editorCommands"),
      loadBox(),
    ]);
    return owned.add(createEditorCommands(options, box)).commands;
  });
  // Loads the edits that were pending when the window was reloaded; a command that needs them
  // reports a failure.
  if (memory.get(SAVED_EDITS_KEY) !== undefined) load().catch(() => undefined);
  return {
    commands: {
      ...lazyCommands(LAZY_COMMANDS, load),
      ...lazyCommands(BOX_COMMANDS, async () => (await loadBox()).commands),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}

function lazyCommands<Name extends CommandName>(
  names: readonly Name[],
  load: () => Promise<CommandHandlers<Name>>,
): CommandHandlers<Name> {
  const handlers = names.map((name) => [
    name,
    async (...args: unknown[]) => (await load())[name](...args),
  ]);
  return Object.fromEntries(handlers) as CommandHandlers<Name>;
}
