/**
 * What goes along with a question by itself: the selection, or else the file in sight, as the
 * setting says. Follows the editor; never an output panel, never what may hold secrets or is really
 * elsewhere.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { AutomaticContext } from "../../chat/editorContext";
import type { Part } from "../../conversation/message";
import { SETTINGS_SECTION } from "../platform/contributions";
import type * as ReadAccess from "../access/readAccess";
import type { FileLocation } from "../access/location";
import { readSettings, writeSetting } from "../settings/settings";
import { excerptIn, wholeExcerpt } from "./excerpts";
import { spanOf } from "../platform/sourceText";

/** How long the selection rests before the panel follows it, in milliseconds. */
const FOLLOW_AFTER_MS = 150;

/** Kinds of documents a person works in; the rest are panels, inputs and other people's views. */
const SCHEMES = new Set(["file", "untitled", "vscode-notebook-cell", "vscode-vfs"]);

/** Ids that are remembered: the page may send one a moment after it was replaced. */
const MAX_REMEMBERED = 8;

/** The mode before it was switched off. */
const MODE_MEMORY = "coreChat.context.automaticBefore";

type Access = Pick<typeof ReadAccess, "locateDocument" | "secretOf">;
type Mode = "selection" | "selection+file";

/** A stretch of a document; without lines, all of it. */
interface Seen {
  readonly id: string;
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range | undefined;
}

/** One for the window. */
export class ActiveSelection implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<void>());
  private readonly remembered = new Map<string, Seen>();
  private seen: Seen | undefined;
  private parts: { readonly key: string; readonly part: Part | undefined } | undefined;
  /** The checks, read when a document is first seen; see esbuild.mjs. */
  private access: Access | undefined;
  private readonly locations = new WeakMap<vscode.TextDocument, FileLocation>();
  private readonly locating = new Set<vscode.TextDocument>();
  private lastEditor: vscode.TextEditor | undefined;
  private timer: Disposable | undefined;
  private nextId = 1;

  /** Tells that `current` may be different. */
  readonly onChanged = this.changes.event;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly clock: Clock,
  ) {
    const { owned } = this;
    const soon = () => this.lookSoon();
    owned.add(vscode.window.onDidChangeActiveTextEditor(soon));
    owned.add(vscode.window.onDidChangeVisibleTextEditors(soon));
    owned.add(vscode.window.onDidChangeTextEditorSelection(soon));
    owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // Text that is new from the disk may come by a link that leads elsewhere by now.
        if (!document.isDirty) this.locations.delete(document);
        if (document === this.seen?.document) soon();
      }),
    );
    owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SETTINGS_SECTION}.context.automatic`)) this.look();
      }),
    );
    owned.add({ dispose: () => this.timer?.dispose() });
    this.seen = this.seenNow();
  }

  /** What goes along now, or would if it were switched on. */
  current(): AutomaticContext | undefined {
    const { seen } = this;
    if (seen === undefined || seen.document.isClosed) return undefined;
    const part = this.partOf(seen);
    return part && { id: seen.id, part, isOn: this.mode() !== "off" };
  }

  /** The part of an id of a moment ago; undefined while it is switched off. */
  part(id: string): Part | undefined {
    if (this.mode() === "off") return undefined;
    const seen = this.remembered.get(id);
    return seen === undefined || seen.document.isClosed ? undefined : this.partOf(seen);
  }

  /** Remembered in the person's settings, as a choice for every window. */
  async switch(isOn: boolean): Promise<void> {
    const mode = this.mode();
    if (isOn === (mode !== "off")) return;
    if (mode !== "off") await this.memory.update(MODE_MEMORY, mode);
    await writeSetting("context.automatic", isOn ? this.modeBefore() : "off");
  }

  dispose(): void {
    this.owned.dispose();
  }

  private mode(): Mode | "off" {
    return readSettings().settings["context.automatic"];
  }

  private modeBefore(): Mode {
    return this.memory.get(MODE_MEMORY) === "selection+file" ? "selection+file" : "selection";
  }

  private lookSoon(): void {
    this.timer ??= this.clock.after(FOLLOW_AFTER_MS, () => this.look());
  }

  private look(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const before = this.seen;
    this.seen = this.seenNow();
    if (before !== undefined || this.seen !== undefined) this.changes.fire();
  }

  private seenNow(): Seen | undefined {
    const editor = this.editor();
    if (editor === undefined) return undefined;
    const { document, selection } = editor;
    const mode = this.mode();
    const hasFile = (mode === "off" ? this.modeBefore() : mode) === "selection+file";
    const location = this.locationOf(document);
    if (location === undefined || (location.isLink && !location.isInside)) return undefined;
    if (selection.isEmpty && !(hasFile && (document.isUntitled || location.isInside))) {
      return undefined;
    }
    const range = selection.isEmpty ? undefined : new vscode.Range(selection.start, selection.end);
    const { seen } = this;
    const isSame =
      seen?.document === document &&
      (range === undefined ? seen.range === undefined : seen.range?.isEqual(range));
    if (isSame === true) return seen;
    const now: Seen = { id: `s${this.nextId++}`, document, range };
    this.remembered.set(now.id, now);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) {
      this.remembered.delete(oldest);
    }
    return now;
  }

  /** The active editor; while a panel or a page has the focus, the last one as long as it is seen. */
  private editor(): vscode.TextEditor | undefined {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    if (activeTextEditor !== undefined && isWorkedIn(activeTextEditor.document)) {
      this.lastEditor = activeTextEditor;
    }
    const { lastEditor } = this;
    return lastEditor !== undefined && visibleTextEditors.includes(lastEditor)
      ? lastEditor
      : undefined;
  }

  /** Undefined while it is not known; what comes of it is told. */
  private locationOf(document: vscode.TextDocument): FileLocation | undefined {
    const known = this.locations.get(document);
    if (known !== undefined || this.locating.has(document)) return known;
    this.locating.add(document);
    const { version } = document;
    void this.locate(document)
      .then((location) => {
        // What was looked at may not be what is there now.
        if (document.version === version) this.locations.set(document, location);
        this.locating.delete(document);
        this.look();
      })
      // Without an answer nothing of the document goes along; the next event has it tried again.
      .catch(() => this.locating.delete(document));
    return undefined;
  }

  private async locate(document: vscode.TextDocument): Promise<FileLocation> {
    this.access ??= await import("../access/readAccess");
    return this.access.locateDocument(document);
  }

  private partOf(seen: Seen): Part | undefined {
    const { id, document } = seen;
    const location = this.locations.get(document);
    const { access } = this;
    if (location === undefined || access === undefined) return undefined;
    const range = seen.range && document.validateRange(seen.range);
    const key = `${id} ${document.version}`;
    if (this.parts?.key !== key) {
      if (access.secretOf(document.uri, location, document, range) !== undefined) {
        this.parts = { key, part: undefined };
        return undefined;
      }
      const { part } =
        range === undefined ? wholeExcerpt(document) : excerptIn(document, spanOf(range));
      this.parts = { key, part };
    }
    return this.parts.part;
  }
}

function isWorkedIn({ uri }: vscode.TextDocument): boolean {
  return SCHEMES.has(uri.scheme) || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
