import { l10n } from "vscode";
import { MAX_REQUEST_PICTURE_BYTES } from "../../context/budget";
import type { Messages } from "../../chat/view/messages";
import type { ImagePart } from "../../conversation/message";
import type { PictureOrigin } from "../../conversation/draft";
import { byteSize } from "./byteSize";
import { warning } from "./notices";
import { lostPicture } from "./lostPictureMessages";
import {
  UNCERTAIN_END,
  UNCERTAIN_START,
  type PictureContent,
} from "../../replyCode/pictureContent";

export const pictureMessages = {
  pictureSize: sizeOf,

  pictureFit(part, plan, origin) {
    const changes = originOf(origin);
    const list = (...details: readonly string[]) => [...details, ...changes].join(l10n.t(", "));
    if (plan === undefined) {
      return changes.length > 0 ? list(sizeOf(part)) : l10n.t("{0}, original", sizeOf(part));
    }
    const [first] = plan.sent;
    const change = plan.change ?? (plan.fit === "crop" || plan.fit === "marked" ? plan.fit : "");
    if (first === undefined) return l10n.t("not ready");
    const tiles = first.overviewOfTiles ?? plan.sent.length;
    const size = tiles === 1 ? sizeOf(first) : l10n.t("{0} tiles", tiles);
    return list(
      size,
      ...(plan.fit === "scaled" ? [l10n.t("scaled down")] : []),
      ...(change === "crop" ? [l10n.t("cropped")] : []),
      ...(change === "marked" ? [l10n.t("marked up")] : []),
    );
  },

  showWhere: () => l10n.t("Mark in picture"),

  inThePicture: () => l10n.t("In the picture"),

  contentQuestion,

  pictureLost: (name, loss) => warning(lostPicture(name, loss)),

  nothingLeft: () =>
    warning(l10n.t("The question would be empty without its pictures. Enter some text.")),

  pictureRefused(name, problem) {
    const texts: Readonly<Record<typeof problem, string>> = {
      "no-picture": l10n.t("{0} is not a supported picture. Attach it as PNG or JPEG.", name),
      damaged: l10n.t("{0} is damaged. Save it again, then attach it.", name),
      "too-many-pixels": l10n.t(
        "{0} has too many pixels to open. Crop it and attach it again.",
        name,
      ),
      "too-many-bytes": l10n.t("{0} is larger than 64 MB. Attach a smaller picture.", name),
      "svg-too-large": l10n.t("{0} is an SVG of more than 4 MB. Attach it as PNG.", name),
      "svg-entities": l10n.t(
        "{0} defines XML entities that contain elements, other entities or files, which are not opened. Attach it as PNG.",
        name,
      ),
      "too-many-elements": l10n.t("{0} has too many elements to draw. Attach it as PNG.", name),
      "too-many-together": l10n.t(
        "{0} was not attached, because all pictures together exceed {1}. Attach fewer or smaller pictures.",
        name,
        byteSize(MAX_REQUEST_PICTURE_BYTES),
      ),
      unreadable: l10n.t("{0} could not be read. Check that it exists.", name),
      outdated: l10n.t("The picture is no longer attached. Attach it again."),
      "not-drawn": l10n.t(
        "{0} could not be opened and may be damaged. Save it again as PNG or JPEG, then attach it.",
        name,
      ),
      "not-marked": l10n.t(
        "The changes to {0} could not be applied, so it is not sent. Try again, use the original, or remove it.",
        name,
      ),
      unfinished: l10n.t(
        "The changes to {0} could not be applied, so it is not sent. Try again, use the original, or remove it.",
        name,
      ),
    };
    return warning(texts[problem]);
  },
} satisfies Partial<Messages>;

/** Differences from the file: "rotated upright", "converted from WebP", "first frame of 3". */
function originOf({ mediaType, isTurned, frames }: PictureOrigin = {}): string[] {
  return [
    ...(isTurned ? [l10n.t("rotated upright")] : []),
    ...(mediaType === undefined ? [] : [l10n.t("converted from {0}", formatOf(mediaType))]),
    ...(frames === undefined ? [] : [l10n.t("first of {0} frames", frames)]),
  ];
}

/** "PNG", "WebP", "SVG" */
function formatOf(mediaType: string): string {
  switch (mediaType) {
    case "image/webp":
      return "WebP";
    case "image/svg+xml":
      return "SVG";
    case "image/x-icon":
      return "ICO";
    default:
      return mediaType.replace("image/", "").toUpperCase();
  }
}

/** "2560×1440 PNG, 412 KB" */
export function sizeOf({
  widthPx,
  heightPx,
  mediaType,
  bytes,
}: Pick<ImagePart, "widthPx" | "heightPx" | "mediaType" | "bytes">): string {
  return `${widthPx}×${heightPx} ${formatOf(mediaType)}, ${byteSize(bytes)}`;
}

/** Returns the question for a content of a picture, whose answer replyCode/pictureReply.ts reads. */
function contentQuestion(content: PictureContent): string {
  const block = l10n.t(
    "Reply with a single code block that has nothing else in it. Begin and end it with four backticks if it contains three in a row.",
  );
  const table = l10n.t("Reply with the Markdown table and nothing else.");
  const uncertain = l10n.t(
    "Put {0} and {1} around each part that you cannot read with certainty, and write nothing between them where you cannot read anything.",
    UNCERTAIN_START,
    UNCERTAIN_END,
  );
  const asked: Readonly<Record<PictureContent, string>> = {
    text: l10n.t("Copy the text in this picture, with its line breaks."),
    table: l10n.t("Copy the table in this picture, with all rows and columns."),
    code: l10n.t("Copy the code in this picture, with its indentation."),
  };
  return [asked[content], "", content === "table" ? table : block, uncertain].join("\n");
}
