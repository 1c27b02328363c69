/** Actions after a request with pictures was refused: with smaller pictures, or without pictures. */
import { t } from "@vscode/l10n";
import type { ReplyView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";
import { TextButton } from "../../ui/iconButton";

interface PictureRetryProps {
  readonly messageId: string;
  readonly retry: NonNullable<ReplyView["pictureRetry"]>;
}

export function PictureRetry({ messageId, retry: { canShrink } }: PictureRetryProps) {
  const { host } = usePanel();
  const button = (label: string, how: "smaller" | "without") => (
    <TextButton
      label={label}
      onClick={() => host.send({ type: "picture-retry-asked", messageId, how })}
    />
  );
  return (
    <div class="picture-retry" role="group" aria-label={t("Pictures of the question")}>
      {canShrink && button(t("Retry smaller"), "smaller")}
      {button(t("Retry without pictures"), "without")}
    </div>
  );
}
