/**
 * A conversation in memory and the way its steps take to disk: what is applied here is written, in
 * the same order. Tells nobody; that is liveConversation.ts.
 */
import { applySteps, type Conversation, type Step } from "../conversation/conversation";
import { choiceSteps, type ChoiceStep } from "../conversation/toSteps";

/** Resolves with true when the steps are on disk, with false when the disk failed and they are kept. */
export type SaveSteps = (conversationId: string, steps: readonly Step[]) => Promise<boolean>;

/** The state of one conversation. */
export class ConversationRecord {
  constructor(
    private state: Conversation,
    /** False until the first message is written with the step that makes the conversation. */
    private isOnDisk: boolean,
    private readonly save: SaveSteps,
  ) {}

  get conversation(): Conversation {
    return this.state;
  }

  /** Takes over a state that was read from disk and holds everything that is in this one. */
  replace(state: Conversation): void {
    this.state = state;
    this.isOnDisk = true;
  }

  /** Applies steps now and writes them; resolves when they are on disk or kept for later. */
  take(steps: readonly Step[]): Promise<boolean> {
    if (steps.length === 0) return Promise.resolve(true);
    const all: Step[] = this.isOnDisk ? [...steps] : [...this.firstSteps(), ...steps];
    this.isOnDisk = true;
    this.state = applySteps(this.state, all);
    return this.save(this.state.id, all);
  }

  /** Takes a choice; that of an empty conversation is written with its first message. */
  choose(step: ChoiceStep): Promise<unknown> {
    if (this.isOnDisk) return this.take([step]);
    this.state = applySteps(this.state, [step]);
    return Promise.resolve();
  }

  /** What a conversation that was never written holds already. */
  private firstSteps(): Step[] {
    const { id, createdAtMs, workspace } = this.state;
    const created = { id, atMs: createdAtMs, ...(workspace && { workspace }) };
    return [{ kind: "created", ...created }, ...choiceSteps(this.state)];
  }
}
