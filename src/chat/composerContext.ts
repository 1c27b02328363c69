/**
 * Context from the editor for the composer of a view: completions for "#", the automatic context, and
 * the sources of attachments and chips. Resolves the items that the page selects by index.
 */
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { Part } from "../conversation/message";
import type { MessageOf } from "../protocol/handlers";
import type { HostHandlers, ToHost } from "../protocol/toHost";
import type { ReferenceView } from "../protocol/views";
import { chipParts } from "./conversation/conversationDraft";
import { quotePart } from "./asideActions";
import type { Conversations } from "./conversation/conversations";
import type { EditorContext, Reference, ReferenceContent } from "./view/editorContext";
import type { ImageAttachments } from "./pictures/imageAttachments";
import type { Messages } from "./view/messages";
import { rulesFor } from "./view/questionContext";
import type { ViewUpdater } from "./view/viewUpdater";

/** Number of queries whose items can be picked: the page may still show the items before the last. */
const MAX_OFFERED = 3;

export class ComposerContext implements Disposable {
  private search: AbortController | undefined;
  /** Lines of the last trace or mark that the page asked about; picked with query 0. */
  private places: readonly Reference[] = [];
  private placeSearch: AbortController | undefined;
  /** Completions of the latest queries, newest first. */
  private offered: readonly { readonly query: number; readonly items: readonly Reference[] }[] = [];

  readonly handlers = {
    "attachment-opened": ({ conversationId, attachmentId }) => {
      const { attachments } = this.conversations.draft(conversationId);
      return this.open(attachments.find(({ id }) => id === attachmentId)?.part);
    },
    "chip-opened": ({ messageId, index }) => {
      const question = this.view.live?.message(messageId);
      if (question?.role !== "user") return;
      return this.open(chipParts(question.parts)[index]);
    },
    "automatic-switched": ({ isOn }) => this.context.switchAutomatic(isOn),
    "rules-switched": ({ isOn }) => this.context.switchRules(isOn),
    "rules-opened": () => {
      const { live } = this.view;
      return this.open(live && rulesFor(this.context, live.draft)?.part);
    },
    "prompt-asked": async ({ name, isAboutCode = false }) => {
      if (isAboutCode) return { isAccepted: await this.attachPromptCode(name) };
      const text = await this.context.promptText(name);
      return text === undefined ? undefined : { isAccepted: true, text };
    },
    "definitions-switched": ({ isOn }) => this.context.switchDefinitions(isOn),
    "definitions-opened": ({ definitionsId }) => this.open(this.definitionsPart(definitionsId)),
    "references-asked": ({ query, text }) => this.findReferences(query, text),
    "references-left": () => this.cancelSearch(),
    "reference-picked": async ({ query, index }) => ({
      isAccepted: await this.attachReference(query, index),
    }),
    "places-asked": async ({ text, label }) => {
      this.placeSearch?.abort(new Error("another search"));
      this.placeSearch = new AbortController();
      const { signal } = this.placeSearch;
      const places = await (label === undefined
        ? this.context.findTracedLines(text)
        : this.context.findCode(label, text, signal));
      if (signal.aborted) return undefined;
      this.places = places;
      return { isAccepted: true, references: places.map(viewOf) };
    },
    "files-asked": async ({ conversationId, source }) => ({
      isAccepted: await this.attach(conversationId, await this.context.pickFiles(source)),
    }),
    "files-dropped": async ({ conversationId, uris }) => ({
      isAccepted: await this.attach(conversationId, await this.context.readFiles(uris)),
    }),
    "quote-added": (quote) => this.attachQuote(quote),
    "text-offered": async (offered) => ({ isAccepted: await this.attachText(offered) }),
  } satisfies Partial<HostHandlers>;

  constructor(
    private readonly context: EditorContext,
    private readonly conversations: Conversations,
    private readonly loadPictures: () => Promise<ImageAttachments>,
    private readonly view: ViewUpdater,
    private readonly texts: Pick<Messages, "quote">,
    private readonly log: Log,
  ) {}

  /** Returns the automatic context that the page shows; undefined if it is off or too old. */
  automaticPart(id: string | undefined): Part | undefined {
    return id === undefined ? undefined : this.context.automaticPart(id);
  }

  /** Returns the definitions that the page shows; undefined if they are off or others by now. */
  definitionsPart(id: string | undefined): Part | undefined {
    const definitions = this.context.definitions();
    return definitions?.isOn === true && definitions.id === id ? definitions.part : undefined;
  }

  /** Cancels the search; the items found can still be picked. */
  cancelSearch(): void {
    this.search?.abort(new Error("another search or none"));
    this.search = undefined;
  }

  dispose(): void {
    this.placeSearch?.abort(new Error("the view ends"));
    this.cancelSearch();
  }

  private async open(part: Part | undefined): Promise<void> {
    if (part !== undefined) await this.context.open(part);
  }

  /** Searches completions; cancels the previous search. */
  private async findReferences(query: number, text: string): Promise<void> {
    this.cancelSearch();
    this.search = new AbortController();
    const { signal } = this.search;
    let references: readonly Reference[] = [];
    try {
      for await (const items of this.context.findReferences(text, signal)) {
        if (signal.aborted) return;
        references = items;
        this.showReferences(query, references, false);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.log.warn(`references: the search was incomplete (${describeError(error)})`);
      if (references.length === 0) return; // The page must not conclude that nothing matches.
    }
    if (!signal.aborted) this.showReferences(query, references, true);
  }

  private showReferences(query: number, items: readonly Reference[], isComplete: boolean): void {
    const shown = this.offered.filter((one) => one.query !== query);
    this.offered = [{ query, items }, ...shown].slice(0, MAX_OFFERED);
    this.view.post({
      type: "references-found",
      query,
      items: items.map(viewOf),
      isComplete,
    });
  }

  /** Attaches an item of a recent query to the shown conversation; false if it was not attached. */
  private async attachReference(query: number, index: number): Promise<boolean> {
    const { live } = this.view;
    const items =
      query === 0 ? this.places : this.offered.find((one) => one.query === query)?.items;
    const item = items?.[index];
    if (live === undefined || item === undefined) return false;
    return this.attach(live.conversation.id, await item.gather());
  }

  /**
   * Attaches the code at the cursor for a prompt about code. Returns false if something is attached
   * already, or the selection is sent.
   */
  private async attachPromptCode(name: string): Promise<boolean> {
    const { live } = this.view;
    if (live === undefined || live.draft.attachments.length > 0) return false;
    if (this.context.automatic()?.isOn === true) return false;
    const parts = await this.context.promptCode(name);
    await this.attach(live.conversation.id, { parts, pictures: [] });
    return parts.length > 0;
  }

  /** Returns false if there is nothing to attach, or if a picture was not attached. */
  private async attach(
    conversationId: string,
    { parts, pictures }: ReferenceContent,
  ): Promise<boolean> {
    if (parts.length > 0) await this.conversations.draft(conversationId).attach(parts);
    if (pictures.length === 0) return parts.length > 0;
    return (await this.loadPictures()).attachFiles(conversationId, pictures);
  }

  private async attachQuote(quote: MessageOf<ToHost, "quote-added">): Promise<void> {
    const { live } = this.view;
    if (live?.conversation.id !== quote.conversationId) return;
    const part = quotePart(live, quote, this.texts);
    if (part) await live.draft.attach([part]);
  }

  private async attachText(offered: MessageOf<ToHost, "text-offered">): Promise<boolean> {
    const part = await this.context.partOfText(offered);
    if (part !== undefined) await this.conversations.draft(offered.conversationId).attach([part]);
    return part !== undefined;
  }
}

function viewOf({ kind, label, detail, name }: Reference): ReferenceView {
  return { kind, label, detail, ...(name !== undefined && { name }) };
}
