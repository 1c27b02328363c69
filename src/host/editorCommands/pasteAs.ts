/**
 * Offers the contents of a picture in "Paste As…" of text documents, and when a picture file is dropped.
 * Nothing is sent until one of them was chosen; a normal paste is never changed. VS Code resolves the
 * chosen edit of a drop, but applies that of "Paste As…" as it is (`showPasteAsPick` in 1.139):
 * there the edit inserts a placeholder, which is undone before the content is asked for.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { PICTURE_EXTENSIONS } from "../../pictures/fileSignatures";
import type { PictureContent } from "../../replyCode/pictureContent";

/** A content that the user chose, and its place. The picture is read when it is needed. */
export interface ChosenContent {
  readonly content: PictureContent;
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly picture: ChosenPicture;
}

/** A file, or the bytes of the clipboard, which VS Code keeps only while it pastes. */
export type ChosenPicture =
  { readonly uri: vscode.Uri } | { readonly name: string; readonly bytes: Promise<Uint8Array> };

/** Text to insert, and the file that goes with it. */
export interface InsertedContent {
  readonly text: string;
  readonly additionalEdit?: vscode.WorkspaceEdit;
}

/** Asks for the content; undefined if there is none or the user stopped. */
export type ReadChosen = (
  chosen: ChosenContent,
  token: vscode.CancellationToken,
) => Promise<InsertedContent | undefined>;

const ROOT = vscode.DocumentDropOrPasteEditKind.Empty.append("coreChat", "picture");

/** Kinds of other edits, which are sorted before these: paths, links and text. */
const OTHERS = ["uri", "markdown", "html", "css", "text"].map((kind) =>
  vscode.DocumentDropOrPasteEditKind.Empty.append(kind),
);

/** Languages in which a picture can stand with an alternative text. */
export const WITH_PICTURES = new Set(["markdown", "mdx", "html", "vue", "svelte", "php"]);

type Edit = vscode.DocumentPasteEdit | vscode.DocumentDropEdit;

/** Registers the providers until disposed. */
export function registerPasteAs(
  read: ReadChosen,
  insertLater: (chosen: ChosenContent) => Promise<void>,
): Disposable {
  const owned = new Disposables();
  const chosen = new WeakMap<Edit, ChosenContent>();
  /** Waits for the placeholder of one of the edits that are listed. */
  let listed: Disposable | undefined;
  owned.add({ dispose: () => listed?.dispose() });

  function offered<E extends Edit>(
    place: Pick<ChosenContent, "document" | "range" | "picture">,
    create: (title: string, kind: vscode.DocumentDropOrPasteEditKind) => E,
  ): E[] {
    const { languageId, isUntitled } = place.document;
    const contents: PictureContent[] = ["table", "text", "code", "diagram"];
    if (WITH_PICTURES.has(languageId) && !isUntitled) contents.push("description");
    return contents.map((content) => {
      const edit = create(titleOf(content), ROOT.append(content));
      edit.yieldTo = OTHERS;
      chosen.set(edit, { ...place, content });
      return edit;
    });
  }

  async function resolve<E extends Edit>(edit: E, token: vscode.CancellationToken): Promise<E> {
    const choice = chosen.get(edit);
    const inserted = choice && (await read(choice, token));
    // VS Code inserts nothing for an empty text.
    edit.insertText = token.isCancellationRequested ? "" : (inserted?.text ?? "");
    if (inserted?.additionalEdit && !token.isCancellationRequested)
      edit.additionalEdit = inserted.additionalEdit;
    return edit;
  }

  const { registerDocumentPasteEditProvider, registerDocumentDropEditProvider } = vscode.languages;
  const paste: vscode.DocumentPasteEditProvider = {
    provideDocumentPasteEdits(document, [range], dataTransfer, { triggerKind }) {
      if (triggerKind !== vscode.DocumentPasteTriggerKind.PasteAs || !range) return undefined;
      const file = pictureIn(dataTransfer);
      if (file === undefined) return undefined;
      const name = file.name || vscode.l10n.t("picture");
      const picture = { name, bytes: Promise.resolve(file.data()) };
      // A failure is reported if one of the edits is chosen.
      picture.bytes.catch(() => undefined);
      const edits = offered(
        { document, range, picture },
        (title, kind) => new vscode.DocumentPasteEdit(placeholderOf(title), title, kind),
      );
      listed?.dispose();
      listed = vscode.workspace.onDidChangeTextDocument((change) => {
        const [first] = change.contentChanges;
        if (change.document !== document || first === undefined) return;
        listed?.dispose();
        const edit = edits.find(({ insertText }) => insertText === first.text);
        const choice = edit && chosen.get(edit);
        if (choice) void insertLater(choice);
      });
      return edits;
    },
    resolveDocumentPasteEdit: resolve,
  };
  owned.add(
    registerDocumentPasteEditProvider("*", paste, {
      providedPasteEditKinds: [ROOT],
      pasteMimeTypes: ["image/*"],
    }),
  );
  const drop: vscode.DocumentDropEditProvider = {
    async provideDocumentDropEdits(document, position, dataTransfer) {
      const uris = (await dataTransfer.get("text/uri-list")?.asString())?.split(/\r?\n/) ?? [];
      // Without a file, VS Code has no path to insert, and a drop inserts the first edit.
      const [uri, ...others] = uris.filter((line) => line !== "" && !line.startsWith("#"));
      if (uri === undefined || others.length > 0 || !isPicture(uri)) return undefined;
      const range = new vscode.Range(position, position);
      return offered(
        { document, range, picture: { uri: vscode.Uri.parse(uri) } },
        (title, kind) => new vscode.DocumentDropEdit("", title, kind),
      );
    },
    resolveDocumentDropEdit: resolve,
  };
  owned.add(
    registerDocumentDropEditProvider("*", drop, {
      providedDropEditKinds: [ROOT],
      dropMimeTypes: ["text/uri-list"],
    }),
  );
  return owned;
}

function placeholderOf(title: string): string {
  return `${title}…`;
}

function pictureIn(dataTransfer: vscode.DataTransfer): vscode.DataTransferFile | undefined {
  for (const [type, item] of dataTransfer) {
    const file = type.startsWith("image/") ? item.asFile() : undefined;
    if (file) return file;
  }
  return undefined;
}

function isPicture(uri: string): boolean {
  return PICTURE_EXTENSIONS.some((extension) => uri.toLowerCase().endsWith(`.${extension}`));
}

function titleOf(content: PictureContent): string {
  switch (content) {
    case "table":
      return vscode.l10n.t("Picture as Table");
    case "text":
      return vscode.l10n.t("Picture as Text");
    case "code":
      return vscode.l10n.t("Picture as Code");
    case "diagram":
      return vscode.l10n.t("Picture as Diagram (Mermaid)");
    case "description":
      return vscode.l10n.t("Picture with Alternative Text");
    default:
      return content satisfies never;
  }
}
