/**
 * What a person has done so far, as context keys: VS Code ticks the walkthrough's steps by them.
 * A key stays set while the window lives; VS Code itself remembers which steps were done.
 */
import type { PrepareTurn } from "../../chat/prepareTurn";
import type { Message } from "../../conversation/message";

const SERVICE_KEY = "coreChat.hasService";
const API_KEY_KEY = "coreChat.hasKey";
const ASKED_KEY = "coreChat.hasAsked";
const SELECTION_KEY = "coreChat.hasAskedSelection";
const PICTURE_KEY = "coreChat.hasAskedPicture";

/** The keys of this window; tells VS Code only what is new. */
export class FirstSteps {
  private readonly told = new Map<string, boolean>();

  constructor(private readonly setContext: (key: string, value: boolean) => void) {}

  /** Whether there is a service, and a key for it where it needs one. */
  noteSetUp(hasService: boolean, hasKey: boolean): void {
    this.tell(SERVICE_KEY, hasService);
    this.tell(API_KEY_KEY, hasKey);
  }

  /** The same way to prepare a turn, with every question that can be asked noted. */
  noting(prepareTurn: PrepareTurn): PrepareTurn {
    return async (path, choices) => {
      const prepared = await prepareTurn(path, choices);
      if (!("kind" in prepared)) this.noteQuestion(path);
      return prepared;
    };
  }

  /**
   * Opens the steps. VS Code ticks one when its key is set, but never if it was set already when it
   * first read the steps, which it may do only now: so what is done is said once more afterwards.
   */
  async show(open: () => PromiseLike<unknown>): Promise<void> {
    const done = [...this.told].flatMap(([key, value]) => (value ? key : []));
    for (const key of done) this.setContext(key, false);
    try {
      await open();
    } finally {
      for (const key of done) this.setContext(key, this.told.get(key) === true);
    }
  }

  private noteQuestion(path: readonly Message[]): void {
    const question = path.findLast((message) => message.role === "user");
    const kinds = new Set(question?.parts.map(({ kind }) => kind));
    this.tell(ASKED_KEY, true);
    if (kinds.has("excerpt")) this.tell(SELECTION_KEY, true);
    if (kinds.has("image") || kinds.has("image-address")) this.tell(PICTURE_KEY, true);
  }

  private tell(key: string, value: boolean): void {
    if ((this.told.get(key) ?? false) === value) return;
    this.told.set(key, value);
    this.setContext(key, value);
  }
}
