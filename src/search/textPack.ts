/**
 * File with the texts of some conversations, written once and never changed. Layout: size and checksum of
 * the table of contents, in hexadecimal digits; the table, which is JSON; the folded texts of all
 * conversations, which are searched; then their texts as they are shown.
 */
import * as z from "zod/mini";
import { concatBytes } from "../base/concatBytes";
import type { TimeSlice } from "../base/timeSlice";
import type { FileSystem } from "../history/fileSystem";
import type { IndexEntry } from "./indexEntry";
import type { MessageText } from "./messageTexts";

/** Byte between the folded title and messages of a conversation. Folded text has no control characters. */
export const SEPARATOR = 0;

/** Conversation with its file as it was at some time. */
export type FileVersion = Pick<IndexEntry, "id" | "fileBytes" | "fileChangedAtMs">;

export interface EncodedTexts {
  readonly folded: Uint8Array;
  /** JSON lines, each with the id and the shown text of a message; the first is the title, without id. */
  readonly shown: Uint8Array;
}

/** Range of a file with a part of a conversation's texts. */
export interface Section {
  readonly start: number;
  readonly end: number;
  readonly checksum: number;
}

/** Position of a conversation's texts in a file. Each file has objects of its own. */
export interface PackedConversation
  extends FileVersion, Readonly<Record<keyof EncodedTexts, Section>> {
  readonly path: string;
}

/** Error for a file that is not as it was written. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}

const count = z.number();
const tableSchema = z.array(z.tuple([z.string(), count, count, count, count, count, count]));
const lineSchema = z.tuple([z.string(), z.string()]);

const NUMBER_DIGITS = 8;
const PREFIX_BYTES = 2 * NUMBER_DIGITS;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes the title and the messages of a conversation. Rejects with the slice's reason. */
export async function encodeTexts(
  messages: readonly MessageText[],
  slice: TimeSlice,
): Promise<EncodedTexts> {
  const separator = String.fromCharCode(SEPARATOR);
  const folded = await slice.map(messages, (message, at) =>
    encoder.encode(at === 0 ? message.folded : separator + message.folded),
  );
  const shown = await slice.map(messages, ({ id, original }) =>
    encoder.encode(`${JSON.stringify([id, original])}\n`),
  );
  return { folded: concatBytes(folded), shown: concatBytes(shown) };
}

export function decodeMessage(line: Uint8Array): { readonly id: string; readonly text: string } {
  const [id, text] = lineSchema.parse(JSON.parse(decoder.decode(line)));
  return { id, text };
}

/** Encodes a file. Rejects with the slice's reason. */
export async function encodePack(
  conversations: readonly (FileVersion & EncodedTexts)[],
  slice: TimeSlice,
): Promise<Uint8Array> {
  const table = await slice.map(
    conversations,
    ({ id, fileBytes, fileChangedAtMs, folded, shown }) => {
      const sizes = [folded.length, checksum(folded), shown.length, checksum(shown)];
      return [id, fileBytes, fileChangedAtMs, ...sizes];
    },
  );
  const tableBytes = encoder.encode(JSON.stringify(table));
  const prefix = [tableBytes.length, checksum(tableBytes)].map((number) =>
    number.toString(16).padStart(NUMBER_DIGITS, "0"),
  );
  return concatBytes([
    encoder.encode(prefix.join("")),
    tableBytes,
    ...conversations.map(({ folded }) => folded),
    ...conversations.map(({ shown }) => shown),
  ]);
}

/**
 * Reads the table of a file; undefined if there is no file. Rejects for a damaged one.
 *
 * @param fileBytes size of the file, before it is read
 */
export async function readTable(
  files: FileSystem,
  path: string,
  fileBytes: number,
): Promise<PackedConversation[] | undefined> {
  const [prefix] = (await files.readRanges(path, [[0, PREFIX_BYTES]])) ?? [];
  if (prefix === undefined) return undefined;
  const [size = 0, sum] = [0, NUMBER_DIGITS].map((at) =>
    Number.parseInt(decoder.decode(prefix.subarray(at, at + NUMBER_DIGITS)), 16),
  );
  const tableEnd = PREFIX_BYTES + size;
  if (!(tableEnd <= fileBytes)) throw new DamagedFile("prefix");
  const [bytes] = (await files.readRanges(path, [[PREFIX_BYTES, tableEnd]])) ?? [];
  if (bytes === undefined) return undefined;
  if (checksum(bytes) !== sum) throw new DamagedFile("table");
  const table = tableSchema.parse(JSON.parse(decoder.decode(bytes)));
  let foldedEnd = tableEnd;
  let shownEnd = table.reduce((end, [, , , foldedBytes]) => end + foldedBytes, tableEnd);
  const packed = table.map(
    ([id, conversationBytes, fileChangedAtMs, ...sections]): PackedConversation => {
      const [foldedBytes, foldedSum, shownBytes, shownSum] = sections;
      const folded = { start: foldedEnd, end: (foldedEnd += foldedBytes), checksum: foldedSum };
      const shown = { start: shownEnd, end: (shownEnd += shownBytes), checksum: shownSum };
      return { path, id, fileBytes: conversationBytes, fileChangedAtMs, folded, shown };
    },
  );
  if (shownEnd !== fileBytes) throw new DamagedFile("size");
  return packed;
}

/** Returns a 32-bit checksum. About ten times as fast as a CRC-32: a search checks megabytes. */
export function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const wholeEnd = bytes.length & ~3;
  let sum = bytes.length;
  for (let at = 0; at < wholeEnd; at += 4)
    sum = (Math.imul(sum, 0x01000193) + view.getUint32(at, true)) | 0;
  for (let at = wholeEnd; at < bytes.length; at++)
    sum = (Math.imul(sum, 31) + (bytes[at] ?? 0)) | 0;
  return sum >>> 0;
}
