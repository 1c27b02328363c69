/**
 * Reads what was copied from a picture out of a reply: the one code block, or the tables. The question
 * asks the model to put marks around what it cannot read with certainty; the copies are without them.
 */
import { tableMarkdown, tables } from "../markdown/tables";
import { namedBlocks } from "./namedBlocks";
import { isBlank } from "./lines";
import { UNCERTAIN_END, UNCERTAIN_START, type PictureContent } from "./pictureContent";

/**
 * Returns the text that a complete reply has, with the marks; tables are Markdown. Undefined if it has
 * none, or more than one block where one was asked for.
 */
export function readContent(content: PictureContent, reply: string): string | undefined {
  const [block, ...others] = namedBlocks(reply).filter(({ lines }) => !lines.every(isBlank));
  const text = block?.isClosed && others.length === 0 ? block.lines.join("\n") : undefined;
  if (content !== "table") return text;
  const ofReply = tables(reply);
  // Some models put the table into a code block.
  const all = ofReply.length > 0 || text === undefined ? ofReply : tables(text);
  return all.length === 0 ? undefined : all.map(tableMarkdown).join("\n");
}

export function withoutMarks(text: string): string {
  return text.replaceAll(UNCERTAIN_START, "").replaceAll(UNCERTAIN_END, "");
}
