/**
 * The editor as the panel's mind sees it: the automatic selection is followed from the start, the
 * rest is read when it is first needed.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import type { AutomaticContext, EditorContext, Reference } from "../../chat/editorContext";
import type { ExcerptPart, Part } from "../../conversation/message";
import { ActiveSelection } from "./activeSelection";
import type { ContextFeatures } from "./contextFeatures";

/** One for the window. */
export class PanelContext implements EditorContext, Disposable {
  private readonly owned = new Disposables();
  private readonly changedSince = this.owned.add(new Emitter<string>());
  private readonly selection: ActiveSelection;
  private loaded: ContextFeatures | undefined;
  /** Files that were asked about before it was read. */
  private readonly asked = new Set<string>();

  readonly onChangedSince = this.changedSince.event;
  readonly onAutomaticChanged;

  /** What is gathered from the editor; see esbuild.mjs. */
  readonly side = lazily(async () => {
    const { ContextFeatures } = await import("./contextFeatures");
    const side = this.owned.add(new ContextFeatures(this.clock));
    side.changedSince.onChanged((uri) => this.changedSince.fire(uri));
    this.loaded = side;
    for (const uri of this.asked) this.changedSince.fire(uri);
    this.asked.clear();
    return side;
  });

  constructor(
    memory: vscode.Memento,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.selection = this.owned.add(new ActiveSelection(memory, clock));
    this.onAutomaticChanged = this.selection.onChanged;
  }

  automatic(): AutomaticContext | undefined {
    return this.selection.current();
  }

  automaticPart(id: string): Part | undefined {
    return this.selection.part(id);
  }

  switchAutomatic(isOn: boolean): void {
    this.selection.switch(isOn).catch((error: unknown) => {
      this.log.error(`settings: context.automatic was not written (${describeError(error)})`);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "The choice could not be written into the settings. Check that settings.json can be saved.",
        ),
      );
    });
  }

  async *findReferences(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    yield* (await this.side()).references.find(text, signal);
  }

  async open(part: Part): Promise<void> {
    await (await this.side()).open(part);
  }

  isChanged(part: ExcerptPart): boolean {
    if (this.loaded !== undefined) return this.loaded.changedSince.isChanged(part);
    this.asked.add(part.uri);
    this.side().catch((error: unknown) => {
      this.log.error(`context: could not be read (${describeError(error)})`);
    });
    return false;
  }

  dispose(): void {
    this.owned.dispose();
  }
}
