/** Reads exported chats of VS Code. */
import * as z from "zod/mini";
import { defined } from "../base/defined";
import type { ForeignMessage, Format } from "./foreignChat";
import { items, lenient, number, text, timeOf, titleOf } from "./foreignParts";
import { noLosses } from "./importResult";

/**
 * "Chat: Export Chat…" of VS Code: `ISerializableChatData` in `chatModel.ts` of microsoft/vscode, where
 * `partsToRepr` says which parts are the text of a reply, and `toExport` in `chatVariableEntries.ts`.
 */
const vscodeItemSchema = z.looseObject({
  kind: text,
  value: z.optional(z.unknown()),
  content: z.optional(z.unknown()),
  title: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
  name: text,
  inlineReference: z.optional(z.unknown()),
});
type VscodeItem = z.infer<typeof vscodeItemSchema>;
const vscodeSchema = z.looseObject({
  responderUsername: z.string(),
  customTitle: text,
  creationDate: number,
  requests: items,
});
const vscodeRequestSchema = z.looseObject({
  message: z.union([z.string(), z.looseObject({ text: z.string() })]),
  response: lenient(z.nullable(z.array(lenient(vscodeItemSchema)))),
  timestamp: number,
  modelId: text,
  variableData: lenient(
    z.looseObject({
      variables: lenient(
        z.array(
          lenient(
            z.looseObject({
              kind: text,
              mimeType: text,
              value: z.optional(z.unknown()),
              code: text,
              pastedLines: text,
            }),
          ),
        ),
      ),
    }),
  ),
});
export const vscodeChat: Format<
  z.infer<typeof vscodeSchema>,
  z.infer<typeof vscodeRequestSchema>
> = {
  tool: "VS Code",
  schema: vscodeSchema,
  itemsOf: ({ requests }) => requests,
  itemSchema: vscodeRequestSchema,
  async read({ creationDate, customTitle }, requests, slice) {
    const lost = noLosses();
    let before: string | null = null;
    const turns = await slice.map(requests, (request, index): ForeignMessage[] => {
      if (request === undefined) {
        lost.messages += 2;
        return [];
      }
      const { message, timestamp, modelId, variableData } = request;
      const variables = (variableData?.variables ?? []).filter((one) => one !== undefined);
      const response = (request.response ?? []).filter((item) => item !== undefined);
      const images = variables.filter(({ kind }) => kind === "image");
      const pictures = images.flatMap(({ value, mimeType }) => exportedBytes(value, mimeType));
      lost.pictures += images.length - pictures.length;
      lost.tools += response.filter(({ kind }) => isWork(kind)).length;
      const id = `${index}`;
      const asked = { id, parentId: before };
      before = `${id}-reply`;
      const times = defined({ atMs: timeOf(timestamp) });
      const thoughts = response
        .filter(({ kind }) => kind === "thinking")
        .map(({ value }) => markdownOf(value))
        .filter((thought) => thought.trim() !== "");
      const reply = replyOf(response);
      return [
        {
          ...asked,
          role: "user",
          text: typeof message === "string" ? message : message.text,
          pictures,
          files: variables.flatMap(({ kind, code, pastedLines }) =>
            kind === "paste" && code ? [{ name: pastedLines ?? "paste", text: code }] : [],
          ),
          ...times,
        },
        {
          id: before,
          parentId: id,
          // A question that was stopped has a reply without content.
          role: reply === "" && thoughts.length === 0 ? "other" : "assistant",
          text: reply,
          thinking: thoughts.join("\n"),
          ...times,
          ...defined({ model: modelId?.replace(/^[^/]*\//, "") }),
        },
      ];
    });
    const messages = turns.flat();
    const createdAtMs = timeOf(creationDate) ?? messages[0]?.atMs;
    return { messages, lost, ...defined({ createdAtMs, title: titleOf(customTitle) }) };
  },
};

function isWork(kind: VscodeItem["kind"]): boolean {
  return kind?.startsWith("toolInvocation") === true || /^\w{1,20}EditGroup$/.test(kind ?? "");
}

/** Returns the text of a reply; work between two texts separates them. */
function replyOf(items: readonly VscodeItem[]): string {
  const blocks: string[] = [];
  let open = "";
  for (const item of items) {
    const isQuestion = item.kind === "confirmation";
    if (!isQuestion && !isWork(item.kind)) {
      open += inlineText(item);
      continue;
    }
    blocks.push(open);
    if (isQuestion) blocks.push([item.title, item.message].map(markdownOf).join("\n"));
    open = "";
  }
  blocks.push(open);
  const [first = "", ...more] = blocks.filter((block) => block.trim() !== "");
  return [first, ...more.map((block) => block.replace(/^\n{1,9}/, ""))].join("\n\n");
}

function inlineText({ kind, value, content, name, inlineReference }: VscodeItem): string {
  switch (kind ?? "markdownContent") {
    case "markdownContent":
    case "markdownVuln":
    case "warning":
      return markdownOf(value ?? content);
    case "inlineReference":
      return `\`${name ?? referenceName(inlineReference)}\``;
    default:
      return "";
  }
}

/** Returns the name of what a reply refers to: a symbol, a place in a file, or a file. */
function referenceName(reference: unknown): string {
  const parsed = z
    .looseObject({ name: text, path: text, uri: lenient(z.looseObject({ path: text })) })
    .safeParse(reference);
  const { name, path, uri } = parsed.success ? parsed.data : {};
  return name ?? (path ?? uri?.path)?.split("/").findLast((part) => part !== "") ?? "…";
}

/** Returns the data URL of exported bytes, or nothing. */
function exportedBytes(value: unknown, mediaType: string | null | undefined): string[] {
  const parsed = z.looseObject({ $base64: z.string() }).safeParse(value);
  return parsed.success ? [`data:${mediaType ?? ""};base64,${parsed.data.$base64}`] : [];
}

/** Returns Markdown or thinking, which newer versions have as a list. */
function markdownOf(from: unknown): string {
  if (typeof from === "string") return from;
  if (Array.isArray(from)) return from.filter((one) => typeof one === "string").join("");
  const parsed = z.looseObject({ value: z.string() }).safeParse(from);
  return parsed.success ? parsed.data.value : "";
}
