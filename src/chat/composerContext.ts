/**
 * Context from the editor for the composer of a view: completions for "#", the automatic context, and
 * the sources of attachments and chips. Resolves the items that the page selects by index.
 */
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { Part } from "../conversation/message";
import type { MessageOf } from "../protocol/handlers";
import type { HostHandlers, ToHost } from "../protocol/messages";
import { chipParts } from "./conversationDraft";
import type { Conversations } from "./conversations";
import type { EditorContext, Reference, ReferenceContent } from "./editorContext";
import type { ImageAttachments } from "./imageAttachments";
import type { ViewUpdater } from "./viewUpdater";

export class ComposerContext implements Disposable {
  /** Search for completions. */
  private search: AbortController | undefined;
  /** Last completions and their query. */
  private offered: { readonly query: number; readonly items: readonly Reference[] } | undefined;

  readonly handlers: HostHandlers<
    | "attachment-opened"
    | "chip-opened"
    | "automatic-switched"
    | "rules-switched"
    | "rules-opened"
    | "prompt-asked"
    | "definitions-switched"
    | "definitions-opened"
    | "references-asked"
    | "references-left"
    | "reference-picked"
    | "files-asked"
    | "files-dropped"
    | "text-offered"
  > = {
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
    "rules-opened": () => this.open(this.view.rules()?.part),
    "prompt-asked": async ({ name, isAboutCode = false }) => {
      if (isAboutCode) return { isAccepted: await this.attachPromptCode(name) };
      const text = await this.context.promptText(name);
      return text === undefined ? undefined : { isAccepted: true, text };
    },
    "definitions-switched": ({ isOn }) => this.context.switchDefinitions(isOn),
    "definitions-opened": ({ definitionsId }) => this.open(this.definitionsPart(definitionsId)),
    "references-asked": ({ query, text }) => this.findReferences(query, text),
    "references-left": () => this.cancelSearch(),
    "reference-picked": ({ query, index }) => this.attachReference(query, index),
    "files-asked": async ({ conversationId }) =>
      this.attach(conversationId, await this.context.pickFiles()),
    "files-dropped": async ({ conversationId, uris }) =>
      this.attach(conversationId, await this.context.readFiles(uris)),
    "text-offered": async (offered) => ({ isAccepted: await this.attachText(offered) }),
  };

  constructor(
    private readonly context: EditorContext,
    private readonly conversations: Conversations,
    private readonly loadPictures: () => Promise<ImageAttachments>,
    private readonly view: ViewUpdater,
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
    try {
      for await (const items of this.context.findReferences(text, signal)) {
        if (signal.aborted) return;
        this.showReferences(query, items, false);
      }
    } catch (error) {
      if (!signal.aborted)
        this.log.warn(`references: the search was incomplete (${describeError(error)})`);
    }
    if (!signal.aborted) this.showReferences(query, this.offered?.items ?? [], true);
  }

  private showReferences(query: number, items: readonly Reference[], isComplete: boolean): void {
    this.offered = { query, items };
    this.view.post({
      type: "references-found",
      query,
      items: items.map(({ kind, label, detail }) => ({ kind, label, detail })),
      isComplete,
    });
  }

  /** Attaches an item of the latest query to the shown conversation. */
  private async attachReference(query: number, index: number): Promise<void> {
    const { live } = this.view;
    if (live === undefined || this.offered?.query !== query) return;
    const content = await this.offered.items[index]?.gather();
    if (content !== undefined) await this.attach(live.conversation.id, content);
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

  private async attach(
    conversationId: string,
    { parts, pictures }: ReferenceContent,
  ): Promise<void> {
    if (parts.length > 0) await this.conversations.draft(conversationId).attach(parts);
    if (pictures.length === 0) return;
    await (await this.loadPictures()).attachFiles(conversationId, pictures);
  }

  private async attachText(offered: MessageOf<ToHost, "text-offered">): Promise<boolean> {
    const part = await this.context.partOfText(offered);
    if (part !== undefined) await this.conversations.draft(offered.conversationId).attach([part]);
    return part !== undefined;
  }
}
