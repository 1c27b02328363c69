/** Parts of other tools' messages, and fields that may be damaged. */
import * as z from "zod/mini";

/** A value that may be missing; one of another form counts as missing, so that it costs only itself. */
export function lenient<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T | undefined> {
  return z.catch(z.optional(schema), undefined);
}

export const text = lenient(z.nullable(z.string()));
export const number = lenient(z.nullable(z.number()));
/** Items that are parsed one by one. */
export const items = z.array(z.unknown());
export const itemsById = z.record(z.string(), z.unknown());
export const unknownList = lenient(z.nullable(z.array(z.unknown())));

/** Parts of a message in the forms of OpenAI, Anthropic, Continue and LibreChat. */
const partSchema = z.looseObject({
  type: lenient(z.string()),
  text: lenient(z.nullable(z.union([z.string(), z.looseObject({ value: z.string() })]))),
  /** Name and arguments of a tool. */
  name: text,
  input: z.optional(z.unknown()),
  refusal: text,
  thinking: text,
  think: text,
  image_url: lenient(z.union([z.string(), z.looseObject({ url: z.string() })])),
  imageUrl: lenient(z.looseObject({ url: z.string() })),
  source: lenient(z.looseObject({ type: z.string(), media_type: text, data: text, url: text })),
});
export type ForeignPart = Partial<z.infer<typeof partSchema>>;

export const contentSchema = lenient(
  z.nullable(z.union([z.string(), z.array(lenient(partSchema))])),
);

export function partsOf(content: z.infer<typeof contentSchema>): ForeignPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return (content ?? []).filter((part) => part !== undefined);
}

/** True for a tool's call or result. */
export function isTool({ type }: ForeignPart): boolean {
  return type === "tool_use" || type === "tool_result" || type === "tool_call";
}

/** Returns the texts, with an empty line where a tool or thinking stands between them. */
export function textOf(parts: readonly ForeignPart[], separator = ""): string {
  let all = "";
  let isApart = false;
  for (const part of parts) {
    const own = isTool(part) ? "" : ownText(part);
    if (own !== "") all += (all === "" ? "" : isApart ? "\n\n" : separator) + own;
    isApart = own === "" && (isApart || isTool(part) || thinkingOf([part]) !== "");
  }
  return all;
}

function ownText({ text: own, refusal }: ForeignPart): string {
  return (typeof own === "object" ? own?.value : own) ?? refusal ?? "";
}

export function thinkingOf(parts: readonly ForeignPart[]): string {
  return parts.map(({ thinking, think }) => thinking ?? think ?? "").join("");
}

/** Returns a data URL or an address of a picture. */
export function sourceOf({ image_url: image, imageUrl, source }: ForeignPart): string | undefined {
  if (image !== undefined) return typeof image === "string" ? image : image.url;
  if (imageUrl) return imageUrl.url;
  if (source?.type === "base64" && typeof source.data === "string")
    return `data:${source.media_type ?? ""};base64,${source.data}`;
  return source?.type === "url" ? (source.url ?? undefined) : undefined;
}

/** True for a picture, also in a form that is not known. */
export function isPicture(part: ForeignPart): boolean {
  return sourceOf(part) !== undefined || /image/i.test(part.type ?? "");
}

/** Returns the text between two marks, what is before and what is after; undefined without both marks. */
export function between(whole: string, open: string, close: string) {
  const start = whole.indexOf(open);
  const end = start < 0 ? -1 : whole.indexOf(close, start + open.length);
  if (end < 0) return undefined;
  return {
    before: whole.slice(0, start),
    inner: whole.slice(start + open.length, end),
    after: whole.slice(end + close.length),
  };
}

/** Longest title that is taken over, in UTF-16 units. */
const MAX_TITLE = 200;

export function titleOf(title: string | null | undefined): string | undefined {
  const line = title?.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE);
  return line === "" ? undefined : line;
}

/** Last time of a `Date`, in milliseconds. */
const MAX_TIME_MS = 8_640_000_000_000_000;

export function timeOf(time: number | null | undefined, unitMs = 1): number | undefined {
  const timeMs = Math.round((time ?? 0) * unitMs);
  return timeMs > 0 && timeMs <= MAX_TIME_MS ? timeMs : undefined;
}

export function dateOf(date: string | null | undefined): number | undefined {
  return timeOf(Date.parse(date ?? ""));
}

/** Id of the message at a position of a list, and that of the one before it. */
export function inOrder(index: number): { readonly id: string; readonly parentId: string | null } {
  return { id: `${index}`, parentId: index === 0 ? null : `${index - 1}` };
}
