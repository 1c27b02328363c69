/**
 * What is gathered from the editor, as one file beside the host's: read when somebody first adds
 * something, names something by "#", or has a chip to look after.
 */
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Part } from "../../conversation/message";
import { CONTEXT_SCHEME } from "../platform/contributions";
import { VirtualDocuments } from "../platform/virtualDocuments";
import { addChanges, addFiles, addProblems, addSelection, addTerminal } from "./addCommands";
import { StaleExcerpts } from "./staleExcerpts";
import { openPart, type Notes } from "./openPart";
import { ReferenceSearch } from "./references";

/** The commands that add something, and what lasts. */
export class ContextFeatures implements Disposable {
  private readonly owned = new Disposables();
  private readonly notes: Notes = new Map();
  private readonly documents = this.owned.add(
    new VirtualDocuments(CONTEXT_SCHEME, (name) => this.notes.get(name)),
  );
  readonly references: ReferenceSearch;
  readonly changedSince: StaleExcerpts;

  constructor(clock: Clock) {
    this.references = this.owned.add(new ReferenceSearch(clock));
    this.changedSince = this.owned.add(new StaleExcerpts(clock));
  }

  readonly commands = { addChanges, addFiles, addProblems, addSelection, addTerminal };

  open(part: Part): Promise<void> {
    return openPart(part, this.notes, this.documents);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
