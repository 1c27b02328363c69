/**
 * Actions after a question with pictures was refused: retry with smaller pictures, without pictures, or
 * without a particular picture.
 */
import { t } from "@vscode/l10n";
import type { ReplyView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";

interface PictureRetryProps {
  readonly messageId: string;
  readonly retry: NonNullable<ReplyView["pictureRetry"]>;
}

export function PictureRetry({ messageId, retry }: PictureRetryProps) {
  const { names, olderNames = [], canShrink } = retry;
  const { host } = usePanel();
  const button = (label: string, how: "smaller" | "without" | "remove", index?: number) => (
    <button
      key={`${how} ${index}`}
      type="button"
      class="secondary-button"
      onClick={() =>
        host.send({
          type: "picture-retry-asked",
          messageId,
          how,
          ...(index !== undefined && { index }),
        })
      }
    >
      {label}
    </button>
  );
  return (
    <div class="picture-retry" role="group" aria-label={t("Pictures of the question")}>
      {canShrink && button(t("Retry smaller"), "smaller")}
      {button(t("Retry without pictures"), "without")}
      {names.map((name, index) => button(t("Remove {0}", name), "remove", index))}
      {olderNames.map((name, index) =>
        button(t("Remove {0} (earlier question)", name), "remove", names.length + index),
      )}
    </div>
  );
}
