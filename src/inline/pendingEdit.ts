/**
 * One edit from the question to its end: asks, lets the answer stream into its session, keeps the
 * questions and answers so that a follow-up refines them, and says how the last answer ended.
 * One answer at a time; whoever made this disposes it.
 */
import type { TurnEvent } from "../ask/ask";
import type { Disposable } from "../base/disposables";
import { newId } from "../base/id";
import type { Ending } from "../conversation/ending";
import type { Message, Part, Reply, UserMessage } from "../conversation/message";
import type { EditSession } from "./editSession";
import { IndentMatcher, unitOf, type IndentStyle } from "./indentation";
import type { Rejection } from "./blockReader";
import { ReplyFold, type FoldStep } from "./replyFold";

/** How the last answer came out. */
export interface AnswerReport {
  readonly ending: Ending;
  /** Parts of the stream that could not be read: such an answer is not kept unasked. */
  readonly damagedParts: number;
  /** The reply held more code than what was taken. */
  readonly hasMoreBlocks: boolean;
  /** The reply said more than the code that was taken. */
  readonly hasLeftOut: boolean;
  /** Why nothing of the reply was taken; undefined when it held code. */
  readonly rejection: Rejection | undefined;
  /** The lines, as they came, that held characters nobody sees; these were left out. */
  readonly hiddenLines: readonly string[];
  /** The whole reply as it came; empty when the service withheld it and it is not to be kept. */
  readonly text: string;
}

/** Why nothing has come yet, for a passing word. */
export type AnswerWait = Extract<TurnEvent, { type: "still-waiting" | "retry-scheduled" }>;

/** What an edit needs of the world. */
export interface PendingEditOptions {
  /** Asks the service; ends with exactly one `turn-ended`, whatever goes wrong. */
  readonly ask: (path: readonly Message[], signal: AbortSignal) => AsyncIterable<TurnEvent>;
  /** Hears each time the edit has something new to show beside what its session tells. */
  readonly changed: () => void;
  /** A line without the characters nobody sees: what goes into a document before anybody agreed. */
  readonly clean: (line: string) => string;
  readonly nowMs: () => number;
}

/** How the document wants its lines. */
export interface DocumentStyle {
  readonly indent: IndentStyle;
  readonly isProse: boolean;
  readonly languageId?: string;
  /** Lines before and after the place when the edit began. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** One pending edit; its session may be closed at any moment, which stops the answer. */
export class PendingEdit implements Disposable {
  private path: Message[] = [];
  /** The last answer's lines as the document got them and as they came. */
  private arrived: { readonly line: string; readonly came: string }[] = [];
  private controller: AbortController | undefined;
  private lastReport: AnswerReport | undefined;
  private lastWait: AnswerWait | undefined;

  constructor(
    readonly session: EditSession,
    private readonly style: DocumentStyle,
    private readonly ports: PendingEditOptions,
  ) {
    session.onChanged(() => {
      if (session.phase.kind !== "streaming") this.stop();
    });
  }

  /** How the last answer came out; undefined while one comes. */
  get report(): AnswerReport | undefined {
    return this.lastReport;
  }

  /** Set while the service keeps us waiting. */
  get wait(): AnswerWait | undefined {
    return this.lastWait;
  }

  /** The last reply, as it came; undefined before the first, and for one that was withheld. */
  get lastReply(): string | undefined {
    const reply = this.path.findLast((message) => message.role === "assistant");
    return reply?.ending === undefined || isWithdrawn(reply.ending) ? undefined : reply.text;
  }

  /** Lines of the proposal with what was left out of the answer's; others stay as they are. */
  asTheyCame(lines: readonly string[]): string[] {
    let next = 0;
    return lines.map((line) => {
      const at = this.arrived.findIndex((one, index) => index >= next && one.line === line);
      if (at === -1) return line;
      next = at + 1;
      return this.arrived[at]?.came ?? line;
    });
  }

  /** Asks, after what was asked before; resolves when the answer is over and in the document. */
  async ask(parts: readonly Part[]): Promise<AnswerReport | undefined> {
    if (this.session.phase.kind !== "pending") return undefined;
    const nowMs = this.ports.nowMs();
    const question: UserMessage = {
      role: "user",
      id: newId(nowMs),
      parentId: this.path.at(-1)?.id ?? null,
      parts: [...parts],
      sentAtMs: nowMs,
    };
    this.path.push(question);
    return this.answer();
  }

  /** Asks the last question once more; the new answer takes the place of the one before. */
  async retry(): Promise<AnswerReport | undefined> {
    if (this.session.phase.kind !== "pending") return undefined;
    while (this.path.at(-1)?.role === "assistant") this.path.pop();
    return this.path.length === 0 ? undefined : this.answer();
  }

  /**
   * Puts lines into the document that the user wants although they were not taken for code.
   * @param from the edit whose questions and answers go before; may be this one
   */
  async insert(lines: readonly string[], from: PendingEdit): Promise<void> {
    if (this.session.phase.kind !== "pending") return;
    this.path = [...from.path];
    this.lastReport = from.lastReport && { ...from.lastReport, rejection: undefined };
    const target = withoutOnlyBlanks(this.session.answerableLines);
    const { indent, languageId = "" } = this.style;
    const matcher = new IndentMatcher({ ...indent, target, languageId }, lines);
    this.session.begin();
    const matched = lines.map((line) => {
      const came = matcher.match(line);
      return { came, line: this.ports.clean(came) };
    });
    this.arrived = matched;
    this.session.take(matched.map(({ line }) => line));
    await this.session.finish("whole");
    this.ports.changed();
  }

  /** Stops the answer; what arrived is offered. Harmless when none comes. */
  stop(): void {
    this.controller?.abort(new Error("stopped"));
  }

  dispose(): void {
    this.stop();
    this.session.dispose();
  }

  private async answer(): Promise<AnswerReport> {
    const controller = new AbortController();
    this.controller = controller;
    this.lastReport = undefined;
    this.session.begin();
    const nowMs = this.ports.nowMs();
    const { indent, isProse, languageId = "", before = [], after = [] } = this.style;
    const target = withoutOnlyBlanks(this.session.answerableLines);
    const fold = new ReplyFold({ isProse, languageId, target, before, after });
    const style: IndentStyle = {
      ...indent,
      unit: unitOf(target) ?? unitOf([...before, ...after]),
      target,
      languageId,
    };
    let matcher = new IndentMatcher(style);
    let raw: string[] = [];
    const arrived: typeof this.arrived = [];
    this.arrived = arrived;
    const give = ({ isRestart, lines, isPlaced }: FoldStep) => {
      if (isRestart) {
        arrived.length = 0;
        raw = [];
        matcher = new IndentMatcher(style);
        this.session.restart();
      }
      raw.push(...(isPlaced ? [] : lines));
      const matched = lines.map((line) => {
        const came = isPlaced ? line : matcher.match(line);
        return { came, line: this.ports.clean(came) };
      });
      arrived.push(...matched);
      this.session.take(matched.map(({ line }) => line));
    };
    let text = "";
    let ending: Ending = { kind: "stopped" };
    let damagedParts = 0;
    for await (const event of this.ports.ask([...this.path], controller.signal)) {
      this.tell(event);
      if (event.type === "text-delta") {
        text += event.text;
        give(fold.push(event.text));
      } else if (event.type === "turn-ended") {
        ({ ending, damagedParts = 0 } = event);
      }
    }
    const isWhole = ending.kind === "complete";
    give(fold.end(isWhole));
    const whole = new IndentMatcher(style, raw);
    const isGuessedWell = raw.every((line, at) => whole.match(line) === arrived[at]?.came);
    if (!isGuessedWell) {
      const lines = raw;
      const last = new IndentMatcher(style, lines);
      give({ isRestart: true, lines: lines.map((line) => last.match(line)), isPlaced: true });
    }
    this.tell(undefined);
    this.path.push(this.replyOf(text, nowMs, ending));
    const { rejection, hasMoreBlocks, hasLeftOut, hasCode } = fold;
    await this.session.finish(hasCode ? outcomeOf(ending) : "withdrawn");
    if (this.controller === controller) this.controller = undefined;
    const hiddenLines = arrived.flatMap(({ line, came }) => (line === came ? [] : came));
    this.lastReport = {
      ending,
      damagedParts,
      hasMoreBlocks,
      hasLeftOut,
      rejection,
      hiddenLines,
      text: isWithdrawn(ending) ? "" : text,
    };
    this.ports.changed();
    return this.lastReport;
  }

  private tell(event: TurnEvent | undefined): void {
    const isWait = event?.type === "still-waiting" || event?.type === "retry-scheduled";
    if (!isWait && this.lastWait === undefined) return;
    this.lastWait = isWait ? event : undefined;
    this.ports.changed();
  }

  private replyOf(text: string, startedAtMs: number, ending: Ending): Reply {
    return {
      role: "assistant",
      id: newId(startedAtMs),
      parentId: this.path.at(-1)?.id ?? null,
      text,
      modelKind: "llm",
      modelCode: "",
      startedAtMs,
      ending,
    };
  }
}

/** Only a reply that ended as complete replaces everything; the rest is offered with what it left. */
function outcomeOf(ending: Ending): "whole" | "part" | "withdrawn" {
  if (ending.kind === "complete") return "whole";
  return isWithdrawn(ending) ? "withdrawn" : "part";
}

function isWithdrawn(ending: Ending): boolean {
  return ending.kind === "withheld" && !ending.isTextKept;
}

/** An empty line to be filled is no text to be rewritten. */
function withoutOnlyBlanks(lines: readonly string[]): readonly string[] {
  return lines.every((line) => line.trim() === "") ? [] : lines;
}
