/** Questions for the contents of a picture. Their answers are read by replyCode/pictureReply.ts. */
import { l10n } from "vscode";
import {
  UNCERTAIN_END,
  UNCERTAIN_START,
  type PictureContent,
} from "../../replyCode/pictureContent";

/** Returns the question for a content, in the display language. */
export function contentQuestion(content: PictureContent): string {
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
