/**
 * Edit from the first question to its end: asks the service, streams the answer into the session
 * and reports the ending. Keeps the questions and answers, so that a follow-up refines them. Only
 * one answer runs at a time; the creator disposes the edit.
 */
import type { TurnEvent } from "../ask/ask";
import { askOnce } from "../ask/askOnce";
import type { Disposable } from "../base/disposables";
import { newId } from "../base/id";
import type { Ending } from "../conversation/ending";
import {
  isWithdrawn,
  type Message,
  type Part,
  type Reply,
  type UserMessage,
} from "../conversation/message";
import { sameLines } from "./answerLines";
import type { EditSession } from "./editSession";
import type { Candidate, Rejection } from "../replyCode/candidates";
import type { SelectedPart } from "../replyCode/fileLines";
import type { DocumentIndent } from "../replyCode/findTarget";
import { unitOf } from "../replyCode/indentation";
import type { Reason } from "../replyCode/judge";
import { indentOf, isBlank } from "../replyCode/lines";
import { indentOfNewLines } from "../replyCode/newLineIndent";
import { ReplyReader, type ReadStep } from "../replyCode/readReply";

export interface AnswerReport {
  readonly ending: Ending;
  /**
   * Number of unreadable stream parts: an answer with such parts is not kept without confirmation.
   */
  readonly damagedParts: number;
  /** True when the reply held more code than the lines used. */
  readonly hasMoreBlocks: boolean;
  /** True when the reply held more text than the lines used. */
  readonly hasLeftOut: boolean;
  /** Reason why no line of the reply was used; undefined when the reply held code. */
  readonly rejection: Rejection | undefined;
  /** What speaks against the lines of a reply that was rejected for what they would do to the file. */
  readonly reasons: readonly Reason[];
  /** The two best readings of a complete reply of which no line was used, best first. */
  readonly readings: readonly Candidate[];
  /** True when the reply has a code block or a diff. */
  readonly hasBlocks: boolean;
  /**
   * Original lines that contained invisible characters; the document received them without these.
   */
  readonly hiddenLines: readonly string[];
  /** Full original reply; empty when the service withheld the reply, which must not be kept. */
  readonly text: string;
}

/** Reason for a delay, for a temporary status message. */
export type AnswerWait =
  Extract<TurnEvent, { type: "still-waiting" | "retry-scheduled" }> | { readonly type: "thinking" };

export interface PendingEditOptions {
  /**
   * Asks the service; ends with exactly one `turn-ended`, even after errors. Continues the last
   * message if that is a reply.
   */
  readonly ask: (path: readonly Message[], signal: AbortSignal) => AsyncIterable<TurnEvent>;
  /** Runs when the edit has a new state to show, apart from changes of the session. */
  readonly changed: () => void;
  /** Returns a line without invisible characters, for text that the user has not approved yet. */
  readonly clean: (line: string) => string;
  readonly nowMs: () => number;
}

/** Endings after which the model can go on. */
const CONTINUABLE: ReadonlySet<Ending["kind"]> = new Set(["cut-short", "stopped", "failed"]);

export interface DocumentStyle {
  readonly indent: DocumentIndent;
  readonly isProse: boolean;
  readonly languageId?: string;
  /** Path of the document, as it is shown and sent. */
  readonly path?: string;
  /** Lines before and after the range when the edit began. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** Text around the selection, if only a part of the first or of the last line is selected. */
  readonly selectedPart?: SelectedPart;
}

/** Pending edit; closing its session at any time stops the answer. */
export class PendingEdit implements Disposable {
  private path: Message[] = [];
  /** Lines of the last answer, as written to the document and as received. */
  private arrived: { readonly line: string; readonly received: string }[] = [];
  private controller: AbortController | undefined;
  private lastReport: AnswerReport | undefined;
  private lastWait: AnswerWait | undefined;
  private before: readonly string[];
  private after: readonly string[];
  /** True after the range received lines around it. */
  private isWider = false;

  constructor(
    readonly session: EditSession,
    private readonly style: DocumentStyle,
    private readonly options: PendingEditOptions,
    report?: AnswerReport,
  ) {
    this.lastReport = report;
    this.before = style.before ?? [];
    this.after = style.after ?? [];
    session.onChanged(() => {
      if (session.phase.kind !== "streaming") this.stop();
    });
  }

  /** Outcome of the last answer; undefined during an answer. */
  get report(): AnswerReport | undefined {
    return this.lastReport;
  }

  /** Reason for the current delay of the service, if any. */
  get wait(): AnswerWait | undefined {
    return this.lastWait;
  }

  /**
   * Original text of the last reply; undefined before the first reply, and for a withheld reply.
   */
  get lastReply(): string | undefined {
    const reply = this.path.findLast((message) => message.role === "assistant");
    return reply?.ending === undefined || isWithdrawn(reply) ? undefined : reply.text;
  }

  /** Questions and replies so far, oldest first. */
  get messages(): readonly Message[] {
    return this.path;
  }

  /** True if the lines in the document are the last answer and nothing else. */
  get isAsAnswered(): boolean {
    const { lastReport, arrived, session } = this;
    if (lastReport === undefined || lastReport.ending.kind !== "complete") return false;
    if (lastReport.hasLeftOut || lastReport.hiddenLines.length > 0) return false;
    return sameLines(
      session.answerableLines,
      arrived.map(({ line }) => line),
    );
  }

  /**
   * Returns lines of the proposal with the invisible characters restored; other lines stay
   * unchanged.
   */
  asReceived(lines: readonly string[]): string[] {
    const written = this.arrived.map(({ line }) => line);
    let next = 0;
    return lines.map((line) => {
      const at = written.indexOf(line, next);
      if (at === -1) return line;
      next = at + 1;
      return this.arrived[at]?.received ?? line;
    });
  }

  /**
   * Asks a question after the previous questions; resolves when the answer is complete and in the
   * document.
   */
  async ask(parts: readonly Part[]): Promise<AnswerReport | undefined> {
    if (this.session.phase.kind !== "pending") return undefined;
    const nowMs = this.options.nowMs();
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

  /** Asks the last question again; the new answer replaces the previous answer. */
  async retry(): Promise<AnswerReport | undefined> {
    if (this.session.phase.kind !== "pending") return undefined;
    while (this.path.at(-1)?.role === "assistant") this.path.pop();
    return this.path.length === 0 ? undefined : this.answer();
  }

  /** True if the last reply ended early and its text can be continued. */
  get canContinue(): boolean {
    const { lastReport, lastReply = "" } = this;
    if (lastReport === undefined || lastReport.rejection !== undefined) return false;
    return lastReply !== "" && CONTINUABLE.has(lastReport.ending.kind);
  }

  /** True if the questions and answers are known; false for a restored edit. */
  get canAskAgain(): boolean {
    return this.path.length > 0;
  }

  /** Continues the last reply where it stopped. */
  async continue(): Promise<AnswerReport | undefined> {
    return this.session.phase.kind === "pending" && this.canContinue ? this.answer() : undefined;
  }

  /** Continues with the questions and the last answer of an edit that has ended. */
  follow(earlier: PendingEdit): void {
    this.path = [...earlier.path];
    this.lastReport = earlier.lastReport;
  }

  /**
   * Writes a reading of the last reply that the user chose. Returns false, without an effect, if
   * the document has other lines around the range by now.
   */
  async insert(reading: Candidate): Promise<boolean> {
    if (this.session.phase.kind !== "pending") return false;
    this.session.begin();
    const isPlaced = reading.above + reading.below === 0 || this.widen(reading);
    if (isPlaced) {
      this.arrived = reading.lines.map((received) => ({
        received,
        line: this.options.clean(received),
      }));
      this.session.addLines(this.arrived.map(({ line }) => line));
      this.lastReport = this.lastReport && { ...this.lastReport, rejection: undefined };
    }
    await this.session.finish(isPlaced ? "whole" : "withdrawn");
    this.options.changed();
    return isPlaced;
  }

  /**
   * Stops the answer and proposes the lines that arrived. Has no effect without a running answer.
   */
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
    const asked = [...this.path];
    const latest = asked.at(-1);
    const unfinished = latest?.role === "assistant" ? latest : undefined;
    if (unfinished === undefined) this.session.begin();
    else this.session.beginAgain();
    const nowMs = this.options.nowMs();
    const newReader = () => this.newReader();
    let reader = newReader();
    const arrived: typeof this.arrived = [];
    this.arrived = arrived;
    const apply = ({ isRestart, lines }: ReadStep) => {
      if (isRestart) {
        arrived.length = 0;
        this.session.restart();
      }
      const matched = lines.map((received) => ({ received, line: this.options.clean(received) }));
      arrived.push(...matched);
      this.session.addLines(matched.map(({ line }) => line));
    };
    const textBefore = unfinished?.text ?? "";
    apply(reader.push(textBefore));
    const receive = (event: TurnEvent) => {
      this.applyEvent(event);
      if (event.type === "text-delta") apply(reader.push(event.text));
      if (event.type !== "text-was-reasoning") return;
      reader = newReader();
      apply({ isRestart: true, lines: [] });
    };
    const answer = await askOnce(this.options.ask(asked, controller.signal), receive, textBefore);
    const { text, ending, damagedParts = 0 } = answer;
    const isWhole = ending.kind === "complete";
    const last = reader.end(isWhole);
    const { candidate } = reader;
    const isWider = candidate !== undefined && candidate.above + candidate.below > 0;
    const isPlaced = !isWider || this.widen(candidate);
    if (isWider) apply({ isRestart: true, lines: isPlaced ? candidate.lines : [] });
    else apply(last);
    // Lines around the range that changed during the answer no longer match the reply.
    const rejection: Rejection | undefined = isPlaced ? reader.rejection : "diff";
    this.applyEvent(undefined);
    if (unfinished !== undefined) this.path.pop();
    this.path.push(this.replyOf(text, nowMs, ending));
    const { hasMoreBlocks, hasLeftOut, readings, reasons, hasBlocks, isCodeWhole } = reader;
    await this.session.finish(
      rejection !== undefined || answer.isWithdrawn ? "withdrawn" : isCodeWhole ? "whole" : "part",
    );
    if (this.controller === controller) this.controller = undefined;
    const hiddenLines = arrived.flatMap(({ line, received }) =>
      line === received ? [] : received,
    );
    this.lastReport = {
      ending,
      damagedParts,
      hasMoreBlocks,
      hasLeftOut,
      rejection,
      reasons,
      readings,
      hasBlocks,
      hiddenLines,
      text,
    };
    this.options.changed();
    return this.lastReport;
  }

  private newReader(): ReplyReader {
    const { before, after } = this;
    const { indent, isProse, languageId = "", path, selectedPart } = this.style;
    const target = this.session.answerableLines;
    const unit = unitOf(target) ?? unitOf([...before, ...after]);
    const level = indent.usesTabs ? "\t" : " ".repeat(unit ?? indent.size);
    const position = { before, after, level, isProse };
    const base =
      this.statedIndent(target) ??
      ((lines: readonly string[]) => indentOfNewLines(lines, position));
    return new ReplyReader({
      before,
      target,
      after,
      isWider: this.isWider,
      isProse,
      languageId,
      path,
      // Only the lines as they were selected have the text around.
      selectedPart: this.session.isUnchanged ? selectedPart : undefined,
      style: { ...indent, unit, base },
    });
  }

  /** Returns the indentation of the lines to rewrite, or that of the cursor; undefined if it has none. */
  private statedIndent(target: readonly string[]): string | undefined {
    const [blank] = target;
    if (!target.every(isBlank)) return indentOf(target);
    // New lines above a line are written where that line begins.
    if (blank === undefined)
      return this.session.answerableStart === 0 ? indentOf(this.after) : undefined;
    return blank === "" ? undefined : blank;
  }

  /**
   * Adds the lines around the range that a candidate changes to the range; returns false if the
   * document has other lines there by now.
   */
  private widen({ above, below }: Candidate): boolean {
    const { before, after } = this;
    const start = before.length - above;
    if (!this.session.widen(before.slice(start), after.slice(0, below))) return false;
    this.before = before.slice(0, start);
    this.after = after.slice(below);
    this.isWider = true;
    return true;
  }

  private applyEvent(event: TurnEvent | undefined): void {
    const wait = event && waitOf(event);
    // VS Code asks for lenses some time after their last change; a repeated one would postpone them.
    if (wait?.type === this.lastWait?.type && wait?.type !== "retry-scheduled") return;
    this.lastWait = wait;
    this.options.changed();
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

function waitOf(event: TurnEvent): AnswerWait | undefined {
  switch (event.type) {
    case "still-waiting":
    case "retry-scheduled":
      return event;
    case "reasoning-delta":
    case "text-was-reasoning":
      return { type: "thinking" };
    default:
      return undefined;
  }
}
