/**
 * What every component of the panel may use, handed down through Preact's context.
 */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReadonlySignal } from "@preact/signals";
import type { Announcer } from "../transcript/announcer";
import type { Host } from "../boot/hostClient";
import type { CompletionController } from "../composer/completion";
import type { ComposerDraft } from "../composer/draft";
import type { HistoryPane } from "../history/historyPane";
import type { ScrollReporter } from "./scrollReporter";
import type { PagePictures } from "../pictures/pagePictures";
import type { PanelStore } from "./store";
import type { CreateMarkdownStream } from "../transcript/replyRenderer";
import type { ReplyCache } from "../transcript/replyCache";
import type { RenderQueue } from "../transcript/renderQueue";
import type { ViewMemory } from "./viewMemory";

/** The page's parts; made once, in main. */
export interface PanelParts {
  readonly store: PanelStore;
  readonly host: Host;
  readonly draft: ComposerDraft;
  readonly pictures: PagePictures;
  readonly completion: CompletionController;
  readonly memory: ViewMemory;
  readonly places: ScrollReporter;
  readonly history: HistoryPane;
  readonly announcer: Announcer;
  readonly renderQueue: RenderQueue;
  readonly farReplies: ReplyCache;
  /** Undefined until its chunk has come. */
  readonly markdown: ReadonlySignal<CreateMarkdownStream | undefined>;
  /** Tells the host by name what did not work; never with content. */
  reportFailure(where: string): void;
}

const PanelContext = createContext<PanelParts | undefined>(undefined);

export const PanelProvider = PanelContext.Provider;

/** The page's parts; only inside the provider. */
export function usePanel(): PanelParts {
  const parts = useContext(PanelContext);
  if (parts === undefined) throw new Error("the panel's parts are missing");
  return parts;
}
