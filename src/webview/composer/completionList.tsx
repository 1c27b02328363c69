import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/iconButton";
import { KindIcon } from "../ui/chip";
import type { CompletionItem } from "./completion";
import { COMPLETION_LIST_ID, optionId, useCompletion } from "./completionContext";

/** List box above the composer. The focus stays in the text, which handles the keys. */
export function CompletionList() {
  const completion = useCompletion();
  const activeRef = useRef<HTMLLIElement>(null);
  const items = completion.items.value;
  const active = completion.active.value;
  useLayoutEffect(() => activeRef.current?.scrollIntoView({ block: "nearest" }), [active, items]);
  const isWaiting = completion.isWaiting.value;
  const isSearching = isWaiting || (items.length === 0 && completion.isSearching.value);
  if (items.length === 0 && !isSearching) return null;
  return (
    <div class="completion">
      <div class="completion-box">
        {items.length > 0 && (
          <ul id={COMPLETION_LIST_ID} role="listbox" aria-label={t("Suggestions")}>
            {items.map((item, index) => (
              <li
                key={index}
                ref={index === active ? activeRef : null}
                id={optionId(index)}
                class="completion-item"
                role="option"
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault() /* Keeps the focus in the text. */}
                onClick={() => completion.chooseItem(item)}
              >
                <ItemContent item={item} />
              </li>
            ))}
          </ul>
        )}
        {isSearching && (
          <div
            class={isWaiting ? "completion-searching is-waiting" : "completion-searching"}
            role="status"
          >
            {t("Searching…")}
          </div>
        )}
      </div>
      {!isSearching && (
        <div class="visually-hidden" role="status">
          {items.length === 1 ? t("1 suggestion") : t("{0} suggestions", items.length)}
        </div>
      )}
    </div>
  );
}

function ItemContent({ item }: { readonly item: CompletionItem }) {
  if (item.kind === "prompt") {
    return (
      <>
        <Icon name="comment" />
        <bdi class="completion-label">/{item.prompt.name}</bdi>
        <bdi class="completion-detail">{item.prompt.path ?? item.prompt.text}</bdi>
      </>
    );
  }
  if (item.kind === "command") {
    return (
      <>
        <Icon name="comment-discussion" />
        <bdi class="completion-label">/{item.name}</bdi>
        <bdi class="completion-detail">{t("Ask without changing the conversation")}</bdi>
      </>
    );
  }
  const { kind, label, detail } = item.reference;
  return (
    <>
      <KindIcon kind={kind} />
      <bdi class="completion-label">{label}</bdi>
      {detail !== "" && <bdi class="completion-detail">{detail}</bdi>}
    </>
  );
}
