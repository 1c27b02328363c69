/** Actions after a request with pictures was refused: with smaller pictures, or without pictures. */
import { t } from "@vscode/l10n";
import type { ReplyView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";

interface PictureRetryProps {
  readonly messageId: string;
  readonly retry: NonNullable<ReplyView["pictureRetry"]>;
}

export function PictureRetry({ messageId, retry: { canShrink } }: PictureRetryProps) {
  const { host } = usePanel();
  const button = (label: string, how: "smaller" | "without") => (
    <button
      type="button"
      class="secondary-button"
      onClick={() => host.send({ type: "picture-retry-asked", messageId, how })}
    >
      {label}
    </button>
  );
  return (
    <div class="picture-retry" role="group" aria-label={t("Pictures of the question")}>
      {canShrink && button(t("Retry smaller"), "smaller")}
      {button(t("Retry without pictures"), "without")}
    </div>
  );
}
