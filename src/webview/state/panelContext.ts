import type { Signal } from "@preact/signals";
import type { Announcer } from "./announcer";
import type { ComposerDraft } from "./draft";
import type { Host } from "./host";
import { createRequiredContext } from "./requiredContext";
import type { Navigation } from "./navigation";
import type { PanelStore } from "./store";
import type { ViewMemory } from "./viewMemory";

/** Services that every component may use; created once, in main.tsx. */
export interface PanelParts {
  readonly store: PanelStore;
  readonly host: Host;
  readonly draft: ComposerDraft;
  readonly memory: ViewMemory;
  readonly announcer: Announcer;
  readonly navigation: Navigation;
  /** True once all messages must be in the page: to find text or to select everything. */
  readonly isWholeNeeded: Signal<boolean>;
}

export const [PanelProvider, usePanel] = createRequiredContext<PanelParts>("PanelParts");

/** Returns true while a reply of the shown conversation runs; edits and versions wait until then. */
export function useIsRunning(): boolean {
  return usePanel().store.panel.value?.isRunning === true;
}

/** Returns true if the next request has a picture, attached or from an earlier question. */
export function useIsPictureSent(): boolean {
  const { store } = usePanel();
  return (
    store.attachments.value.some(({ kind }) => kind === "picture") ||
    (store.meter.value?.olderPictures ?? 0) > 0
  );
}
