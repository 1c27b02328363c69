/**
 * What is said about pictures: their size, how they will go, and why one is not taken.
 */
import { l10n } from "vscode";
import type { Words } from "../../chat/words";
import type { ImagePart } from "../../conversation/message";
import { warning } from "../notices";
import { lostPicture } from "./lostPictureWords";

/** The sentences about pictures. */
export const pictureWords: Pick<
  Words,
  "pictureSize" | "pictureFit" | "pictureRefused" | "pictureLost" | "nothingLeft"
> = {
  pictureSize: sizeOf,

  pictureFit(part, plan) {
    if (plan === undefined) return l10n.t("{0}, as it is", sizeOf(part));
    const [first] = plan.sent;
    const sent = first ? sizeOf(first) : "";
    switch (plan.fit) {
      case "tiles":
        return plan.sent.length === 1 ? sent : l10n.t("{0} tiles", plan.sent.length);
      case "scaled":
        return l10n.t("{0}, scaled down", sent);
      case "crop":
        return l10n.t("{0}, cropped", sent);
      case "marked":
        return l10n.t("{0}, marked up", sent);
      default:
        return plan.fit satisfies never;
    }
  },

  pictureLost: (name, loss) => warning(lostPicture(name, loss)),

  nothingLeft: () =>
    warning(l10n.t("Without its pictures nothing is left of the question. Write some words.")),

  pictureRefused(name, problem) {
    switch (problem) {
      case "no-picture":
        return warning(
          l10n.t("{0} is not a picture that can be read here. Attach it as PNG or JPEG.", name),
        );
      case "damaged":
        return warning(l10n.t("{0} is damaged. Save it anew and attach it again.", name));
      case "too-many-pixels":
        return warning(l10n.t("{0} has too many pixels to be opened. Cut out a part of it.", name));
      case "too-many-bytes":
        return warning(l10n.t("{0} is larger than 64 MiB. Attach a smaller picture.", name));
      case "unreadable":
        return warning(l10n.t("{0} could not be read. Check that it is there.", name));
      case "outdated":
        return warning(l10n.t("The picture is no longer attached. Attach it again."));
      default:
        return problem satisfies never;
    }
  },
};

/** "2560×1440 PNG, 412 KB" */
export function sizeOf({
  widthPx,
  heightPx,
  mediaType,
  bytes,
}: Pick<ImagePart, "widthPx" | "heightPx" | "mediaType" | "bytes">): string {
  const format = mediaType.replace("image/", "").toUpperCase();
  return `${widthPx}×${heightPx} ${format}, ${shortSize(bytes)}`;
}

/** Bytes in units of 1000, as file managers show them. */
export function shortSize(bytes: number): string {
  if (bytes < 999_500) return l10n.t("{0} KB", Math.max(1, Math.round(bytes / 1000)));
  const megabytes = bytes / 1_000_000;
  return l10n.t("{0} MB", megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes));
}
