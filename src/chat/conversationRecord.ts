/**
 * State of a conversation. Applies steps in memory and writes them to the journal in the same
 * order.
 */
import { applySteps, type Conversation, type Step } from "../conversation/conversation";
import { choiceSteps, type ChoiceStep } from "../conversation/toSteps";

/**
 * Resolves with true once the steps are on disk, or with false if the disk failed and the steps are
 * queued.
 */
export type SaveSteps = (conversationId: string, steps: readonly Step[]) => Promise<boolean>;

export class ConversationRecord {
  constructor(
    private state: Conversation,
    /** False until the first message is written together with the `created` step. */
    private isOnDisk: boolean,
    private readonly save: SaveSteps,
  ) {}

  get conversation(): Conversation {
    return this.state;
  }

  /**
   * Replaces the state by a state read from disk, which includes all steps of the current state.
   */
  replace(state: Conversation): void {
    this.state = state;
    this.isOnDisk = true;
  }

  /** Applies steps and writes them; resolves once they are on disk or queued. */
  applySteps(steps: readonly Step[]): Promise<boolean> {
    if (steps.length === 0) return Promise.resolve(true);
    const all: Step[] = this.isOnDisk ? [...steps] : [...this.firstSteps(), ...steps];
    this.isOnDisk = true;
    this.state = applySteps(this.state, all);
    return this.save(this.state.id, all);
  }

  /** Applies a choice; an empty conversation writes the choice with its first message. */
  choose(step: ChoiceStep): Promise<unknown> {
    if (this.isOnDisk) return this.applySteps([step]);
    this.state = applySteps(this.state, [step]);
    return Promise.resolve();
  }

  /** Returns the steps that recreate a conversation that was never written. */
  private firstSteps(): Step[] {
    const { id, createdAtMs, workspace } = this.state;
    const created = { id, atMs: createdAtMs, ...(workspace && { workspace }) };
    return [{ kind: "created", ...created }, ...choiceSteps(this.state)];
  }
}
