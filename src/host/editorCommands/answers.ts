/**
 * Answers below the lines of a question, in VS Code's comment threads. Each answer is a conversation
 * of the history, which the panel can continue.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Conversations } from "../../chat/conversation/conversations";
import { meterView } from "../../chat/view/meter";
import { withoutRepeats } from "../../context/overlap";
import type { Part } from "../../conversation/message";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import { maySendExcerpts } from "../access/readAccess";
import { editorQuestion, questionCode, type EditorQuestion } from "../context/questionCode";
import { plainNotice } from "../messages/notices";
import { areCommentsShown, revealBelow, type InstructionBox } from "../inline/instructionBox";
import { panelMessages } from "../messages/panelMessages";
import type { WorkspaceRules } from "../context/workspaceRules";
import type { ChatView } from "../panel/chatView";
import { ANSWERS_CONTROLLER, type CommandHandlers } from "../platform/contributions";
import { FollowedLines } from "../platform/followedLines";
import { pathOf, spanOf } from "../platform/sourceText";
import type { Services } from "../settings/services";
import { builtInPrompts } from "../settings/prompts";
import { readSettings } from "../settings/settings";
import { AnswerBox } from "./answerBox";
import { sentItems } from "./boxComments";

const t = vscode.l10n.t;

export interface AnswersOptions {
  readonly box: Pick<InstructionBox, "ask" | "keepDraft">;
  readonly conversations: Conversations;
  readonly rules: WorkspaceRules;
  readonly runAction: (action: NoticeAction, profile: string) => Promise<void>;
  readonly services: Services;
  readonly view: ChatView;
}

/** Argument of the button below a reply field: the thread and the text of the field. */
const replySchema = z.object({ thread: z.custom<object>(isObject), text: z.string() });

/** Argument of the keys that close the answer with the focus, one key for each slot. */
const slotSchema = z.object({ slot: z.number() });

/** Slots in package.json. Further boxes share the last one; then the box opened last counts. */
const SLOTS = 4;

/** The answers of the window. */
export class Answers implements Disposable {
  private readonly owned = new Disposables();
  private readonly boxes = new Set<AnswerBox>();
  private readonly controller: vscode.CommentController;

  readonly commands = {
    askHere: (argument) => this.ask(argument),
    explainHere: (argument) => this.explain(argument),
    answersSend: (argument) => this.send(argument),
    answersStop: (argument) => this.boxOf(argument)?.stop(),
    answersRetry: (argument) => this.boxOf(argument)?.retry(),
    answersContinue: (argument) => this.boxOf(argument)?.retry(),
    answersOpenInPanel: (argument) => this.openInPanel(argument),
    answersClose: (argument) => this.close(argument),
  } satisfies Partial<CommandHandlers>;

  constructor(private readonly options: AnswersOptions) {
    const { owned } = this;
    this.controller = owned.add(
      vscode.comments.createCommentController(ANSWERS_CONTROLLER, "Core Chat"),
    );
    this.controller.options = {
      prompt: t("Ask a follow-up question"),
      placeHolder: t("Ask a follow-up question"),
    };
    const refresh = () => this.refreshKey();
    owned.add(vscode.window.onDidChangeTextEditorSelection(refresh));
    owned.add(vscode.window.onDidChangeActiveTextEditor(refresh));
    owned.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        // VS Code also reports close and open when only the language of a document changes.
        if (!document.isClosed) return;
        for (const box of this.boxes) if (box.document === document) this.closeBox(box);
      }),
    );
  }

  dispose(): void {
    for (const box of this.boxes) box.dispose();
    this.boxes.clear();
    this.owned.dispose();
  }

  private async explain(argument: unknown): Promise<void> {
    const asked = await editorQuestion("explain", argument);
    if (asked !== undefined) await this.start(builtInPrompts().explain, asked);
  }

  /** Asks for the question in a box that lists the context to be sent. */
  private async ask(argument: unknown): Promise<void> {
    const asked = await editorQuestion("explain", argument);
    if (asked === undefined) return;
    const { document, range, own, found } = asked;
    const { startLine, endLine } = spanOf(document.validateRange(range));
    const path = pathOf(document.uri);
    const sent = this.options.rules.forQuestion(own).then((rules) => {
      const parts = [...withoutRepeats([...own, ...found]), ...(rules ? [rules] : [])];
      return [sentItems(parts), t("~{0} tokens", tokensOf(parts))].join(" · ");
    });
    const followed = new FollowedLines(document, new vscode.Selection(range.start, range.end));
    const text = await this.options.box.ask({
      document,
      range: linesOf(document, range),
      title:
        startLine === endLine
          ? t("Ask about line {0} of {1}", startLine, path)
          : t("Ask about lines {0} to {1} of {2}", startLine, endLine, path),
      placeHolder: t("Ask a question about this code"),
      sent: [sent],
    });
    const now = followed.current;
    followed.dispose();
    if (text === undefined || document.isClosed) return;
    const isSame = document.version === asked.version;
    const code = isSame ? asked : await questionCode("explain", document, now);
    await this.start(text, { ...asked, ...code, range: now });
    await this.options.box.keepDraft("");
  }

  /** Opens a box below the lines and sends the question. */
  private async start(text: string, asked: EditorQuestion): Promise<void> {
    const { document, range, own, found } = asked;
    if (!(await maySendExcerpts(document, own, "send")) || document.isClosed) return;
    const lines = linesOf(document, range);
    const box = new AnswerBox(this.controller, document, lines, {
      live: this.options.conversations.create(),
      question: text,
      slot: this.freeSlot(),
      clock: systemClock,
      offerAction: (notice) => void this.offerAction(notice),
    });
    this.boxes.add(box);
    this.refreshKey();
    revealBelow(document, lines.end);
    await box.ask(withoutRepeats([{ kind: "text", text }, ...own, ...found]));
    if (!areCommentsShown(document)) await this.openInPanel(box.thread);
  }

  private async send(argument: unknown): Promise<void> {
    const parsed = replySchema.safeParse(argument);
    const box = this.boxOf(parsed.success ? parsed.data.thread : undefined);
    const text = parsed.success
      ? parsed.data.text
      : box && (await vscode.window.showInputBox({ title: t("Ask a follow-up question") }));
    if (text !== undefined && text.trim() !== "") await box?.ask([{ kind: "text", text }]);
  }

  private async openInPanel(argument: unknown): Promise<void> {
    const box = this.boxOf(argument);
    if (box === undefined) return;
    await this.options.view.open(box.conversationId);
    this.boxes.delete(box);
    box.dispose();
    this.refreshKey();
  }

  /** Closes the clicked box, the box with the focus, or else the box at the cursor. */
  private close(argument: unknown): void {
    const focused = slotSchema.safeParse(argument);
    const box = focused.success
      ? [...this.boxes].findLast(({ slot }) => slot === focused.data.slot)
      : this.boxOf(argument);
    if (box !== undefined) this.closeBox(box);
  }

  /** Closes a box; stops its reply if nothing of it was shown yet. */
  private closeBox(box: AnswerBox): void {
    this.boxes.delete(box);
    if (!box.hasAnswer) void box.stop();
    box.dispose();
    this.refreshKey();
  }

  /** Returns the box of a thread; the box at the cursor for anything else. */
  private boxOf(argument: unknown): AnswerBox | undefined {
    const all = [...this.boxes];
    return all.find(({ thread }) => thread === argument) ?? all.findLast(isAtCursor);
  }

  private freeSlot(): number {
    const used = new Set([...this.boxes].map(({ slot }) => slot));
    let slot = 1;
    while (used.has(slot) && slot < SLOTS) slot += 1;
    return slot;
  }

  private refreshKey(): void {
    const isAnswerAtCursor = [...this.boxes].some(isAtCursor);
    void vscode.commands.executeCommand("setContext", "coreChat.answerAtCursor", isAnswerAtCursor);
  }

  /** Shows a notice with its action, which the user can run; the box then offers to try again. */
  private async offerAction(notice: NoticeView): Promise<void> {
    const { action } = notice;
    const labels = action ? [action.label] : [];
    const chosen = await vscode.window.showWarningMessage(plainNotice(notice), ...labels);
    const { runAction, services } = this.options;
    if (chosen !== undefined && action) await runAction(action.id, services.activeProfile());
  }
}

/** Returns the estimated tokens of a new conversation with these parts. */
function tokensOf(parts: readonly Part[]): number {
  const { settings } = readSettings();
  const choice = {
    systemPrompt: settings.systemPrompt,
    budgetTokens: settings["context.budget"],
    takesPictures: false,
  };
  const { system, history, files, question } = meterView([], parts, choice, panelMessages);
  return system + history + files + question;
}

/** Returns the whole lines of a selection. */
function linesOf(document: vscode.TextDocument, range: vscode.Range): vscode.Range {
  const { startLine, endLine } = spanOf(document.validateRange(range));
  return new vscode.Range(startLine - 1, 0, endLine - 1, document.lineAt(endLine - 1).text.length);
}

function isAtCursor(box: AnswerBox): boolean {
  const editor = vscode.window.activeTextEditor;
  return editor !== undefined && !box.isCollapsed && box.isAt(editor);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
