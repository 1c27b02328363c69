/**
 * What the editor around the panel can give to a question, as a port: what is selected there, what
 * can be named by "#", and where something that was attached stands.
 */
import type { Event } from "../base/event";
import type { ChipView } from "../protocol/views";
import type { ExcerptPart, Part } from "../conversation/message";
import type { PictureFile } from "./imageAttachments";

/** What a reference stands for: parts as they go, and pictures that are judged first. */
export interface ReferencedThings {
  readonly parts: readonly Part[];
  readonly pictures: readonly PictureFile[];
}

/** Something that can be named in a question. */
export interface Reference {
  readonly kind: ChipView["kind"];
  readonly label: string;
  /** Where it is: a folder, a file; empty where there is nothing to say. */
  readonly detail: string;
  /** What it stands for. What stands in the way is told to the person there. */
  gather(): Promise<ReferencedThings>;
}

/** What goes along by itself as long as it is shown. */
export interface AutomaticContext {
  /** Names exactly these lines of this file; another selection is another id. */
  readonly id: string;
  readonly part: Part;
  /** False while the user has switched automatic context off: the part is shown, not sent. */
  readonly isOn: boolean;
  /** Reason why the lines are never sent automatically; `part` has no text and `isOn` is false then. */
  readonly leftOut?: "secrets" | "outside";
}

/** The editor, as far as questions are concerned. */
export interface EditorContext {
  /** What is selected or seen now; undefined when nothing goes along. */
  automatic(): AutomaticContext | undefined;
  /** The part of an id that was given a moment ago; undefined when it is too long ago, or off. */
  automaticPart(id: string): Part | undefined;
  switchAutomatic(isOn: boolean): void;
  /** Tells that `automatic` may be different. */
  readonly onAutomaticChanged: Event<void>;
  /** What fits what was typed behind "#", the whole list each time it is longer. */
  findReferences(text: string, signal: AbortSignal): AsyncIterable<readonly Reference[]>;
  /** Shows where a part is from, or the part itself. */
  open(part: Part): Promise<void>;
  /** True when its file is known to say something else by now. */
  isChanged(part: ExcerptPart): boolean;
  /** Tells that `isChanged` may be different for parts of this URI. */
  readonly onChangedSince: Event<string>;
}
