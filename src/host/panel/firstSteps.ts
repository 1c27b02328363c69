/**
 * Sets the context keys by which VS Code ticks the steps of the walkthrough. A key stays set until
 * the window closes; VS Code stores the ticks.
 */
import type { PrepareTurn } from "../../chat/conversation/prepareTurn";
import type { Message } from "../../conversation/message";

const API_KEY_KEY = "coreChat.hasKey";
const ASKED_KEY = "coreChat.hasAsked";
const ASIDE_KEY = "coreChat.hasAskedAside";
const PICTURE_KEY = "coreChat.hasAskedPicture";

/** The context keys of this window; VS Code is called for changes only. */
export class FirstSteps {
  private readonly values = new Map<string, boolean>();

  constructor(private readonly setContext: (key: string, value: boolean) => void) {}

  /** Records if there is a service, and the key that it needs. */
  noteSetUp(isSetUp: boolean): void {
    this.setKey(API_KEY_KEY, isSetUp);
  }

  /** Wraps `prepareTurn` to record each question that can be sent. */
  recording(prepareTurn: PrepareTurn): PrepareTurn {
    return async (path, choices) => {
      const prepared = await prepareTurn(path, choices);
      if (!("kind" in prepared)) this.noteQuestion(path);
      return prepared;
    };
  }

  /**
   * Opens the walkthrough at the first step that is not done. VS Code ticks a step when its key changes
   * to true, and may read the steps only now. The keys are therefore cleared before and set again
   * afterwards, and the page opens again with the ticks.
   */
  async show(open: () => PromiseLike<unknown>): Promise<void> {
    const done = [...this.values].flatMap(([key, value]) => (value ? key : []));
    for (const key of done) this.setContext(key, false);
    try {
      await open();
    } finally {
      for (const key of done) this.setContext(key, this.values.get(key) === true);
    }
    if (done.length > 0) await open();
  }

  private noteQuestion(path: readonly Message[]): void {
    const question = path.findLast((message) => message.role === "user");
    const kinds = new Set(question?.parts.map(({ kind }) => kind));
    this.setKey(ASKED_KEY, true);
    if (question?.isAside === true) this.setKey(ASIDE_KEY, true);
    if (kinds.has("image") || kinds.has("image-address")) this.setKey(PICTURE_KEY, true);
  }

  private setKey(key: string, value: boolean): void {
    if ((this.values.get(key) ?? false) === value) return;
    this.values.set(key, value);
    this.setContext(key, value);
  }
}
