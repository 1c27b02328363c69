/**
 * Reads what was copied from a picture out of a reply: the one code block, or the tables. The question
 * asks the model to put marks around what it cannot read with certainty; the copies are without them.
 */
import { tables, type Table } from "../markdown/tables";
import { namedBlocks } from "./namedBlocks";
import { isBlank } from "./lines";
import { UNCERTAIN_END, UNCERTAIN_START, type PictureContent } from "./pictureContent";

/** Text of a reply without the marks. */
export interface ReadPiece {
  readonly text: string;
  readonly isUncertain: boolean;
}

/** Content of a picture: pieces of a text, or the cells of its tables without the marks. */
export type ReadContent =
  | { readonly kind: "text"; readonly pieces: readonly ReadPiece[] }
  | {
      readonly kind: "tables";
      readonly tables: readonly Table[];
      /** For each table, row and cell, true if the cell has a mark. */
      readonly uncertain: readonly (readonly (readonly boolean[])[])[];
    };

/**
 * Returns the content that a complete reply has; undefined if it has none, or more than one block where
 * one was asked for.
 */
export function readContent(content: PictureContent, reply: string): ReadContent | undefined {
  const [only, ...others] = namedBlocks(reply).filter(({ lines }) => !lines.every(isBlank));
  const text = only?.isClosed && others.length === 0 ? only.lines.join("\n") : undefined;
  if (content !== "table") {
    return text === undefined ? undefined : { kind: "text", pieces: piecesOf(text) };
  }
  const own = tables(reply);
  // Some models put the table into a code block.
  const found = own.length > 0 || text === undefined ? own : tables(text);
  if (found.length === 0) return undefined;
  return {
    kind: "tables",
    tables: found.map(({ alignments, sources, rows }) => ({
      alignments,
      sources: sources.map((row) => row.map(withoutMarks)),
      rows: rows.map((row) => row.map(withoutMarks)),
    })),
    uncertain: found.map(({ sources }) => sources.map((row) => row.map(hasMark))),
  };
}

/** Returns the text of a content of pieces. */
export function textOfPieces(pieces: readonly ReadPiece[]): string {
  return pieces.map(({ text }) => text).join("");
}

function withoutMarks(text: string): string {
  return text.replaceAll(UNCERTAIN_START, "").replaceAll(UNCERTAIN_END, "");
}

function hasMark(text: string): boolean {
  return text.includes(UNCERTAIN_START) || text.includes(UNCERTAIN_END);
}

/** Splits a text at its marks. A start without an end reaches to the end of its line. */
function piecesOf(text: string): ReadPiece[] {
  const pieces: ReadPiece[] = [];
  let isUncertain = false;
  for (const part of text.split(/([\u27e6\u27e7\n])/)) {
    if (part === UNCERTAIN_START) isUncertain = true;
    else if (part === UNCERTAIN_END) isUncertain = false;
    else {
      if (part === "\n") isUncertain = false;
      const last = pieces.at(-1);
      if (part === "" && !isUncertain) continue;
      if (last?.isUncertain === isUncertain)
        pieces.splice(-1, 1, { text: last.text + part, isUncertain });
      else pieces.push({ text: part, isUncertain });
    }
  }
  return pieces;
}
