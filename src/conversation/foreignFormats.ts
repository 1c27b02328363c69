/**
 * Formats of other tools' conversations: a row each, with the source of its description. A format is known by
 * its required fields, never by the name of a file.
 */
import * as z from "zod/mini";
import { defined } from "../base/defined";
import type { ForeignChat, ForeignMessage } from "./foreignChat";

/** A format whose schema has accepted a value. */
interface Format<T> {
  /** Name of the tool, for the list of what is found. */
  readonly tool: string;
  readonly schema: z.ZodMiniType<T>;
  readonly read: (value: T) => ForeignChat;
}

const text = z.optional(z.nullable(z.string()));
const seconds = z.optional(z.nullable(z.number()));

/** Part of a message in the forms of OpenAI, Anthropic, Continue and LibreChat. */
const partSchema = z.looseObject({
  type: z.optional(z.string()),
  text: z.optional(z.nullable(z.union([z.string(), z.looseObject({ value: z.string() })]))),
  /** Name and arguments of a tool. */
  name: text,
  input: z.optional(z.unknown()),
  refusal: text,
  thinking: text,
  think: text,
  image_url: z.optional(z.union([z.string(), z.looseObject({ url: z.string() })])),
  imageUrl: z.optional(z.looseObject({ url: z.string() })),
  source: z.optional(z.looseObject({ type: z.string(), media_type: text, data: text, url: text })),
});
type Part = z.infer<typeof partSchema>;

const contentSchema = z.optional(z.nullable(z.union([z.string(), z.array(partSchema)])));

/**
 * Message of a list: https://platform.openai.com/docs/api-reference/chat/create and
 * https://docs.anthropic.com/en/api/messages, which Cline, Roo Code and Zoo Code keep in each folder of a task
 * (`api_conversation_history.json`).
 */
export const listedMessageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: contentSchema,
  tool_calls: z.optional(
    z.nullable(
      z.array(
        z.looseObject({
          id: z._default(z.string(), ""),
          function: z.looseObject({ name: z.string(), arguments: z._default(z.string(), "") }),
        }),
      ),
    ),
  ),
  ts: z.optional(z.number()),
});
type ListedMessage = z.infer<typeof listedMessageSchema>;

const messageList: Format<{ messages: ListedMessage[]; model?: string | undefined }> = {
  tool: "OpenAI",
  schema: z.looseObject({ messages: z.array(listedMessageSchema), model: z.optional(z.string()) }),
  read({ messages, model }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const read = messages.map((message, index): ForeignMessage => {
      const { role, content, tool_calls: calls, ts } = message;
      const own = inOrder(index);
      if (role !== "user" && role !== "assistant") {
        lost.messages++;
        return { ...own, role: "other", text: "" };
      }
      const parts = partsOf(content).map(saidPart);
      const tools = parts.filter(({ type }) => type === "tool_use" || type === "tool_result");
      lost.tools += tools.length;
      // A message of tools only belongs to the work of an agent.
      if (tools.length > 0 && tools.length === parts.length)
        return { ...own, role: "other", text: "" };
      const unread = parts.filter((part) => isPicture(part) && sourceOf(part) === undefined);
      lost.pictures += unread.length;
      return {
        ...own,
        role,
        text: role === "user" ? taskText(parts) : textOf(parts),
        thinking: thinkingOf(parts),
        pictures: parts.flatMap((part) => sourceOf(part) ?? []),
        ...defined({ model, atMs: timeOf(ts) }),
        ...(calls && {
          toolCalls: calls.map(({ id, function: { name, arguments: argumentsText } }) => ({
            id,
            name,
            argumentsText,
          })),
        }),
      };
    });
    const createdAtMs = read.find(({ atMs }) => atMs !== undefined)?.atMs;
    return { messages: read, lost, ...defined({ createdAtMs }) };
  },
};

/** https://docs.continue.dev/reference/deprecated-config and `core/index.d.ts` of continuedev/continue. */
const continueSchema = z.looseObject({
  sessionId: z.string(),
  title: text,
  workspaceDirectory: text,
  history: z.array(
    z.looseObject({
      message: z.looseObject({
        role: z.string(),
        content: contentSchema,
        toolCalls: z.optional(z.nullable(z.array(z.unknown()))),
      }),
      contextItems: z.optional(
        z.nullable(z.array(z.looseObject({ name: z.string(), content: z.string() }))),
      ),
    }),
  ),
});
const continueSession: Format<z.infer<typeof continueSchema>> = {
  tool: "Continue",
  schema: continueSchema,
  read({ title, workspaceDirectory, history }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const messages = history.map(({ message, contextItems }, index): ForeignMessage => {
      const { role, content } = message;
      const own = inOrder(index);
      const parts = partsOf(content);
      lost.tools += message.toolCalls?.length ?? 0;
      // Its result of a tool, rules and thinking before an answer.
      if (role === "thinking")
        return { ...own, role: "assistant", text: "", thinking: textOf(parts) };
      if (role !== "user" && role !== "assistant") return { ...own, role: "other", text: "" };
      if (role === "assistant" && textOf(parts) === "") return { ...own, role: "other", text: "" };
      return {
        ...own,
        role,
        text: textOf(parts),
        pictures: parts.flatMap((part) => sourceOf(part) ?? []),
        files: (contextItems ?? []).map(({ name, content: item }) => ({ name, text: item })),
      };
    });
    const folder = workspaceDirectory?.split(/[\\/]/).findLast((name) => name !== "");
    return { messages, lost, ...defined({ title: titleOf(title), workspace: folder }) };
  },
};

/** "Chat: Export Chat…" of VS Code: `ISerializableChatData` in `chatModel.ts` of microsoft/vscode. */
const vscodeItemSchema = z.looseObject({
  kind: text,
  value: z.optional(z.unknown()),
  content: z.optional(z.unknown()),
  name: text,
});
const vscodeSchema = z.looseObject({
  responderUsername: z.string(),
  customTitle: text,
  creationDate: z.optional(z.number()),
  requests: z.array(
    z.looseObject({
      message: z.union([z.string(), z.looseObject({ text: z.string() })]),
      response: z.optional(z.nullable(z.array(vscodeItemSchema))),
      timestamp: z.optional(z.number()),
      modelId: z.optional(z.string()),
      variableData: z.optional(
        z.looseObject({ variables: z.optional(z.array(z.looseObject({ kind: text }))) }),
      ),
    }),
  ),
});
const vscodeChat: Format<z.infer<typeof vscodeSchema>> = {
  tool: "VS Code",
  schema: vscodeSchema,
  read({ requests, creationDate, customTitle }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const messages = requests.flatMap(
      ({ message, response, timestamp, modelId, variableData }, index) => {
        lost.pictures +=
          variableData?.variables?.filter(({ kind }) => kind === "image").length ?? 0;
        lost.tools +=
          response?.filter(({ kind }) => kind?.startsWith("toolInvocation")).length ?? 0;
        const atMs = timeOf(timestamp);
        const asked = typeof message === "string" ? message : message.text;
        const before = index === 0 ? null : `${index - 1}-reply`;
        const texts = (kind: string) =>
          (response ?? []).filter((item) => (item.kind ?? "text") === kind).map(markdownOf);
        const answer = (response ?? []).map((item) =>
          item.kind === undefined || item.kind === null || item.kind === "markdownContent"
            ? markdownOf(item)
            : item.kind === "inlineReference"
              ? `\`${item.name ?? "…"}\``
              : "",
        );
        return [
          {
            id: `${index}`,
            parentId: before,
            role: "user" as const,
            text: asked,
            ...defined({ atMs }),
          },
          {
            id: `${index}-reply`,
            parentId: `${index}`,
            role: "assistant" as const,
            text: answer.join(""),
            thinking: texts("thinking").join("\n"),
            ...defined({ atMs, model: modelId?.replace(/^[^/]*\//, "") }),
          },
        ];
      },
    );
    const createdAtMs = timeOf(creationDate) ?? messages[0]?.atMs;
    return { messages, lost, ...defined({ createdAtMs, title: titleOf(customTitle) }) };
  },
};

/** Export of ChatGPT: https://help.openai.com/en/articles/7260999; fields as in mitkury/chatgpt-export-parser. */
const chatGptSchema = z.looseObject({
  title: text,
  create_time: seconds,
  current_node: text,
  mapping: z.record(
    z.string(),
    z.looseObject({
      parent: text,
      message: z.optional(
        z.nullable(
          z.looseObject({
            author: z.looseObject({ role: z.string() }),
            create_time: seconds,
            recipient: text,
            metadata: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
            content: z.looseObject({
              content_type: z.string(),
              parts: z.optional(z.array(z.unknown())),
              thoughts: z.optional(z.array(z.looseObject({ content: text }))),
            }),
          }),
        ),
      ),
    }),
  ),
});
const chatGpt: Format<z.infer<typeof chatGptSchema>> = {
  tool: "ChatGPT",
  schema: chatGptSchema,
  read({ title, create_time: createTime, current_node: leafId, mapping }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const messages = Object.entries(mapping).map(([id, { parent, message }]): ForeignMessage => {
      const own = { id, parentId: parent ?? null };
      const role = message?.author.role;
      const isHidden = message?.metadata?.["is_visually_hidden_from_conversation"] === true;
      const type = message?.content.content_type ?? "text";
      const isForTool = (message?.recipient ?? "all") !== "all";
      const isTool = role === "tool" || isForTool || type === "code" || type === "execution_output";
      if (isTool && !isHidden) lost.tools++;
      if (!message || isTool || isHidden || (role !== "user" && role !== "assistant"))
        return { ...own, role: "other", text: "" };
      const { parts = [], thoughts = [] } = message.content;
      const joined = parts.filter((part) => typeof part === "string").join("\n");
      const times = defined({ atMs: timeOf(message.create_time, 1_000) });
      if (type !== "text" && type !== "multimodal_text" && type !== "thoughts")
        return { ...own, role: "other", text: "" };
      // A root without text.
      if (joined === "" && parts.length < 2 && thoughts.length === 0)
        return { ...own, role: "other", text: "" };
      return {
        ...own,
        role,
        text: joined,
        thinking: thoughts.map(({ content }) => content ?? "").join("\n\n"),
        pictures: parts.flatMap((part) => pointerOf(part) ?? []),
        ...times,
        ...defined({ model: modelOf(message.metadata) }),
      };
    });
    const createdAtMs = timeOf(createTime, 1_000);
    return {
      messages,
      lost,
      ...defined({ title: titleOf(title), createdAtMs, leafId: leafId ?? undefined }),
    };
  },
};

/** Export of claude.ai: https://support.anthropic.com/en/articles/9450526; fields as in polylogue's description. */
const claudeSchema = z.looseObject({
  name: text,
  created_at: text,
  chat_messages: z.array(
    z.looseObject({
      uuid: z.optional(z.string()),
      parent_message_uuid: z.optional(z.string()),
      sender: z.enum(["human", "user", "assistant"]),
      text,
      content: contentSchema,
      created_at: text,
      attachments: z.optional(
        z.nullable(z.array(z.looseObject({ file_name: text, extracted_content: text }))),
      ),
      files: z.optional(z.nullable(z.array(z.unknown()))),
    }),
  ),
});
const claude: Format<z.infer<typeof claudeSchema>> = {
  tool: "Claude",
  schema: claudeSchema,
  read({ name, created_at: createdAt, chat_messages: all }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const messages = all.map((message, index): ForeignMessage => {
      const parts = partsOf(message.content);
      lost.tools += parts.filter(({ type }) => type === "tool_use").length;
      lost.pictures += message.files?.length ?? 0;
      const own = inOrder(index);
      return {
        id: message.uuid ?? own.id,
        parentId: message.parent_message_uuid ?? all[index - 1]?.uuid ?? own.parentId,
        role: message.sender === "assistant" ? "assistant" : "user",
        text: textOf(parts) || (message.text ?? ""),
        thinking: thinkingOf(parts),
        files: (message.attachments ?? []).map(
          ({ file_name: file, extracted_content: content }) => ({
            name: file ?? "text",
            text: content ?? "",
          }),
        ),
        ...defined({ atMs: dateOf(message.created_at) }),
      };
    });
    const createdAtMs = dateOf(createdAt);
    return { messages, lost, ...defined({ title: titleOf(name), createdAtMs }) };
  },
};

/** Export of LibreChat: `client/src/hooks/Conversations/useExportConversation.ts` of danny-avila/LibreChat. */
const libreMessageSchema = z.looseObject({
  messageId: z.string(),
  parentMessageId: text,
  isCreatedByUser: z.boolean(),
  text,
  content: contentSchema,
  model: text,
  createdAt: text,
  files: z.optional(z.nullable(z.array(z.unknown()))),
  /** Of an export with branches, messages of this form. */
  children: z.optional(z.unknown()),
});
const libreSchema = z.looseObject({ title: text, messages: z.array(libreMessageSchema) });

/** Export of Open WebUI: `ChatTable` and `createMessagesList` of open-webui/open-webui. */
const openWebUiSchema = z.looseObject({
  title: text,
  created_at: seconds,
  chat: z.looseObject({
    title: text,
    history: z.looseObject({
      currentId: text,
      messages: z.record(
        z.string(),
        z.looseObject({
          parentId: text,
          role: z.string(),
          content: contentSchema,
          timestamp: seconds,
          model: text,
          files: z.optional(z.nullable(z.array(z.looseObject({ type: text, url: text })))),
        }),
      ),
    }),
  }),
});
const openWebUi: Format<z.infer<typeof openWebUiSchema>> = {
  tool: "Open WebUI",
  schema: openWebUiSchema,
  read({ title, created_at: createdAt, chat }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const messages = Object.entries(chat.history.messages).map(([id, message]): ForeignMessage => {
      const { role, content, timestamp, model, files } = message;
      const own = { id, parentId: message.parentId ?? null };
      if (role !== "user" && role !== "assistant") {
        lost.messages++;
        return { ...own, role: "other", text: "" };
      }
      const pictures = (files ?? []).filter(({ type }) => type === "image");
      return {
        ...own,
        role,
        text: textOf(partsOf(content)),
        pictures: pictures.map(({ url }) => url ?? ""),
        ...defined({ model: model ?? undefined, atMs: timeOf(timestamp, 1_000) }),
      };
    });
    const leafId = chat.history.currentId ?? undefined;
    const named = titleOf(title) ?? titleOf(chat.title);
    return {
      messages,
      lost,
      ...defined({ title: named, createdAtMs: timeOf(createdAt, 1_000), leafId }),
    };
  },
};
const libreChat: Format<z.infer<typeof libreSchema>> = {
  tool: "LibreChat",
  schema: libreSchema,
  read({ title, messages: roots }) {
    const lost = { pictures: 0, messages: 0, tools: 0 };
    const messages: ForeignMessage[] = [];
    const waiting = [...roots].reverse();
    for (let message = waiting.pop(); message; message = waiting.pop()) {
      const parts = partsOf(message.content);
      lost.tools += parts.filter(({ type }) => type === "tool_call").length;
      lost.pictures += message.files?.length ?? 0;
      messages.push({
        id: message.messageId,
        parentId: message.parentMessageId ?? null,
        role: message.isCreatedByUser ? "user" : "assistant",
        text: textOf(parts) || (message.text ?? ""),
        thinking: thinkingOf(parts),
        ...defined({ model: message.model ?? undefined, atMs: dateOf(message.createdAt) }),
      });
      const children = z.array(libreMessageSchema).safeParse(message.children);
      if (children.success) waiting.push(...children.data.toReversed());
    }
    return {
      messages,
      lost,
      ...defined({ title: titleOf(title), createdAtMs: messages[0]?.atMs }),
    };
  },
};

/** Reads a value with the first format that accepts it; undefined for none. */
export function readForeign(value: unknown): { tool: string; chat: ForeignChat } | undefined {
  for (const read of READERS) {
    const found = read(value);
    if (found) return found;
  }
  return undefined;
}

// A list of messages is last, because other formats have a field of this name too.
const READERS = [
  readerOf(continueSession),
  readerOf(vscodeChat),
  readerOf(chatGpt),
  readerOf(claude),
  readerOf(openWebUi),
  readerOf(libreChat),
  readerOf(messageList),
];

function readerOf<T>({ tool, schema, read }: Format<T>) {
  return (value: unknown) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? { tool, chat: read(parsed.data) } : undefined;
  };
}

function inOrder(index: number): { readonly id: string; readonly parentId: string | null } {
  return { id: `${index}`, parentId: index === 0 ? null : `${index - 1}` };
}

function partsOf(content: z.infer<typeof contentSchema>): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content ?? [];
}

/**
 * Tools by which Cline and its forks answer the user, and the argument with the text:
 * https://github.com/cline/cline/tree/main/src/core/prompts/system-prompt/tools
 */
const ANSWERING_TOOLS = new Map([
  ["attempt_completion", "result"],
  ["ask_followup_question", "question"],
  ["plan_mode_respond", "response"],
]);

/** Returns a tool's call that answers the user as text; any other part as it is. */
function saidPart(part: Part, index: number): Part {
  const field = part.type === "tool_use" ? ANSWERING_TOOLS.get(part.name ?? "") : undefined;
  if (field === undefined) return part;
  const said = z.record(z.string(), z.unknown()).safeParse(part.input);
  const own = said.success ? said.data[field] : undefined;
  if (typeof own !== "string" || own.trim() === "") return part;
  return { type: "text", text: index === 0 ? own : `\n\n${own}` };
}

function textOf(parts: readonly Part[]): string {
  return parts
    .filter(({ type }) => type !== "tool_use" && type !== "tool_result")
    .map(({ text: own, refusal }) => (typeof own === "object" ? own?.value : own) ?? refusal ?? "")
    .join("");
}

function thinkingOf(parts: readonly Part[]): string {
  return parts.map(({ thinking, think }) => thinking ?? think ?? "").join("");
}

/**
 * Returns the text of a question without what Cline and its forks add to it: the tag around the first one,
 * and a block about the editor.
 */
function taskText(parts: readonly Part[]): string {
  const own = parts.filter(({ text: one }) => {
    const trimmed = typeof one === "string" ? one.trim() : "";
    return !(
      trimmed.startsWith("<environment_details>") && trimmed.endsWith("</environment_details>")
    );
  });
  const whole = textOf(own);
  const trimmed = whole.trim();
  const [open, close] = ["<task>", "</task>"];
  return trimmed.startsWith(open) && trimmed.endsWith(close)
    ? trimmed.slice(open.length, -close.length).trim()
    : whole;
}

/** Returns a data URL or an address of a picture. */
function sourceOf({ image_url: image, imageUrl, source }: Part): string | undefined {
  if (image !== undefined) return typeof image === "string" ? image : image.url;
  if (imageUrl) return imageUrl.url;
  if (source?.type === "base64" && typeof source.data === "string")
    return `data:${source.media_type ?? ""};base64,${source.data}`;
  return source?.type === "url" ? (source.url ?? undefined) : undefined;
}

/** True for a picture, also in a form that is not known. */
function isPicture(part: Part): boolean {
  return sourceOf(part) !== undefined || /image/i.test(part.type ?? "");
}

/** Returns the name of the file of a picture in an export of ChatGPT. */
function pointerOf(part: unknown): string | undefined {
  const parsed = z
    .looseObject({ content_type: z.literal("image_asset_pointer"), asset_pointer: z.string() })
    .safeParse(part);
  return parsed.success ? parsed.data.asset_pointer.replace(/^[a-z-]{1,20}:\/\//, "") : undefined;
}

function modelOf(metadata: Readonly<Record<string, unknown>> | null | undefined) {
  const model = metadata?.["model_slug"];
  return typeof model === "string" ? model : undefined;
}

function markdownOf({ value, content }: z.infer<typeof vscodeItemSchema>): string {
  const from = value ?? content;
  if (typeof from === "string") return from;
  const parsed = z.looseObject({ value: z.string() }).safeParse(from);
  return parsed.success ? parsed.data.value : "";
}

/** Longest title that is taken over, in UTF-16 units. */
const MAX_TITLE = 200;

function titleOf(title: string | null | undefined): string | undefined {
  const line = title?.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE);
  return line === "" ? undefined : line;
}

/** Last time of a `Date`, in milliseconds. */
const MAX_TIME_MS = 8_640_000_000_000_000;

function timeOf(time: number | null | undefined, unitMs = 1): number | undefined {
  const timeMs = Math.round((time ?? 0) * unitMs);
  return timeMs > 0 && timeMs <= MAX_TIME_MS ? timeMs : undefined;
}

function dateOf(date: string | null | undefined): number | undefined {
  return timeOf(Date.parse(date ?? ""));
}
