import { t } from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import type { ReplyModel } from "../state/store";
import { IconButton } from "../ui/iconButton";
import type { ReplySummary } from "./replyParts";

/** Button that folds a reply to its first line. */
export function FoldButton({ model }: { readonly model: ReplyModel }) {
  const { store } = usePanel();
  const isFolded = model.isFolded.value;
  return (
    <IconButton
      icon={isFolded ? "unfold" : "fold"}
      label={isFolded ? t("Unfold answer") : t("Fold answer")}
      onClick={() => store.fold(model, !isFolded)}
    />
  );
}

/** First line of a folded reply, and the names of its code blocks. */
export function FoldedText({ model }: { readonly model: ReplyModel }) {
  const { store } = usePanel();
  const [summary, setSummary] = useState<ReplySummary>();
  useEffect(() => {
    // Without the parser the start of the text is shown.
    import("./replyParts").then(
      ({ summaryOf }) => setSummary(summaryOf(model)),
      () => setSummary({ firstLine: model.text.whole.slice(0, 100), code: [] }),
    );
  }, [model]);
  return (
    <div class="folded-text" onClick={() => store.fold(model, false)}>
      <bdi class="folded-line">{summary?.firstLine ?? "…"}</bdi>
      {summary?.code.map((name, index) => (
        <code key={index} class="folded-code">
          {name === "" ? t("Code") : name}
        </code>
      ))}
    </div>
  );
}
