/**
 * Connects the editor to the panel. Follows the automatic selection from the start and lazy-loads
 * everything else.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import type {
  AutomaticContext,
  EditorContext,
  OfferedText,
  Reference,
  ReferenceContent,
  SelectionDefinitions,
} from "../../chat/editorContext";
import type { ExcerptPart, Part } from "../../conversation/message";
import type { SettingName } from "../platform/contributions";
import { writeSetting } from "../settings/settings";
import { ActiveSelection } from "./activeSelection";
import type { ContextFeatures } from "./contextFeatures";

/** The editor context of the window. */
export class PanelContext implements EditorContext, Disposable {
  private readonly owned = new Disposables();
  private readonly changedSince = this.owned.add(new Emitter<string>());
  private readonly selection: ActiveSelection;
  private loaded: ContextFeatures | undefined;
  /** URIs that were checked before `features` was loaded. */
  private readonly unchecked = new Set<string>();

  readonly onChangedSince = this.changedSince.event;
  readonly onAutomaticChanged;

  /** Loads what gathers context from the editor; see esbuild.mjs. */
  readonly features = lazily(async () => {
    const { ContextFeatures } = await import("./contextFeatures");
    const features = this.owned.add(new ContextFeatures(this.clock));
    features.changedSince.onChanged((uri) => this.changedSince.fire(uri));
    this.loaded = features;
    for (const uri of this.unchecked) this.changedSince.fire(uri);
    this.unchecked.clear();
    return features;
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
    this.saveChoice("context.automatic", () => this.selection.switch(isOn));
  }

  definitions(): SelectionDefinitions | undefined {
    return this.selection.definitions();
  }

  switchDefinitions(isOn: boolean): void {
    this.saveChoice("context.definitions", () => writeSetting("context.definitions", isOn));
  }

  async *findReferences(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    yield* (await this.features()).references.find(text, signal);
  }

  async pickFiles(): Promise<ReferenceContent> {
    return (await this.features()).attached.pickFiles();
  }

  async readFiles(uris: readonly string[]): Promise<ReferenceContent> {
    return (await this.features()).attached.readFiles(uris);
  }

  async partOfText(offered: OfferedText): Promise<Part | undefined> {
    return (await this.features()).attached.partOfText(offered);
  }

  async open(part: Part): Promise<void> {
    await (await this.features()).open(part);
  }

  isChanged(part: ExcerptPart): boolean {
    if (this.loaded !== undefined) return this.loaded.changedSince.isChanged(part);
    this.unchecked.add(part.uri);
    this.features().catch((error: unknown) => {
      this.log.error(`context: could not be read (${describeError(error)})`);
    });
    return false;
  }

  /** Writes a setting; reports a failure. */
  private saveChoice(name: SettingName, save: () => Promise<void>): void {
    save().catch((error: unknown) => {
      this.log.error(`settings: ${name} was not written (${describeError(error)})`);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "The choice could not be saved to the settings. Check that settings.json can be written.",
        ),
      );
    });
  }

  dispose(): void {
    this.owned.dispose();
  }
}
