import { l10n } from "vscode";
import type { PictureLoss } from "../../conversation/ending";

/** Returns the text that the transcript shows instead of the picture. */
export function lostPicture(name: string, loss: PictureLoss): string {
  const texts: Readonly<Record<PictureLoss, string>> = {
    missing: l10n.t("{0} is no longer on disk. Attach it again.", name),
    damaged: l10n.t("{0} is damaged on disk. Attach it again.", name),
    unreadable: l10n.t("{0} could not be read from disk. Check the disk and try again.", name),
  };
  return texts[loss];
}

/** Returns the text for a request that cannot contain the picture. */
export function lostPictureUnsent(name: string, loss: PictureLoss): string {
  const texts: Readonly<Record<PictureLoss, string>> = {
    missing: l10n.t(
      "{0} is no longer on disk, so nothing was sent. Ask without it, or attach it again.",
      name,
    ),
    damaged: l10n.t(
      "{0} is damaged on disk, so nothing was sent. Ask without it, or attach it again.",
      name,
    ),
    unreadable: l10n.t(
      "{0} could not be read from disk, so nothing was sent. Try again, or ask without it.",
      name,
    ),
  };
  return texts[loss];
}
