/** Copies the content of a picture that a reply has: text, code, or tables as Markdown. */
import * as vscode from "vscode";
import type { PictureHost } from "../../chat/pictures/shownPictures";
import { UNCERTAIN_START } from "../../replyCode/pictureContent";
import { readContent, withoutMarks } from "../../replyCode/pictureReply";
import { confirmedText } from "../access/confirmInsert";

export const copyContent: PictureHost["copyContent"] = async (content, reply) => {
  const checked = await confirmedText(reply);
  if (checked === undefined) return undefined;
  const text = readContent(content, checked);
  if (text === undefined) return { text: checked, isCopied: false, uncertainCount: 0 };
  await vscode.env.clipboard.writeText(withoutMarks(text));
  return { text, isCopied: true, uncertainCount: text.split(UNCERTAIN_START).length - 1 };
};
