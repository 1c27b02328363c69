import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { Late, usePreload } from "../ui/late";
import { useHistory } from "./historyContext";

const loadView = async () => (await import("./historyView")).HistoryView;

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

  usePreload(loadView);

  return (
    <>
      <div class="conversation-layer" inert={isOpen}>
        {children}
      </div>
      {isOpen && (
        <Late
          load={loadView}
          field={{ label: t("Search conversations"), onText: (text) => history.search(text) }}
          onClose={() => history.close()}
        />
      )}
    </>
  );
}
