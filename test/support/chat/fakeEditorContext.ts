/** Fake editor around the panel; tests set its state. */
import { Emitter } from "../../../src/base/event";
import type {
  AutomaticContext,
  EditorContext,
  OfferedText,
  ProjectRules,
  Reference,
  ReferenceContent,
  SelectionDefinitions,
} from "../../../src/chat/view/editorContext";
import type { PromptView } from "../../../src/protocol/views";
import type { ExcerptPart, Part } from "../../../src/conversation/message";

/** Starts without a selection, references and changes. */
export class FakeEditorContext implements EditorContext {
  /** Parts whose source was opened. */
  readonly opened: Part[] = [];
  /** Content of files that are dropped or picked. */
  files: ReferenceContent = { parts: [], pictures: [] };
  /** Choices for the automatic context and the definitions, in order. */
  readonly switched: boolean[] = [];
  /** Results of a search, step by step. */
  find: (text: string, signal: AbortSignal) => AsyncIterable<readonly Reference[]> =
    async function* () {};
  /** Lines that a trace names. */
  traced: readonly Reference[] = [];
  /** Code at the cursor, and the number of times that it was read. */
  promptCodeParts: readonly Part[] = [];
  promptCodeAsked = 0;
  /** Texts of prompt files by name. */
  promptTexts: Readonly<Record<string, string>> = {};
  private projectRules: ProjectRules | undefined;
  private selected: AutomaticContext | undefined;
  private selectionDefinitions: SelectionDefinitions | undefined;
  private readonly changed = new Set<string>();
  private readonly automaticChanged = new Emitter<void>();
  private readonly changedSince = new Emitter<string>();

  readonly onAutomaticChanged = this.automaticChanged.event;
  readonly onChangedSince = this.changedSince.event;

  /** Sets the editor's selection. */
  setSelection(selected: AutomaticContext | undefined): void {
    this.selected = selected;
    this.automaticChanged.fire();
  }

  /** Marks a file as changed since it was sent. */
  markChanged(uri: string): void {
    this.changed.add(uri);
    this.changedSince.fire(uri);
  }

  automatic(): AutomaticContext | undefined {
    return this.selected;
  }

  openFile(): undefined {
    return undefined;
  }

  automaticPart(id: string): Part | undefined {
    const { selected } = this;
    return selected?.id === id && selected.isOn ? selected.part : undefined;
  }

  switchAutomatic(isOn: boolean): void {
    this.switched.push(isOn);
  }

  /** Sets the project rules of the workspace. */
  setRules(rules: ProjectRules | undefined): void {
    this.projectRules = rules;
    this.automaticChanged.fire();
  }

  rules(): ProjectRules | undefined {
    return this.projectRules;
  }

  switchRules(isOn: boolean): void {
    this.setRules(this.projectRules && { ...this.projectRules, isOn });
  }

  promptFiles(): readonly PromptView[] {
    return Object.keys(this.promptTexts).map((name) => ({ name, text: "", path: `${name}.md` }));
  }

  promptCode(): Promise<readonly Part[]> {
    this.promptCodeAsked += 1;
    return Promise.resolve(this.promptCodeParts);
  }

  promptText(name: string): Promise<string | undefined> {
    return Promise.resolve(this.promptTexts[name]);
  }

  definitions(): SelectionDefinitions | undefined {
    return this.selectionDefinitions;
  }

  switchDefinitions(isOn: boolean): void {
    this.switched.push(isOn);
  }

  /** Sets the definitions of the selection. */
  setDefinitions(definitions: SelectionDefinitions | undefined): void {
    this.selectionDefinitions = definitions;
    this.automaticChanged.fire();
  }

  findReferences(text: string, signal: AbortSignal): AsyncIterable<readonly Reference[]> {
    return this.find(text, signal);
  }

  findTracedLines(): Promise<readonly Reference[]> {
    return Promise.resolve(this.traced);
  }

  findCode(): Promise<readonly Reference[]> {
    return Promise.resolve(this.traced);
  }

  pickFiles(): Promise<ReferenceContent> {
    return Promise.resolve(this.files);
  }

  readFiles(): Promise<ReferenceContent> {
    return Promise.resolve(this.files);
  }

  partOfText({ name, text, origin }: OfferedText): Promise<Part | undefined> {
    const isKnown = origin !== "editor";
    const part = { kind: "note" as const, source: "text" as const, label: name, text };
    return Promise.resolve(isKnown ? part : undefined);
  }

  open(part: Part): Promise<void> {
    this.opened.push(part);
    return Promise.resolve();
  }

  isChanged(part: ExcerptPart): boolean {
    return this.changed.has(part.uri);
  }
}
