/** Copies the content of a picture that a reply has: text, code, or tables in several formats. */
import * as vscode from "vscode";
import type { PictureHost } from "../../chat/pictures/imageAttachments";
import { tableCsv, tableHtml, tableMarkdown, tableTsv, type Table } from "../../markdown/tables";
import { readContent, textOfPieces } from "../../replyCode/pictureReply";
import { confirmedText } from "../access/confirmInsert";

export const copyContent: PictureHost["copyContent"] = async (content, reply) => {
  const checked = await confirmedText(reply);
  if (checked === undefined) return undefined;
  const parsedContent = readContent(content, checked);
  if (parsedContent === undefined) {
    return { copies: [], pieces: [{ text: checked, isUncertain: false }], tables: [] };
  }
  const copied =
    parsedContent.kind === "text"
      ? {
          copies: [{ format: "text" as const, text: textOfPieces(parsedContent.pieces) }],
          pieces: [...parsedContent.pieces],
          tables: [],
        }
      : {
          copies: formatsOf(parsedContent.tables),
          pieces: [],
          tables: parsedContent.tables.map(({ rows }, table) =>
            rows.map((row, line) =>
              row.map((text, cell) => ({
                text,
                isUncertain: parsedContent.uncertain[table]?.[line]?.[cell] === true,
              })),
            ),
          ),
        };
  await vscode.env.clipboard.writeText(copied.copies[0]?.text ?? "");
  return copied;
};

/** Returns the formats of tables, one table below the other. */
function formatsOf(tables: readonly Table[]) {
  const all = (write: (table: Table) => string, gap: string) => tables.map(write).join(gap);
  return [
    { format: "markdown" as const, text: all(tableMarkdown, "\n") },
    { format: "cells" as const, text: all(tableTsv, "\n"), html: all(tableHtml, "\n") },
    { format: "csv" as const, text: all(tableCsv, "\r\n") },
  ];
}
