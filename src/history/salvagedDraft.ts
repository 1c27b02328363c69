/**
 * Reads what is left of a damaged draft file: its text, and the attachments and queued questions that are
 * intact. Also reads the known fields of a draft of a newer version.
 */
import * as z from "zod/mini";
import { parseJson } from "../base/parseJson";
import { draftSchema, type Draft } from "../conversation/draft";

/** Start of every draft file, with the text as far as the file has it. */
const TEXT = /^\s*\{"text":"((?:[^"\\]|\\.)*)/s;

// Zeros of an unwritten disk block, and other characters that JSON does not allow in a string.
const CONTROL_CHARACTERS = /[\u0000-\u001f]+/g;

const looseSchema = z.looseObject({ text: z.string() });
const namesSchema = z.array(z.string());

/** Content of a draft file. */
export interface SalvagedDraft extends Draft {
  readonly replaces: string[];
  readonly others: string[];
}

/** Returns undefined if `file` has no text of a draft. */
export function salvagedDraft(file: string): SalvagedDraft | undefined {
  const readable = file.replaceAll(CONTROL_CHARACTERS, "\ufffd");
  const parsedDraft = looseSchema.safeParse(parseJson(readable));
  if (!parsedDraft.success) {
    const text = TEXT.exec(readable)?.[1];
    if (text === undefined || text === "") return undefined;
    return { text: unescaped(text), attached: [], queued: [], others: [], replaces: [] };
  }
  const { text, attached, queued, editing, other, others, replaces } = parsedDraft.data;
  const { shape } = draftSchema;
  const edit = shape.editing.safeParse(editing).data;
  const texts = items(others).concat(other);
  return {
    text,
    attached: items(attached).flatMap((item) => shape.attached.safeParse([item]).data ?? []),
    queued: items(queued).flatMap((item) => shape.queued.safeParse([item]).data ?? []),
    ...(edit && { editing: edit }),
    others: texts.filter((item) => typeof item === "string"),
    replaces: namesSchema.safeParse(replaces).data ?? [],
  };
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Decodes the content of a JSON string whose last escape may be cut off. */
function unescaped(content: string): string {
  const whole = content.replace(/\\u[\da-f]{0,3}$/i, "");
  const text = parseJson(`"${whole}"`);
  return typeof text === "string" ? text : content;
}
