/**
 * Shows the marks of a reply at the lines of code that cause them: as problems of severity "information",
 * which bring F8, hover and light bulb, with the letter in the gutter. One reply at a time has marks.
 */
import * as vscode from "vscode";
import { DisposableOwner, toDisposable } from "../../base/disposables";
import type { MarkedReply, PlacedMarks } from "../../chat/view/replyDecorations";
import { provenLine } from "../../pointing/codePlace";
import { keyOf } from "../../pointing/placePointing";
import { PointingReader } from "../../pointing/readPointing";
import { readText } from "../access/readAccess";
import { workspaceFilesOf } from "../context/tracedLines";
import { toBase64 } from "../../base/base64";
import { MARK_SOURCE } from "../platform/contributions";
import { sourceOf } from "../platform/sourceText";

const { t } = vscode.l10n;

/** Key of the reply whose marks are shown, for the next start of the window. */
const SHOWN_KEY = "coreChat.markedReply";

interface MarkedLine {
  readonly letter: string;
  readonly label: string;
  readonly uri: vscode.Uri;
  /** Text of the line without indentation, and its range. */
  readonly code: string;
  readonly range: vscode.Range;
}

export class MarkedLines extends DisposableOwner {
  private messageId = "";
  private marks: readonly MarkedLine[] = [];
  /** Marks whose line has its text; that of the others is edited. */
  private shown: readonly MarkedLine[] = [];
  private readonly problems = this.owned.add(
    vscode.languages.createDiagnosticCollection("coreChat.marks"),
  );
  /** Letters in the gutter. */
  private readonly letters = new Map<string, vscode.TextEditorDecorationType>();
  /** Parts of pictures with the marks, by letter. */
  private hovers: ReadonlyMap<string, vscode.MarkdownString> = new Map();

  /** @param memory the workspace's; not changed after disposal, because a window that ends has marks */
  constructor(private memory: vscode.Memento | undefined) {
    super();
    this.owned.add(vscode.workspace.onDidChangeTextDocument((change) => this.follow(change)));
    this.owned.add(vscode.window.onDidChangeVisibleTextEditors(() => this.drawLetters()));
    this.owned.add(
      toDisposable(() => {
        this.memory = undefined;
        this.clear();
      }),
    );
  }

  async place(reply: MarkedReply): Promise<PlacedMarks> {
    const { messageId, opened, cutOuts } = reply;
    const isOpened = ({ letter }: MarkedLine) => letter === opened;
    const isShown = messageId === this.messageId;
    // The marks in the editors have moved with their lines.
    const isThere = isShown && (cutOuts !== undefined || this.shown.some(isOpened));
    const marks = isThere ? this.shown : await provenMarks(reply);
    const isRestored = this.messageId === "" && this.memory?.get(SHOWN_KEY) === messageId;
    if (isRestored || (opened !== undefined && !isThere)) this.show(messageId, marks);
    if (opened !== undefined) await openLine(marks.find(isOpened));
    if (isThere && cutOuts !== undefined) {
      this.hovers = new Map(cutOuts.map(([letter, bytes]) => [letter, pictureHover(bytes)]));
      this.drawLetters();
    }
    const markLines = marks.map(({ letter, uri, range }) => ({
      letter,
      file: uri.path.slice(uri.path.lastIndexOf("/") + 1),
      line: range.start.line + 1,
    }));
    return { markLines, lacksCutOuts: messageId === this.messageId && this.hovers.size === 0 };
  }

  /** Removes the marks; with ids only those of these replies. */
  clear(messageIds?: ReadonlySet<string>): void {
    if (messageIds?.has(this.messageId) !== false) this.show("", []);
  }

  private show(messageId: string, marks: readonly MarkedLine[]): void {
    if (messageId !== this.messageId) this.hovers = new Map();
    this.messageId = messageId;
    this.marks = marks;
    void this.memory?.update(SHOWN_KEY, messageId);
    for (const type of this.letters.values()) type.dispose();
    this.letters.clear();
    for (const { letter } of marks) this.letters.set(letter, gutterLetter(letter));
    this.draw();
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    for (const { range, text } of contentChanges) {
      const added = text.split("\n").length - 1 - (range.end.line - range.start.line);
      this.marks = this.marks.flatMap((mark) => {
        const { start, end } = mark.range;
        if (mark.uri.toString() !== document.uri.toString()) return [mark];
        const isBefore = range.end.isBeforeOrEqual(start);
        if (!isBefore) return range.start.isBefore(start.with({ character: 0 })) ? [] : [mark];
        if (added === 0) return [mark];
        return [{ ...mark, range: new vscode.Range(start.translate(added), end.translate(added)) }];
      });
    }
    this.draw();
  }

  private draw(): void {
    const before = this.shown;
    this.shown = this.marks.filter(hasItsText);
    const isSame = before.every((mark, at) => mark === this.shown[at]);
    if (isSame && before.length === this.shown.length) return;
    this.problems.clear();
    this.problems.set(this.shown.map((mark) => [mark.uri, [problemOf(mark)]]));
    this.drawLetters();
  }

  private drawLetters(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const here = this.shown.filter((mark) => mark.uri.toString() === uri);
      for (const [letter, type] of this.letters) {
        const ofLetter = here.filter((mark) => mark.letter === letter);
        const hoverMessage = this.hovers.get(letter) ?? [];
        const lines = ofLetter.map(({ range }) => ({ range, hoverMessage }));
        editor.setDecorations(type, lines);
      }
    }
  }
}

/** Returns the marks of a reply whose line of code is proven, in files that may be sent unasked. */
async function provenMarks({ text, marks }: MarkedReply): Promise<readonly MarkedLine[]> {
  const reader = new PointingReader();
  const points = [...reader.append(text), ...reader.end()];
  const marksWithCode = marks.flatMap(([key, letter]) => {
    const point = points.find(({ numbers, codePlace }) => codePlace && keyOf(numbers) === key);
    return point?.codePlace ? [{ letter, label: point.label, place: point.codePlace }] : [];
  });
  const files = await workspaceFilesOf(marksWithCode.map(({ place }) => place.file));
  const proven = marksWithCode.map(async ({ letter, label, place }) => {
    const linesOf = async ({ uri }: { readonly uri: vscode.Uri }) => {
      const access = await readText(uri, "unasked");
      if (access.kind !== "text") return [];
      const { lines } = sourceOf(access.source);
      const line = provenLine(lines, place, label, text);
      const whole = lines[(line ?? 0) - 1] ?? "";
      const code = whole.trim();
      if (line === undefined || code === "") return [];
      const [start, end] = [whole.indexOf(code), whole.trimEnd().length];
      return [
        { letter, label, uri, code, range: new vscode.Range(line - 1, start, line - 1, end) },
      ];
    };
    const lines = (await Promise.all((files.get(place.file) ?? []).map(linesOf))).flat();
    return lines.length === 1 ? lines : [];
  });
  return (await Promise.all(proven)).flat();
}

function hasItsText({ uri, code, range }: MarkedLine): boolean {
  const isOf = (one: vscode.TextDocument) => one.uri.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find(isOf);
  const { line } = range.start;
  if (document === undefined) return true;
  return line < document.lineCount && document.lineAt(line).text.trim() === code;
}

async function openLine(mark: MarkedLine | undefined): Promise<void> {
  if (mark === undefined) {
    void vscode.window.showInformationMessage(
      t("The line of this mark has changed since the reply."),
    );
    return;
  }
  const selection = new vscode.Range(mark.range.start, mark.range.start);
  await vscode.commands.executeCommand("vscode.open", mark.uri, { selection });
}

function problemOf({ letter, label, range }: MarkedLine): vscode.Diagnostic {
  const message = label === "" ? t("Mark {0}", letter) : label;
  const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  problem.source = MARK_SOURCE;
  problem.code = letter;
  return problem;
}

function pictureHover(bytes: Uint8Array): vscode.MarkdownString {
  return new vscode.MarkdownString(`![](data:image/png;base64,${toBase64(bytes)})`);
}

function gutterLetter(letter: string): vscode.TextEditorDecorationType {
  // The colors of the marks over the picture.
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="1" width="14" height="14" rx="4" fill="#e51400"/>' +
    `<text x="8" y="12" text-anchor="middle" font-family="sans-serif" font-size="${letter.length > 1 ? 8 : 11}" font-weight="600" fill="#fff">${letter}</text></svg>`;
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.from({ scheme: "data", path: `image/svg+xml;base64,${btoa(svg)}` }),
    gutterIconSize: "contain",
    overviewRulerColor: "#e51400",
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
