/**
 * Port for context from the editor: the selection, completions for "#", and the source of an
 * attachment.
 */
import type { Event } from "../../base/event";
import type { ChipView, OpenFileView, PromptView } from "../../protocol/views";
import type { ExcerptPart, NotePart, Part, RelatedPart } from "../../conversation/message";

/** A picture file, or the reason why its bytes are missing. */
export interface PictureFile {
  readonly name: string;
  readonly bytes: Uint8Array | "too-many-bytes" | "unreadable";
}

/** Content of a reference: parts to send, and images to validate first. */
export interface ReferenceContent {
  readonly parts: readonly Part[];
  readonly pictures: readonly PictureFile[];
}

export interface Reference {
  readonly kind: ChipView["kind"];
  readonly label: string;
  /** Folder or file; empty if unnecessary. */
  readonly detail: string;
  /** English name that can be typed as well as the label. */
  readonly name?: string;
  /** Reads the content; reports problems to the user itself. */
  gather(): Promise<ReferenceContent>;
}

/** Automatic context: sent while shown and on. */
export interface AutomaticContext {
  /** Identifies these lines of this file; another selection has another id. */
  readonly id: string;
  readonly part: Part;
  /** False if the user switched it off: shown, not sent. */
  readonly isOn: boolean;
  /** Reason why the lines are never sent automatically; `part` has no text and `isOn` is false then. */
  readonly leftOut?: "secrets" | "outside" | "shared" | "excluded";
}

/** Rules of the project that apply to a question; sent while on. */
export interface ProjectRules {
  readonly part: NotePart;
  /** False if the user removed them: shown, not sent. */
  readonly isOn: boolean;
}

export interface SelectionDefinitions {
  /** Identifies the lines and their definitions. */
  readonly id: string;
  /** Missing while switched off. */
  readonly part?: RelatedPart;
  readonly isOn: boolean;
}

/** Text from outside of VS Code's files. */
export interface OfferedText {
  readonly name: string;
  readonly text: string;
  readonly origin: "editor" | "clipboard" | "file";
}

export interface EditorContext {
  /** Returns the selection or visible code; undefined if nothing is sent automatically. */
  automatic(): AutomaticContext | undefined;
  /** Returns the workspace's file in the active editor. */
  openFile(): OpenFileView | undefined;
  /** Returns the part of a recent id; undefined if the id is too old or the context is off. */
  automaticPart(id: string): Part | undefined;
  switchAutomatic(isOn: boolean): void;
  /** Returns the rules for a question with these parts; undefined if there are none. */
  rules(parts: readonly Part[]): ProjectRules | undefined;
  switchRules(isOn: boolean): void;
  /** Returns the prompts that are files; undefined until they are listed. */
  promptFiles(): readonly PromptView[] | undefined;
  /**
   * Reads a prompt file with its variables replaced; undefined if the file is gone or the user
   * declined.
   */
  promptText(name: string): Promise<string | undefined>;
  /** Returns the code at the cursor for a built-in prompt; empty for other names. */
  promptCode(name: string): Promise<readonly Part[]>;
  /** Returns the definitions for the selection; undefined if there are none, or not yet. */
  definitions(): SelectionDefinitions | undefined;
  switchDefinitions(isOn: boolean): void;
  /** Fires when `automatic`, `definitions`, `rules` or `promptFiles` may have changed. */
  readonly onAutomaticChanged: Event<void>;
  /** Yields completions for the text after "#"; each list replaces the previous list. */
  findReferences(text: string, signal: AbortSignal): AsyncIterable<readonly Reference[]>;
  /** Returns the lines of the workspace that a trace names, without lines that may hold secrets. */
  findTracedLines(text: string): Promise<readonly Reference[]>;
  /** Searches the workspace for the texts that a reply has about a mark with this label. */
  findCode(label: string, reply: string, signal: AbortSignal): Promise<readonly Reference[]>;
  /** Reads the project's folders or its changes; without a source, files that the user picks. */
  pickFiles(source?: "project" | "changes"): Promise<ReferenceContent>;
  /** Reads files and folders by URI; reports problems to the user itself. */
  readFiles(uris: readonly string[]): Promise<ReferenceContent>;
  /**
   * Returns a part with the text; undefined if the user declined, or if text from an editor is in no
   * open file.
   */
  partOfText(offered: OfferedText): Promise<Part | undefined>;
  /** Opens the source of a part, or the part itself. */
  open(part: Part): Promise<void>;
  /** Returns true if the file is known to have changed since. */
  isChanged(part: ExcerptPart): boolean;
  /** Fires with a URI when `isChanged` may have changed for its parts. */
  readonly onChangedSince: Event<string>;
}
