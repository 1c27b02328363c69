/**
 * Follows the editor for automatic context: the selection, or the open file, by the setting.
 * Ignores output panels. Files that may hold secrets, or are links to outside the workspace, are
 * named without their text.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { DisposableOwner, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { AutomaticContext, SelectionDefinitions } from "../../chat/view/editorContext";
import type { Part, RelatedPart } from "../../conversation/message";
import type { OpenFileView } from "../../protocol/views";
import { SETTINGS_SECTION } from "../platform/contributions";
import type { DocumentLocation } from "../access/readAccess";
import { readSettings, writeSetting } from "../settings/settings";
import type * as AutomaticPart from "./automaticPart";

/** Delay before the panel follows the selection, in milliseconds. */
const FOLLOW_AFTER_MS = 150;

/** Schemes of documents that users edit; others are panels, inputs and views of extensions. */
const SCHEMES = new Set(["file", "untitled", "vscode-notebook-cell", "vscode-vfs"]);

/** Upper limit of cached targets: the page may send an id shortly after its replacement. */
const MAX_CACHED = 8;

/** Storage key of the mode before automatic context was switched off. */
const MODE_KEY = "coreChat.context.automaticBefore";

type Mode = "selection" | "selection+file";

/** A range of a document; the whole document without a range. */
interface Target {
  readonly id: string;
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range | undefined;
}

/** Definitions of a target; without a part while they are searched, or if there are none. */
interface FoundDefinitions {
  readonly id: string;
  part: RelatedPart | undefined;
}

/** The automatic context of the window; a single instance for each window. */
export class ActiveSelection extends DisposableOwner {
  private readonly changes = this.owned.add(new Emitter<void>());
  private readonly cached = new Map<string, Target>();
  private target: Target | undefined;
  /** Document of the active editor if it is a file of the workspace. */
  private openDocument: vscode.TextDocument | undefined;
  private parts: { readonly key: string; readonly checked: AutomaticPart.CheckedPart } | undefined;
  private found: FoundDefinitions | undefined;
  /** The checks, loaded with the first document. */
  private access: typeof AutomaticPart | undefined;
  private readonly locations = new WeakMap<vscode.TextDocument, DocumentLocation>();
  private readonly locating = new Set<vscode.TextDocument>();
  private lastEditor: vscode.TextEditor | undefined;
  private timer: Disposable | undefined;
  private nextId = 1;

  /** Fires when `current` may have changed. */
  readonly onChanged = this.changes.event;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly clock: Clock,
  ) {
    super();
    const { owned } = this;
    const soon = () => this.updateSoon();
    owned.add(vscode.window.onDidChangeActiveTextEditor(soon));
    owned.add(vscode.window.onDidChangeVisibleTextEditors(soon));
    owned.add(vscode.window.onDidChangeTextEditorSelection(soon));
    owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // New text from the disk may come through a link that was replaced.
        if (!document.isDirty) this.locations.delete(document);
        if (document === this.target?.document) soon();
      }),
    );
    owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        const names = ["context.automatic", "context.definitions"];
        if (names.some((name) => event.affectsConfiguration(`${SETTINGS_SECTION}.${name}`)))
          this.update();
      }),
    );
    owned.add({ dispose: () => this.timer?.dispose() });
    this.target = this.findTarget();
  }

  /** Returns the context that is sent now, or would be sent if the user switched it on. */
  current(): AutomaticContext | undefined {
    const { target } = this;
    if (target === undefined || target.document.isClosed) return undefined;
    const checked = this.partOf(target);
    if (checked === undefined) return undefined;
    const { part, leftOut } = checked;
    const isOn = this.mode() !== "off";
    if (leftOut === undefined) return { id: target.id, part, isOn };
    return isOn ? { id: target.id, part, isOn: false, leftOut } : undefined;
  }

  /** Returns the active editor's file if it is in the workspace. */
  openFile(): OpenFileView | undefined {
    const uri = this.openDocument?.uri;
    if (uri === undefined || this.openDocument?.isClosed) return undefined;
    return { name: uri.path.slice(uri.path.lastIndexOf("/") + 1), uri: uri.toString() };
  }

  /** Returns the part of a recent id; undefined while switched off or if its text is left out. */
  part(id: string): Part | undefined {
    if (this.mode() === "off") return undefined;
    const target = this.cached.get(id);
    if (target === undefined || target.document.isClosed) return undefined;
    const checked = this.partOf(target);
    return checked?.leftOut === undefined ? checked?.part : undefined;
  }

  /**
   * Returns the definitions for the selected lines. Starts the search if they are not known;
   * `onChanged` fires once some are found.
   */
  definitions(): SelectionDefinitions | undefined {
    const { target } = this;
    if (target?.range === undefined || target.document.isClosed) return undefined;
    const checked = this.partOf(target);
    if (checked === undefined || checked.leftOut !== undefined) return undefined;
    if (!readSettings().settings["context.definitions"]) return { id: target.id, isOn: false };
    const id = `${target.id}v${target.document.version}`;
    if (this.found?.id !== id) this.findDefinitions(id, target, checked.part);
    const part = this.found?.part;
    return part && { id, part, isOn: true };
  }

  /** Writes the choice into the user settings, for every window. */
  async switch(isOn: boolean): Promise<void> {
    const mode = this.mode();
    if (isOn === (mode !== "off")) return;
    if (mode !== "off") await this.memory.update(MODE_KEY, mode);
    await writeSetting("context.automatic", isOn ? this.modeBefore() : "off");
  }

  private mode(): Mode | "off" {
    return readSettings().settings["context.automatic"];
  }

  private modeBefore(): Mode {
    return this.memory.get(MODE_KEY) === "selection+file" ? "selection+file" : "selection";
  }

  private updateSoon(): void {
    this.timer ??= this.clock.after(FOLLOW_AFTER_MS, () => this.update());
  }

  private update(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { target: before, openDocument } = this;
    this.target = this.findTarget();
    const isOtherDocument = this.openDocument !== openDocument;
    if (before !== undefined || this.target !== undefined || isOtherDocument) this.changes.fire();
  }

  private findTarget(): Target | undefined {
    const editor = this.editor();
    this.openDocument = undefined;
    if (editor === undefined) return undefined;
    const { document, selection } = editor;
    const mode = this.mode();
    const hasFile = (mode === "off" ? this.modeBefore() : mode) === "selection+file";
    const location = this.locationOf(document);
    if (location === undefined) return undefined;
    if (!document.isUntitled && location.isInside) this.openDocument = document;
    const isOfWorkspace = document.isUntitled || location.isInside || location.isLink;
    if (selection.isEmpty && !(hasFile && isOfWorkspace)) return undefined;
    const range = selection.isEmpty ? undefined : new vscode.Range(selection.start, selection.end);
    const { target } = this;
    const isSame =
      target?.document === document &&
      (range === undefined ? target.range === undefined : target.range?.isEqual(range));
    if (isSame === true) return target;
    const next: Target = { id: `s${this.nextId++}`, document, range };
    this.cached.set(next.id, next);
    const [oldest] = this.cached.keys();
    if (this.cached.size > MAX_CACHED && oldest !== undefined) this.cached.delete(oldest);
    return next;
  }

  /** Returns the active editor; while a panel has the focus, the last editor if still visible. */
  private editor(): vscode.TextEditor | undefined {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    if (activeTextEditor !== undefined && isEdited(activeTextEditor.document)) {
      this.lastEditor = activeTextEditor;
    }
    const { lastEditor } = this;
    return lastEditor !== undefined && visibleTextEditors.includes(lastEditor)
      ? lastEditor
      : undefined;
  }

  /** Without definitions nothing is shown: providers may fail, be slow or be missing. */
  private findDefinitions(id: string, { document, range }: Target, part: Part): void {
    const result: FoundDefinitions = { id, part: undefined };
    this.found = result;
    if (range === undefined) return;
    const { version } = document;
    void this.access
      ?.definitionsIn(document, range, part)
      .then((definitions) => {
        if (definitions === undefined || this.found !== result) return;
        if (document.version !== version) return;
        result.part = definitions;
        this.changes.fire();
      })
      .catch(() => undefined);
  }

  /** Returns undefined while the location is unknown; `onChanged` fires once it is known. */
  private locationOf(document: vscode.TextDocument): DocumentLocation | undefined {
    const cached = this.locations.get(document);
    if (cached !== undefined || this.locating.has(document)) return cached;
    this.locating.add(document);
    const { version } = document;
    void this.locate(document)
      .then((location) => {
        // The location is that of an older text.
        if (document.version === version) this.locations.set(document, location);
        this.locating.delete(document);
        this.update();
      })
      // Without a location nothing is sent. The next event tries again.
      .catch(() => this.locating.delete(document));
    return undefined;
  }

  private async locate(document: vscode.TextDocument): Promise<DocumentLocation> {
    this.access ??= await import("./automaticPart");
    return this.access.locateDocument(document);
  }

  private partOf({ id, document, range: asSeen }: Target): AutomaticPart.CheckedPart | undefined {
    const location = this.locations.get(document);
    const { access } = this;
    if (location === undefined || access === undefined) return undefined;
    const key = `${id} ${document.version}`;
    if (this.parts?.key !== key) {
      const range = asSeen && document.validateRange(asSeen);
      this.parts = { key, checked: access.checkedPart(document, location, range) };
    }
    return this.parts.checked;
  }
}

function isEdited({ uri }: vscode.TextDocument): boolean {
  return SCHEMES.has(uri.scheme) || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
