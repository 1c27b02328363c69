/** Texts for a stored picture that is missing or damaged. */
import { l10n } from "vscode";
import type { PictureLoss } from "../../conversation/ending";

/** Returns the text that the transcript shows instead of the picture. */
export function lostPicture(name: string, loss: PictureLoss): string {
  switch (loss) {
    case "missing":
      return l10n.t("{0} is no longer on disk. Attach it again.", name);
    case "damaged":
      return l10n.t("{0} is damaged on disk. Attach it again.", name);
    case "unreadable":
      return l10n.t("{0} could not be read from disk. Check the disk and try again.", name);
    default:
      return loss satisfies never;
  }
}

/** Returns the text for a request that cannot contain the picture. */
export function lostPictureUnsent(name: string, loss: PictureLoss): string {
  switch (loss) {
    case "missing":
      return l10n.t(
        "{0} is no longer on disk, so nothing was sent. Ask without it, or attach it again.",
        name,
      );
    case "damaged":
      return l10n.t(
        "{0} is damaged on disk, so nothing was sent. Ask without it, or attach it again.",
        name,
      );
    case "unreadable":
      return l10n.t(
        "{0} could not be read from disk, so nothing was sent. Try again, or ask without it.",
        name,
      );
    default:
      return loss satisfies never;
  }
}
