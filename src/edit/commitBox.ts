/**
 * Writes a growing text into the source control input box and detects when the user edits the box.
 *
 * VS Code reports every write late: after two fast writes the box briefly holds the older text
 * again. An earlier text is therefore an echo, unless it stays; any other text is the user's.
 */
import type { Clock } from "../base/clock";
import { Disposables, type Disposable } from "../base/disposables";

/** Shortest time between two writes, in milliseconds. */
export const BOX_WRITE_INTERVAL_MS = 250;

/**
 * Time, in milliseconds, after which an earlier text counts as the user's (cleared box or undo).
 * Echoes follow each other as closely as the writes, regardless of their delay.
 */
export const BOX_ECHO_MS = 5_000;

/**
 * Time after the start, in milliseconds, in which unknown text may echo a write from before the
 * start. Such text counts as the user's only if it stays.
 */
const EARLY_MS = 1_000;

/** Input box of the Git extension's API. */
export interface InputBox {
  value: string;
}

/** Writer of a single commit message. */
export class CommitBox implements Disposable {
  private readonly owned = new Disposables();
  /** Every text that the box held before or received from this writer. */
  private readonly known: Set<string>;
  private last: string;
  private wanted: string;
  /** Last text that VS Code's own editor of the box showed. */
  private shown: string;
  private timer: Disposable | undefined;
  private echo: { readonly text: string; readonly sinceMs: number } | undefined;
  private waiting: (() => void)[] = [];
  private nextWriteMs = 0;
  private isTheirs = false;
  private readonly startedMs: number;

  /** @param onTakenOver called once, when the user edits the box */
  constructor(
    private readonly box: InputBox,
    private readonly clock: Clock,
    private readonly onTakenOver: () => void,
  ) {
    this.startedMs = clock.nowMs();
    this.last = normalized(box.value);
    this.wanted = this.last;
    this.shown = this.last;
    this.known = new Set([this.last]);
    this.owned.add({ dispose: () => this.timer?.dispose() });
  }

  /** True once the user edited the box; nothing is written after that. */
  get isTakenOver(): boolean {
    return this.isTheirs;
  }

  /** Schedules a text for display; the newest text wins. */
  show(text: string): void {
    this.wanted = normalized(text);
    this.step();
  }

  /**
   * Shows a text and waits until the box holds the text; returns false after an edit by the user.
   */
  async settle(text: string): Promise<boolean> {
    this.nextWriteMs = 0;
    this.show(text);
    while (!this.isTheirs && !this.isSettled) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return !this.isTheirs;
  }

  /** Processes the text in the box's editor, which VS Code reports on every keystroke. */
  observe(shownText: string): void {
    const text = normalized(shownText);
    if (this.isForeign(text)) this.takeOver(text, this.shown !== this.last);
    this.shown = text;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private get isSettled(): boolean {
    return this.wanted === this.last && normalized(this.box.value) === this.last;
  }

  /** Returns true for a text that only the user can have put into the box. */
  private isForeign(text: string): boolean {
    const isEarly = this.known.size === 1 || this.clock.nowMs() - this.startedMs < EARLY_MS;
    return !isEarly && !this.known.has(text);
  }

  private step(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.isTheirs) return;
    const nowMs = this.clock.nowMs();
    const value = normalized(this.box.value);
    if (this.isForeign(value)) {
      this.takeOver(value, false);
    } else if (value !== this.last) {
      if (this.echo?.text !== value) this.echo = { text: value, sinceMs: nowMs };
      if (nowMs - this.echo.sinceMs >= BOX_ECHO_MS) this.takeOver(value, false);
      else this.again(BOX_WRITE_INTERVAL_MS);
    } else {
      this.echo = undefined;
      if (this.wanted !== value) {
        if (nowMs < this.nextWriteMs) {
          this.again(this.nextWriteMs - nowMs);
          return;
        }
        this.nextWriteMs = nowMs + BOX_WRITE_INTERVAL_MS;
        this.last = this.wanted;
        this.known.add(this.last);
        this.box.value = this.last;
      }
      this.wake();
    }
  }

  private again(delayMs: number): void {
    this.timer = this.clock.after(delayMs, () => this.step());
  }

  /** @param isBehind a pending write of this class would replace the user's text */
  private takeOver(theirs: string, isBehind: boolean): void {
    if (this.isTheirs) return;
    this.isTheirs = true;
    this.timer?.dispose();
    if (isBehind) this.box.value = theirs;
    this.onTakenOver();
    this.wake();
  }

  private wake(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Normalizes line ends as VS Code does. */
function normalized(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
