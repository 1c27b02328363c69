/**
 * Everything that gathers context from the editor, as a lazy-loaded chunk. Loaded when the user
 * first adds context, types "#", or has an excerpt whose file can change.
 */
import type { Clock } from "../../base/clock";
import { DisposableOwner } from "../../base/disposables";
import type { Part } from "../../conversation/message";
import { CONTEXT_SCHEME } from "../platform/contributions";
import { VirtualDocuments } from "../platform/virtualDocuments";
import {
  addChanges,
  addFiles,
  addGathered,
  addNotebookCell,
  addProblems,
  addSelection,
  addTerminal,
  type AddToChat,
} from "./addCommands";
import { partOfText, pickFiles, readFiles } from "./attachedFiles";
import { promptCode } from "./questionCode";
import { StaleExcerpts } from "./staleExcerpts";
import { openPart, type Notes } from "./openPart";
import { gatherLastCommand, gatherTestFailure } from "./failures";
import { ReferenceSearch } from "./references";
import { findCode, findTracedLines } from "./tracedLines";
import type { TerminalCommands } from "./terminalCommands";

/** The commands that add context, the reference search and the check for stale excerpts. */
export class ContextFeatures extends DisposableOwner {
  private readonly notes: Notes = new Map();
  private readonly documents = this.owned.add(
    new VirtualDocuments(CONTEXT_SCHEME, (name) => this.notes.get(name)),
  );
  readonly references: ReferenceSearch;
  readonly changedSince: StaleExcerpts;

  /** @param terminals undefined before the first command in a terminal */
  constructor(
    clock: Clock,
    private readonly terminals: () => TerminalCommands | undefined,
  ) {
    super();
    this.references = this.owned.add(new ReferenceSearch(clock, terminals));
    this.changedSince = this.owned.add(new StaleExcerpts(clock));
  }

  readonly commands = {
    addChanges,
    addFiles,
    addNotebookCell,
    addProblems,
    addSelection,
    addTerminal,
    addLastCommand: async (add: AddToChat) =>
      addGathered([await gatherLastCommand(this.terminals())], add),
    addTestFailure: async (argument: unknown, add: AddToChat) =>
      addGathered([await gatherTestFailure(argument)], add),
  };

  readonly promptCode = promptCode;

  readonly attached = { pickFiles, readFiles, partOfText, findTracedLines, findCode };

  open(part: Part): Promise<void> {
    return openPart(part, this.notes, this.documents);
  }
}
