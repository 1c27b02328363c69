/**
 * Formats of other tools' conversations: a row each, with the source of its description. A format is known by
 * its required fields, never by the name of a file.
 */
import * as z from "zod/mini";
import { defined } from "../base/defined";
import type { TimeSlice } from "../base/timeSlice";
import { agentView, isAgentTask, saidByAssistant, saidByUser } from "./agentTask";
import type { ForeignChat, ForeignMessage, Format } from "./foreignChat";
import {
  between,
  contentSchema,
  dateOf,
  inOrder,
  isPicture,
  isTool,
  items,
  itemsById,
  lenient,
  number,
  partsOf,
  sourceOf,
  text,
  textOf,
  thinkingOf,
  timeOf,
  titleOf,
  unknownList,
} from "./foreignParts";
import { vscodeChat } from "./vscodeChat";
import { noLosses, type ImportLosses } from "./importResult";

/**
 * Message of a list: https://platform.openai.com/docs/api-reference/chat/create and
 * https://docs.anthropic.com/en/api/messages, which Cline, Roo Code and Zoo Code keep in each folder of a task
 * (`api_conversation_history.json`).
 */
export const listedMessageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: contentSchema,
  tool_calls: lenient(
    z.nullable(
      z.array(
        z.looseObject({
          id: z._default(z.string(), ""),
          function: z.looseObject({ name: z.string(), arguments: z._default(z.string(), "") }),
        }),
      ),
    ),
  ),
  ts: number,
});
type ListedMessage = z.infer<typeof listedMessageSchema>;
type Listed = readonly (ListedMessage | undefined)[];

const messageListSchema = z.looseObject({ messages: items, model: lenient(z.string()) });
const messageList: Format<z.infer<typeof messageListSchema>, ListedMessage> = {
  tool: "OpenAI",
  schema: messageListSchema,
  itemsOf: ({ messages }) => messages,
  itemSchema: listedMessageSchema,
  read: ({ model }, messages, slice) =>
    readList(messages, slice, ({ role, content, tool_calls: calls }, lost) => {
      const parts = partsOf(content);
      const tools = parts.filter(isTool);
      lost.tools += tools.length;
      // A message of tools only belongs to the work of an agent.
      if (tools.length > 0 && tools.length === parts.length) return undefined;
      return {
        role,
        text: textOf(parts),
        thinking: thinkingOf(parts),
        ...defined({ model }),
        ...(calls && {
          toolCalls: calls.map(({ id, function: { name, arguments: argumentsText } }) => ({
            id,
            name,
            argumentsText,
          })),
        }),
      };
    }),
};

/** A task of Cline, Roo Code or Zoo Code: a list of messages whose first question has their form. */
const agentTask: Format<z.infer<typeof messageListSchema>, ListedMessage> = {
  tool: "Cline",
  schema: messageListSchema,
  itemsOf: ({ messages }) => messages,
  itemSchema: listedMessageSchema,
  async read(_, messages, slice) {
    const first = messages.find((message) => message?.role === "user");
    if (!isAgentTask(partsOf(first?.content))) return undefined;
    return readList(messages, slice, ({ role, content }, lost) => {
      const { tools, ...said } = (role === "user" ? saidByUser : saidByAssistant)(partsOf(content));
      lost.tools += tools;
      const isSilent = Object.values(said).every((one) => one.length === 0);
      return isSilent && !partsOf(content).some(isPicture) ? undefined : { role, ...said };
    });
  },
};

/** Reads a list; a message of which nothing was said belongs to the work of an agent. */
async function readList(
  messages: Listed,
  slice: TimeSlice,
  saidIn: (
    message: ListedMessage & { role: "user" | "assistant" },
    lost: ImportLosses,
  ) => Omit<ForeignMessage, "id" | "parentId"> | undefined,
): Promise<ForeignChat> {
  const lost = noLosses();
  const read = await slice.map(messages, (message, index): ForeignMessage => {
    const own = inOrder(index);
    const other = { ...own, role: "other" as const, text: "" };
    if (message === undefined || (message.role !== "user" && message.role !== "assistant")) {
      lost.messages++;
      return other;
    }
    const said = saidIn({ ...message, role: message.role }, lost);
    if (said === undefined) return other;
    const pictures = partsOf(message.content).filter(isPicture);
    lost.pictures += pictures.filter((part) => sourceOf(part) === undefined).length;
    return {
      ...own,
      ...said,
      pictures: pictures.flatMap((part) => sourceOf(part) ?? []),
      ...defined({ atMs: timeOf(message.ts) }),
    };
  });
  const createdAtMs = read.find(({ atMs }) => atMs !== undefined)?.atMs;
  return { messages: read, lost, ...defined({ createdAtMs }) };
}

/** https://docs.continue.dev/reference/deprecated-config and `core/index.d.ts` of continuedev/continue. */
const continueSchema = z
  .looseObject({
    // It comes after the history, so that a file that was cut off lacks it.
    sessionId: text,
    title: text,
    workspaceDirectory: text,
    history: items,
  })
  .check(z.refine(({ sessionId, history }) => (sessionId ?? "") !== "" || history.length > 0));
const continueItemSchema = z.looseObject({
  message: z.looseObject({
    role: z.string(),
    content: contentSchema,
    toolCalls: unknownList,
  }),
  contextItems: lenient(
    z.nullable(z.array(lenient(z.looseObject({ name: z.string(), content: z.string() })))),
  ),
  reasoning: lenient(z.looseObject({ text: z.string() })),
});
const continueSession: Format<
  z.infer<typeof continueSchema>,
  z.infer<typeof continueItemSchema>
> = {
  tool: "Continue",
  schema: continueSchema,
  itemsOf: ({ history }) => history,
  itemSchema: continueItemSchema,
  async read({ title, workspaceDirectory }, history, slice) {
    const lost = noLosses();
    const messages = await slice.map(history, (item, index): ForeignMessage => {
      const own = inOrder(index);
      const other = { ...own, role: "other" as const, text: "" };
      if (item === undefined) {
        lost.messages++;
        return other;
      }
      const { message, contextItems, reasoning } = item;
      const { role } = message;
      const parts = partsOf(message.content);
      // `stripImages` of Continue joins the texts in this way.
      const said = textOf(parts, "\n");
      lost.tools += message.toolCalls?.length ?? 0;
      // Its result of a tool, rules and thinking before an answer.
      if (role === "thinking") return { ...own, role: "assistant", text: "", thinking: said };
      if (role !== "user" && role !== "assistant") return other;
      const thinking = reasoning?.text ?? thinkingOf(parts);
      if (role === "assistant" && said + thinking === "") return other;
      return {
        ...own,
        role,
        text: said,
        thinking,
        pictures: parts.flatMap((part) => sourceOf(part) ?? []),
        files: (contextItems ?? []).flatMap((one) =>
          one ? [{ name: one.name, text: one.content }] : [],
        ),
      };
    });
    const folder = workspaceDirectory?.split(/[\\/]/).findLast((name) => name !== "");
    return { messages, lost, ...defined({ title: titleOf(title), workspace: folder }) };
  },
};

/** Export of ChatGPT: https://help.openai.com/en/articles/7260999; fields as in mitkury/chatgpt-export-parser. */
const chatGptMessageSchema = z.looseObject({
  author: z.looseObject({ role: z.string() }),
  create_time: number,
  recipient: text,
  metadata: lenient(z.nullable(z.record(z.string(), z.unknown()))),
  content: z.looseObject({
    content_type: z.string(),
    parts: unknownList,
    thoughts: lenient(z.array(lenient(z.looseObject({ content: text })))),
  }),
});
const chatGptSchema = z.looseObject({
  title: text,
  create_time: number,
  current_node: text,
  mapping: itemsById,
});
const chatGptNodeSchema = z.looseObject({ parent: text, message: z.optional(z.unknown()) });
const chatGpt: Format<z.infer<typeof chatGptSchema>, z.infer<typeof chatGptNodeSchema>> = {
  tool: "ChatGPT",
  schema: chatGptSchema,
  itemsOf: ({ mapping }) => Object.values(mapping),
  itemSchema: chatGptNodeSchema,
  async read({ title, create_time: createTime, current_node: leafId, mapping }, nodes, slice) {
    const lost = noLosses();
    const messages = await slice.map(Object.keys(mapping), (id, index): ForeignMessage => {
      const node = nodes[index];
      const own = { id, parentId: node?.parent ?? null };
      const parsed = chatGptMessageSchema.safeParse(node?.message);
      // A root has no message.
      if (!parsed.success && (node === undefined || node.message)) lost.messages++;
      const message = parsed.data;
      const role = message?.author.role;
      const isHidden = message?.metadata?.["is_visually_hidden_from_conversation"] === true;
      const type = message?.content.content_type ?? "text";
      const isForTool = (message?.recipient ?? "all") !== "all";
      const isOfTool =
        role === "tool" || isForTool || type === "code" || type === "execution_output";
      if (isOfTool && !isHidden) lost.tools++;
      if (!message || isOfTool || isHidden || (role !== "user" && role !== "assistant"))
        return { ...own, role: "other", text: "" };
      const parts = message.content.parts ?? [];
      const thoughts = message.content.thoughts ?? [];
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
        thinking: thoughts.map((thought) => thought?.content ?? "").join("\n\n"),
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
  chat_messages: items,
});
const claudeMessageSchema = z.looseObject({
  uuid: lenient(z.string()),
  parent_message_uuid: text,
  sender: z.enum(["human", "user", "assistant"]),
  text,
  content: contentSchema,
  created_at: text,
  attachments: lenient(
    z.nullable(z.array(lenient(z.looseObject({ file_name: text, extracted_content: text })))),
  ),
  files: unknownList,
});
const claude: Format<z.infer<typeof claudeSchema>, z.infer<typeof claudeMessageSchema>> = {
  tool: "Claude",
  schema: claudeSchema,
  itemsOf: ({ chat_messages: all }) => all,
  itemSchema: claudeMessageSchema,
  async read({ name, created_at: createdAt }, all, slice) {
    const lost = noLosses();
    let before: string | null = null;
    const messages = await slice.map(all, (message, index): ForeignMessage[] => {
      if (message === undefined) {
        lost.messages++;
        return [];
      }
      const parts = partsOf(message.content);
      lost.tools += parts.filter(isTool).length;
      countFiles(lost, message.files);
      const id = message.uuid ?? `${index}`;
      const parentId = message.parent_message_uuid ?? before;
      before = id;
      return [
        {
          id,
          parentId,
          role: message.sender === "assistant" ? "assistant" : "user",
          text: textOf(parts) || (message.text ?? ""),
          thinking: thinkingOf(parts),
          files: (message.attachments ?? []).flatMap((file) =>
            file ? [{ name: file.file_name ?? "text", text: file.extracted_content ?? "" }] : [],
          ),
          ...defined({ atMs: dateOf(message.created_at) }),
        },
      ];
    });
    const createdAtMs = dateOf(createdAt);
    return { messages: messages.flat(), lost, ...defined({ title: titleOf(name), createdAtMs }) };
  },
};

/** Counts files of which an export has the name only, pictures by their type or name. */
function countFiles(lost: ImportLosses, files: readonly unknown[] | null | undefined): void {
  for (const file of files ?? []) {
    const parsed = z
      .looseObject({ type: text, file_kind: text, file_name: text, filename: text, name: text })
      .safeParse(file);
    const { type, file_kind: kind, file_name: a, filename: b, name: c } = parsed.data ?? {};
    const isImage =
      /^image/.test(type ?? kind ?? "") ||
      /\.(?:png|jpe?g|gif|webp|heic|bmp|svg)$/i.test(a ?? b ?? c ?? "");
    if (isImage) lost.pictures++;
    else lost.files++;
  }
}

/**
 * Export of LibreChat: `client/src/hooks/Conversations/useExportConversation.ts` of danny-avila/LibreChat.
 * A recursive one has a tree, in `messages` or in `messagesTree`.
 */
const libreMessageSchema = z
  .looseObject({
    messageId: z.string(),
    parentMessageId: text,
    isCreatedByUser: lenient(z.boolean()),
    /** "User", or the name of a model. */
    sender: text,
    text,
    content: contentSchema,
    model: text,
    createdAt: text,
    files: unknownList,
    attachments: unknownList,
    /** Messages of this form. */
    children: unknownList,
  })
  .check(z.refine(({ isCreatedByUser, sender }) => (isCreatedByUser ?? sender ?? "") !== ""));
/** A damaged message, of which only the replies are read. */
const treeSchema = z.looseObject({ children: unknownList });
type LibreMessage = z.infer<typeof libreMessageSchema>;
const libreListSchema = z.looseObject({ title: text, messages: items });
type LibreList = Pick<z.infer<typeof libreListSchema>, "title" | "messages">;
const libreTreeSchema = z.pipe(
  z.looseObject({ title: text, messagesTree: items }),
  z.transform(({ title, messagesTree: messages }) => ({ title, messages })),
);
const libreChat = (schema: z.ZodMiniType<LibreList>): Format<LibreList, LibreMessage> => ({
  tool: "LibreChat",
  schema,
  itemsOf: ({ messages }) => messages,
  itemSchema: libreMessageSchema,
  async read({ title }, list, slice) {
    const lost = noLosses();
    const messages: ForeignMessage[] = [];
    const waiting: { message: unknown; parentId: string | null }[] = [];
    const wait = (all: readonly unknown[], parentId: string | null) =>
      waiting.push(...all.map((message) => ({ message, parentId })).toReversed());
    wait(list, null);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const pause = slice.pause();
      if (pause) await pause;
      const { data: message } = libreMessageSchema.safeParse(next.message);
      if (message === undefined) {
        lost.messages++;
        wait(treeSchema.safeParse(next.message).data?.children ?? [], next.parentId);
        continue;
      }
      const parts = partsOf(message.content);
      lost.tools += parts.filter(isTool).length;
      lost.pictures += parts.filter(isPicture).length;
      countFiles(lost, message.files);
      countFiles(lost, message.attachments);
      // `parseThinkingContent` of LibreChat.
      const thought = between(message.text ?? "", ":::thinking", ":::");
      const plain = thought ? (thought.before + thought.after).trim() : (message.text ?? "");
      messages.push({
        id: message.messageId,
        parentId: message.parentMessageId ?? next.parentId,
        role: (message.isCreatedByUser ?? message.sender === "User") ? "user" : "assistant",
        text: textOf(parts) || plain,
        thinking: thinkingOf(parts) || (thought?.inner.trim() ?? ""),
        ...defined({ model: message.model ?? undefined, atMs: dateOf(message.createdAt) }),
      });
      wait(message.children ?? [], message.messageId);
    }
    return {
      messages,
      lost,
      ...defined({ title: titleOf(title), createdAtMs: messages[0]?.atMs }),
    };
  },
});

/**
 * Export of Open WebUI: `ChatTable` and `createMessagesList` of open-webui/open-webui. An older one is the
 * chat alone, which `importChatsHandler` still accepts.
 */
const openWebUiChatSchema = z.looseObject({
  title: text,
  timestamp: number,
  history: z.looseObject({
    currentId: text,
    messages: itemsById,
  }),
});
const openWebUiMessageSchema = z.looseObject({
  parentId: text,
  role: z.string(),
  content: contentSchema,
  timestamp: number,
  model: text,
  files: lenient(z.nullable(z.array(lenient(z.looseObject({ type: text, url: text }))))),
});
const openWebUiSchema = z.looseObject({
  title: text,
  created_at: number,
  chat: openWebUiChatSchema,
});
type OpenWebUi = Pick<z.infer<typeof openWebUiSchema>, "title" | "created_at" | "chat">;
const openWebUiOldSchema = z.pipe(
  openWebUiChatSchema,
  z.transform((chat) => ({ title: undefined, created_at: undefined, chat })),
);
const openWebUi = (
  schema: z.ZodMiniType<OpenWebUi>,
): Format<OpenWebUi, z.infer<typeof openWebUiMessageSchema>> => ({
  tool: "Open WebUI",
  schema,
  itemsOf: ({ chat }) => Object.values(chat.history.messages),
  itemSchema: openWebUiMessageSchema,
  async read({ title, created_at: createdAt, chat }, all, slice) {
    const lost = noLosses();
    const ids = Object.keys(chat.history.messages);
    const messages = await slice.map(ids, (id, index): ForeignMessage => {
      const message = all[index];
      const own = { id, parentId: message?.parentId ?? null };
      if (message?.role !== "user" && message?.role !== "assistant") {
        lost.messages++;
        return { ...own, role: "other", text: "" };
      }
      const { role, timestamp, model } = message;
      const files = (message.files ?? []).filter((file) => file !== undefined);
      const pictures = files.filter(({ type }) => type?.startsWith("image"));
      const others = files.filter((file) => !pictures.includes(file));
      const read = others.flatMap(readFile);
      lost.files += others.length - read.length;
      const said = withoutDetails(textOf(partsOf(message.content)));
      lost.tools += said.tools;
      return {
        ...own,
        role,
        text: said.text,
        thinking: said.thinking,
        pictures: pictures.map(({ url }) => url ?? ""),
        files: read,
        ...defined({ model: model ?? undefined, atMs: timeOf(timestamp, 1_000) }),
      };
    });
    const leafId = chat.history.currentId ?? undefined;
    const named = titleOf(title) ?? titleOf(chat.title);
    const createdAtMs = timeOf(createdAt, 1_000) ?? timeOf(chat.timestamp);
    return { messages, lost, ...defined({ title: named, createdAtMs, leafId }) };
  },
});

/** Returns the text of an attached file: `data.content` of the `file` that Open WebUI adds. */
function readFile(value: unknown): { name: string; text: string }[] {
  const parsed = z
    .looseObject({
      name: text,
      file: z.looseObject({
        filename: text,
        data: z.looseObject({ content: z.string() }),
      }),
    })
    .safeParse(value);
  if (!parsed.success) return [];
  const { name, file } = parsed.data;
  return [{ name: name ?? file.filename ?? "text", text: file.data.content }];
}

/**
 * Takes the blocks about thinking and tools out of a reply: `serialize_content_blocks` in
 * `backend/open_webui/utils/middleware.py`. Newer versions escape their text.
 */
function withoutDetails(whole: string) {
  const kept: string[] = [];
  const thoughts: string[] = [];
  let tools = 0;
  let rest = whole;
  for (;;) {
    const found = between(rest, '<details type="', "</details>");
    if (!found) break;
    const type = found.inner.slice(0, Math.max(found.inner.indexOf('"'), 0));
    kept.push(found.before);
    const [, body = ""] = found.inner.split("</summary>");
    if (type === "reasoning") thoughts.push(unquoted(body));
    else if (type === "tool_calls" || type === "code_interpreter") tools++;
    else kept.push(`<details type="${found.inner}</details>`);
    rest = found.after;
  }
  const isPlain = kept.length === 0;
  kept.push(rest);
  return { text: isPlain ? whole : kept.join("").trim(), thinking: thoughts.join("\n\n"), tools };
}

/** Returns a quotation without its marks. */
function unquoted(body: string): string {
  const trimmed = body.trim();
  const plain = trimmed.startsWith("&gt;") ? unescaped(trimmed) : trimmed;
  return plain.replaceAll(/^> ?/gm, "").trim();
}

const ENTITIES = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };

function unescaped(escaped: string): string {
  return escaped.replaceAll(
    /&(lt|gt|quot|#x27|amp);/g,
    (_, name: keyof typeof ENTITIES) => ENTITIES[name],
  );
}

/** Reads a value with the first format that accepts it; undefined for none. */
export async function readForeign(
  value: unknown,
  slice: TimeSlice,
): Promise<{ tool: string; chat: ForeignChat } | undefined> {
  for (const read of READERS) {
    const found = await read(value, slice);
    if (found) return found;
  }
  return undefined;
}

// Lists of messages are last, because other formats have a field of this name too.
const READERS = [
  readerOf(continueSession),
  readerOf(vscodeChat),
  readerOf(chatGpt),
  readerOf(claude),
  readerOf(openWebUi(openWebUiSchema)),
  readerOf(openWebUi(openWebUiOldSchema)),
  readerOf(libreChat(libreListSchema)),
  readerOf(libreChat(libreTreeSchema)),
  readerOf(agentTask),
  readerOf(agentView),
  readerOf(messageList),
];

function readerOf<T, Item>({ tool, schema, itemsOf, itemSchema, read }: Format<T, Item>) {
  return async (value: unknown, slice: TimeSlice) => {
    const parsed = schema.safeParse(value);
    await slice.pause();
    if (!parsed.success) return undefined;
    const all = itemsOf(parsed.data);
    const parse = (item: unknown) => itemSchema.safeParse(item).data;
    const parsedItems = await slice.map(all, parse);
    const isReadable = all.length === 0 || parsedItems.some((item) => item !== undefined);
    const chat = isReadable ? await read(parsed.data, parsedItems, slice) : undefined;
    return chat && { tool, chat };
  };
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
