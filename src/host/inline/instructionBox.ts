/**
 * Asks for an instruction below the lines it is about. Uses a comment in edit mode, which is the only
 * field with several lines that an extension can show in an editor.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { DisposableOwner, Disposables, toDisposable } from "../../base/disposables";
import { BOX_CONTROLLER, INSTRUCTIONS_KEY, type CommandHandlers } from "../platform/contributions";
import { sourceOf } from "../platform/sourceText";

const t = vscode.l10n.t;

/** Scheme of the documents in which VS Code edits comments. */
export const COMMENT_SCHEME = "comment";

/** Upper limit of earlier instructions. */
const MAX_EARLIER = 50;

/**
 * Answers of VS Code, and the pause before each in milliseconds, after which it is taken to show no comments
 * in an editor, such as in Zen Mode. A slow window answers late, and shows its box before it answers.
 */
const ANSWERS_BEFORE_HIDDEN = 8;
const ANSWER_PAUSE_MS = 500;

/** Lines that are visible below a box and its answer, and above it at most. */
const LINES_BELOW = 10;
const LINES_ABOVE = 15;

const storedSchema = z.object({
  /** Text of a box that has not led to an edit or an answer yet. */
  draft: z.string(),
  /** Texts of earlier boxes, the last one first. */
  earlier: z.array(z.string()),
});
type Stored = z.infer<typeof storedSchema>;

export interface BoxQuestion {
  readonly document: vscode.TextDocument;
  /** Lines of the question; the box is below the last one. */
  readonly range: vscode.Range;
  readonly title: string;
  readonly placeHolder: string;
  /** Text at first, instead of a kept instruction. */
  readonly suggested?: string | undefined;
  /** Sentence about the question, such as a part of the selection that does not count. */
  readonly remark?: string | undefined;
  /** Summaries of the content to send, one line each. A later summary replaces an earlier one. */
  readonly sent: readonly Promise<string>[];
}

type BoxResult = { readonly text: string } | "canceled" | "hidden";

/** Asks for a text in a box; undefined if the user cancels or the document is closed. */
export type AskAtCode = (question: BoxQuestion) => Promise<string | undefined>;

export class InstructionBox extends DisposableOwner {
  private readonly controller = this.owned.add(
    vscode.comments.createCommentController(BOX_CONTROLLER, "Core Chat"),
  );
  private open: OpenBox | undefined;

  readonly commands: CommandHandlers<"boxSend" | "boxEarlier" | "boxLater" | "boxClose"> = {
    boxSend: () => this.send(),
    boxEarlier: () => this.open?.showOther(1),
    boxLater: () => this.open?.showOther(-1),
    boxClose: () => this.cancel(),
  };

  constructor(private readonly memory: vscode.Memento) {
    super();
    const { owned } = this;
    owned.add(toDisposable(() => this.open?.close("canceled")));
    owned.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.open?.activated(editor)));
    owned.add(vscode.window.onDidChangeTextEditorSelection(() => this.open?.setKeys()));
    owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document !== this.open?.field?.document) return;
        this.open.setKeys();
        void this.store({ draft: this.open.text });
      }),
    );
    owned.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.open?.document && document.isClosed) this.open.close("canceled");
      }),
    );
  }

  readonly ask: AskAtCode = async (question) => {
    this.open?.close("canceled");
    const { draft, earlier } = this.stored;
    const value = question.suggested ?? draft;
    if (!areCommentsShown(question.document)) return askInInputBox(question, value);
    const box = new OpenBox(this.controller, question, value, earlier);
    this.open = box;
    const result = await box.result;
    if (this.open === box) this.open = undefined;
    if (result === "hidden") return askInInputBox(question, value);
    return result === "canceled" ? undefined : result.text;
  };

  /** Stores the text of the next box; empty if the last text has led to an edit or an answer. */
  keepDraft(draft: string): Promise<void> {
    return this.store({ draft });
  }

  private async send(): Promise<void> {
    const { open } = this;
    const text = open?.text ?? "";
    if (open === undefined || text.trim() === "") return;
    await this.store({ draft: text, earlier: this.earlierWith(text) });
    focusEditor();
    open.close({ text });
  }

  /** Closes the box; its text becomes the newest of the earlier ones. */
  private async cancel(): Promise<void> {
    const { open } = this;
    const text = open?.text ?? "";
    focusEditor();
    open?.close("canceled");
    await this.store({ draft: "", ...(text.trim() !== "" && { earlier: this.earlierWith(text) }) });
  }

  private get stored(): Stored {
    const parsed = storedSchema.safeParse(this.memory.get(INSTRUCTIONS_KEY));
    return parsed.success ? parsed.data : { draft: "", earlier: [] };
  }

  private async store(change: Partial<Stored>): Promise<void> {
    await this.memory.update(INSTRUCTIONS_KEY, { ...this.stored, ...change });
  }

  private earlierWith(text: string): string[] {
    return [text, ...this.stored.earlier.filter((one) => one !== text)].slice(0, MAX_EARLIER);
  }
}

/** A box until it is sent or closed. */
class OpenBox {
  readonly document: vscode.TextDocument;
  readonly result: Promise<BoxResult>;
  /** Editor of the text; undefined until VS Code shows the box. */
  field: vscode.TextEditor | undefined;
  private readonly owned = new Disposables();
  private readonly thread: vscode.CommentThread;
  private finish: (result: BoxResult) => void = () => undefined;
  private shown = 0;
  private readonly texts: string[];
  private isClosed = false;

  constructor(
    controller: vscode.CommentController,
    { document, range, title, remark, sent }: BoxQuestion,
    value: string,
    earlier: readonly string[],
  ) {
    this.document = document;
    this.texts = [value, ...earlier];
    const comment: vscode.Comment = {
      author: { name: "" },
      body: value,
      mode: vscode.CommentMode.Editing,
      ...(remark !== undefined && { label: remark }),
    };
    this.thread = this.owned.add(controller.createCommentThread(document.uri, range, [comment]));
    this.thread.label = title;
    this.thread.canReply = false;
    this.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    revealBelow(document, range.end);
    // The caret is at the end of the text as soon as VS Code shows it.
    setKey("coreChat.boxAtTop", !value.includes("\n"));
    setKey("coreChat.boxAtEnd", true);
    void showAll(sent, (items) => {
      if (this.isClosed) return;
      comment.author = { name: t("Context") };
      comment.label = withRemark(items, remark);
      // VS Code keeps a comment and its field while the object is the same.
      this.thread.comments = [comment];
    });
    void this.closeIfHidden();
    this.result = new Promise((resolve) => (this.finish = resolve));
  }

  get text(): string {
    return this.field === undefined ? (this.texts[0] ?? "") : textOf(this.field.document);
  }

  activated(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme === COMMENT_SCHEME) {
      // VS Code takes the height of a first text before the field has its width; a change corrects it.
      if (this.field === undefined && this.texts[0] !== "") void this.write(editor, this.texts[0]);
      this.field = editor;
    }
    this.setKeys();
  }

  /** Sets the keys of the conditions in which Up and Down show other instructions. */
  setKeys(): void {
    const { field } = this;
    if (field === undefined) return;
    const isHere = vscode.window.activeTextEditor === field;
    const line = isHere && field.selection.isEmpty ? field.selection.active.line : undefined;
    setKey("coreChat.boxAtTop", line === 0);
    setKey("coreChat.boxAtEnd", isHere && line === field.document.lineCount - 1);
  }

  /** Shows an earlier or a later text; the text at first comes after the last one. */
  async showOther(step: 1 | -1): Promise<void> {
    const { field, texts } = this;
    const next = this.shown + step;
    const text = texts[next];
    if (field === undefined || text === undefined) return;
    if (this.shown === 0) texts[0] = this.text;
    this.shown = next;
    await this.write(field, text, step === 1 ? 0 : undefined);
  }

  /** Replaces the text, with the caret at the end of a line, by default the last one. */
  private async write(field: vscode.TextEditor, text = "", line?: number): Promise<void> {
    const { document } = field;
    const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    await field.edit((edit) => edit.replace(all, text));
    const { end } = document.lineAt(line ?? document.lineCount - 1).range;
    field.selection = new vscode.Selection(end, end);
  }

  private async closeIfHidden(): Promise<void> {
    for (let answers = 0; answers < ANSWERS_BEFORE_HIDDEN; answers++) {
      await new Promise((resolve) => setTimeout(resolve, ANSWER_PAUSE_MS));
      if (this.isClosed || this.field !== undefined) return;
      await vscode.commands.executeCommand("setContext", "coreChat.boxAtEnd", true);
    }
    if (this.field === undefined) this.close("hidden");
  }

  close(result: BoxResult): void {
    if (this.isClosed) return;
    this.isClosed = true;
    setKey("coreChat.boxAtTop", false);
    setKey("coreChat.boxAtEnd", false);
    this.owned.dispose();
    this.finish(result);
  }
}

/** Returns false if VS Code shows no comments: the user switched them off, or a notebook's cell. */
export function areCommentsShown({ uri }: vscode.TextDocument): boolean {
  const areOn = vscode.workspace.getConfiguration("comments").get<boolean>("visible", true);
  return areOn && uri.scheme !== "vscode-notebook-cell";
}

/** Scrolls if there is no space for a box or an answer below a line. */
export function revealBelow(document: vscode.TextDocument, end: vscode.Position): void {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const [first, last] = [
    editor?.visibleRanges[0]?.start.line,
    editor?.visibleRanges.at(-1)?.end.line,
  ];
  if (editor === undefined || first === undefined || last === undefined) return;
  // The visible range ends with the document, however much space is below it.
  const lowest = last === document.lineCount - 1 ? first + LINES_ABOVE : last - LINES_BELOW;
  if (end.line >= first && end.line <= lowest) return;
  editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.InCenter);
}

async function askInInputBox(
  { title, placeHolder, remark, sent }: BoxQuestion,
  value: string,
): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  Object.assign(box, { title, value, placeholder: placeHolder });
  void showAll(sent, (items) => (box.prompt = withRemark(items, remark)));
  const text = await new Promise<string | undefined>((resolve) => {
    box.onDidAccept(() => resolve(box.value));
    box.onDidHide(() => resolve(undefined));
    box.show();
  });
  box.dispose();
  return text?.trim() === "" ? undefined : text;
}

async function showAll(
  sent: readonly Promise<string>[],
  show: (items: string) => void,
): Promise<void> {
  for (const items of sent) show(await items);
}

function withRemark(items: string, remark: string | undefined): string {
  return remark === undefined ? items : `${items}. ${remark}`;
}

function textOf(document: vscode.TextDocument): string {
  return sourceOf(document).lines.join("\n");
}

/** VS Code moves the focus from the field or a clicked button of a box to nothing when it closes. */
function focusEditor(): void {
  void vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
}

function setKey(key: string, value: boolean): void {
  void vscode.commands.executeCommand("setContext", key, value);
}
