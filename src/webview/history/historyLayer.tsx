import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { later } from "../ui/later";
import { useHistory } from "./historyContext";

const HistoryView = later(async () => (await import("./historyView")).HistoryView, true);

/** Renders the conversation (`children`) and the list over it; the scroll position is kept. */
export function HistoryLayer({ children }: { readonly children: ComponentChildren }) {
  const { store, draft, announcer } = usePanel();
  const history = useHistory();
  const isOpen = history.isOpen.value;
  const wasOpenRef = useRef(false);

  useLayoutEffect(() => {
    if (wasOpenRef.current && !isOpen) {
      draft.focus();
      announcer.announce(store.title.peek());
    }
    wasOpenRef.current = isOpen;
  }, [isOpen, store, draft, announcer]);

  return (
    <>
      <div class="conversation-layer" inert={isOpen}>
        {children}
      </div>
      {isOpen && (
        <HistoryView
          field={{ label: t("Search conversations"), onText: (text) => history.search(text) }}
          onClose={() => history.close()}
        />
      )}
    </>
  );
}
