/**
 * Connects the editor to the panel. Follows the automatic selection from the start and lazy-loads
 * everything else.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { DisposableOwner } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import type {
  AutomaticContext,
  EditorContext,
  OfferedText,
  ProjectRules,
  Reference,
  ReferenceContent,
  SelectionDefinitions,
} from "../../chat/view/editorContext";
import type { ExcerptPart, Part } from "../../conversation/message";
import type { SettingName } from "../platform/contributions";
import { writeSetting } from "../settings/settings";
import { ActiveSelection } from "./activeSelection";
import type { OpenFileView, PromptView } from "../../protocol/views";
import type { ContextFeatures } from "./contextFeatures";
import type { PromptFiles } from "./promptFiles";
import type { TerminalCommands } from "./terminalCommands";
import type { WorkspaceRules } from "./workspaceRules";

export class PanelContext extends DisposableOwner implements EditorContext {
  private readonly changedSince = this.owned.add(new Emitter<string>());
  private readonly selection: ActiveSelection;
  private loaded: ContextFeatures | undefined;
  /** URIs that were checked before `features` was loaded. */
  private readonly unchecked = new Set<string>();

  readonly onChangedSince = this.changedSince.event;
  private readonly automaticChanged = this.owned.add(new Emitter<void>());
  private prompts: PromptFiles | undefined;
  private terminals: TerminalCommands | undefined;

  readonly onAutomaticChanged = this.automaticChanged.event;

  /** Loads the features that gather context from the editor. */
  readonly features = lazily(async () => {
    const { ContextFeatures } = await import("./contextFeatures");
    const features = this.owned.add(new ContextFeatures(this.clock, () => this.terminals));
    features.changedSince.onChanged((uri) => this.changedSince.fire(uri));
    this.loaded = features;
    for (const uri of this.unchecked) this.changedSince.fire(uri);
    this.unchecked.clear();
    return features;
  });

  private readonly loadPrompts = lazily(async () => {
    const { PromptFiles } = await import("./promptFiles");
    const prompts = this.owned.add(new PromptFiles(this.context.globalStorageUri, this.clock));
    prompts.onChanged(() => this.automaticChanged.fire());
    this.prompts = prompts;
    return prompts;
  });

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly workspaceRules: WorkspaceRules,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
    this.selection = this.owned.add(new ActiveSelection(context.globalState, clock));
    const changed = () => this.automaticChanged.fire();
    this.owned.add(this.selection.onChanged(changed));
    this.owned.add(workspaceRules.onChanged(changed));
    this.followTerminals();
  }

  automatic(): AutomaticContext | undefined {
    return this.selection.current();
  }

  openFile(): OpenFileView | undefined {
    return this.selection.openFile();
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

  rules(parts: readonly Part[]): ProjectRules | undefined {
    return this.workspaceRules.current(parts);
  }

  switchRules(isOn: boolean): void {
    this.workspaceRules.switch(isOn);
  }

  promptFiles(): readonly PromptView[] | undefined {
    if (this.prompts !== undefined) return this.prompts.list;
    this.loadPrompts().catch((error: unknown) => {
      this.log.error(`prompts: the files could not be listed (${describeError(error)})`);
    });
    return undefined;
  }

  async promptText(name: string): Promise<string | undefined> {
    return (await this.loadPrompts()).read(name);
  }

  async promptCode(name: string): Promise<readonly Part[]> {
    return (await this.features()).promptCode(name);
  }

  async *findReferences(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    yield* (await this.features()).references.find(text, signal);
  }

  async findTracedLines(text: string): Promise<readonly Reference[]> {
    return (await this.features()).attached.findTracedLines(text);
  }

  async findCode(...mark: Parameters<EditorContext["findCode"]>): Promise<readonly Reference[]> {
    return (await this.features()).attached.findCode(...mark);
  }

  async pickFiles(source?: "project" | "changes"): Promise<ReferenceContent> {
    return (await this.features()).attached.pickFiles(source);
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

  /** Records the commands of terminals; loads what keeps them with the first command. */
  private followTerminals(): void {
    const load = lazily(async () => {
      const { TerminalCommands } = await import("./terminalCommands");
      this.terminals ??= this.owned.add(new TerminalCommands());
      return this.terminals;
    });
    const { onDidStartTerminalShellExecution, onDidEndTerminalShellExecution } = vscode.window;
    const logFailure = (error: unknown) => {
      this.log.error(`terminal: a command was not recorded (${describeError(error)})`);
    };
    this.owned.add(
      onDidStartTerminalShellExecution((event) => {
        // Only output after this call is reported.
        const output = event.execution.read();
        load()
          .then((terminals) => terminals.follow(event, output))
          .catch(logFailure);
      }),
    );
    this.owned.add(
      onDidEndTerminalShellExecution((event) => {
        load()
          .then((terminals) => terminals.end(event))
          .catch(logFailure);
      }),
    );
  }
}
