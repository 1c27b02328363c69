/**
 * Conversations of other tools. The values have the fields that the tools write; each names where these are
 * described. The texts are our own.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  applySteps,
  emptyConversation,
  type Conversation,
} from "../../../src/conversation/conversation";
import { shownPath } from "../../../src/conversation/paths";
import { chatId, importChat, type FoundChat } from "../../../src/conversation/importFile";
import type { ImportOptions } from "../../../src/conversation/importResult";
import { chatsInText } from "../../support/conversation/importText";

const PNG = "data:image/png;base64,AAAA";

function ports(): ImportOptions {
  let count = 0;
  return {
    newId: () => `new${count++}`,
    nowMs: () => 77,
    cleanPicture: (bytes) =>
      Promise.resolve({ mediaType: "image/png", widthPx: 2, heightPx: 3, bytes }),
    hashOf: (bytes) => Promise.resolve(createHash("sha256").update(bytes).digest("hex")),
    readPicture: (name) =>
      Promise.resolve(name === "file-AbCdEf123456" ? new Uint8Array([1, 2]) : undefined),
  };
}

async function made(found: FoundChat): Promise<Conversation> {
  const result = await importChat(found, "c1", ports());
  assert.ok(result.kind === "imported", JSON.stringify(result));
  return applySteps(emptyConversation(result.id, 0), result.steps);
}

/** Returns the shown path in short: role, text, thinking and number of pictures and files. */
function inShort(conversation: Conversation): string[] {
  return shownPath(conversation).map((message) => {
    if (message.role === "assistant")
      return `< ${message.text}${message.thinking ? ` (${message.thinking.text})` : ""}`;
    const texts = message.parts.map((part) =>
      part.kind === "text"
        ? part.text
        : part.kind === "note"
          ? `[${part.label}]`
          : `[${part.kind}]`,
    );
    return `> ${texts.join(" ")}`;
  });
}

interface Case {
  readonly tool: string;
  readonly source: string;
  readonly value: unknown;
  readonly path: readonly string[];
  readonly title?: string;
  readonly createdAtMs?: number;
  readonly lost?: { pictures?: number; messages?: number; tools?: number };
}

const CASES: readonly Case[] = [
  {
    tool: "Continue",
    source: "continuedev/continue, core/index.d.ts: Session, ChatHistoryItem, ContextItemWithId",
    value: {
      sessionId: "5b1c",
      title: "Sum of a cart",
      workspaceDirectory: "file:///home/ada/shop",
      history: [
        {
          message: {
            role: "user",
            content: [
              { type: "text", text: "Why is the sum wrong?" },
              { type: "imageUrl", imageUrl: { url: PNG } },
            ],
          },
          contextItems: [{ name: "cart.ts", description: "src/cart.ts", content: "let a = 1" }],
        },
        { message: { role: "thinking", content: "One off." }, contextItems: [] },
        {
          message: { role: "assistant", content: "", toolCalls: [{ id: "t1" }] },
          contextItems: [],
        },
        { message: { role: "tool", content: "…" }, contextItems: [] },
        { message: { role: "assistant", content: "The loop starts at 1." }, contextItems: [] },
      ],
    },
    title: "Sum of a cart",
    path: ["> Why is the sum wrong? [cart.ts] [image]", "< The loop starts at 1. (One off.)"],
    lost: { tools: 1 },
  },
  {
    tool: "VS Code",
    source: "microsoft/vscode, chatModel.ts: IExportableChatData, ISerializableChatRequestData",
    value: {
      requesterUsername: "ada",
      responderUsername: "GitHub Copilot",
      creationDate: 1_750_000_000_000,
      requests: [
        {
          requestId: "r1",
          message: { text: "What does this do?", parts: [] },
          variableData: { variables: [{ kind: "image", name: "a.png" }, { kind: "file" }] },
          modelId: "copilot/gpt-4.1",
          timestamp: 1_750_000_000_500,
          response: [
            { kind: "thinking", value: "It reads." },
            { value: "It calls ", supportThemeIcons: false },
            { kind: "inlineReference", name: "totalPrice", inlineReference: {} },
            { kind: "toolInvocationSerialized", toolId: "read" },
            { kind: "markdownContent", content: { value: " once." } },
          ],
        },
        { message: "And then?", response: [{ value: "Nothing." }] },
      ],
    },
    createdAtMs: 1_750_000_000_000,
    path: [
      "> What does this do?",
      "< It calls `totalPrice` once. (It reads.)",
      "> And then?",
      "< Nothing.",
    ],
    lost: { pictures: 1, tools: 1 },
  },
  {
    tool: "ChatGPT",
    source: "mitkury/chatgpt-export-parser, docs/chatgpt-data-export-format.md",
    value: {
      title: "Green tea",
      create_time: 1_700_000_000.5,
      current_node: "e",
      mapping: {
        root: { id: "root", message: null, parent: null, children: ["s"] },
        s: {
          parent: "root",
          message: {
            author: { role: "system" },
            content: { content_type: "text", parts: [""] },
            metadata: { is_visually_hidden_from_conversation: true },
          },
        },
        a: {
          parent: "s",
          message: {
            author: { role: "user" },
            create_time: 1_700_000_001,
            content: {
              content_type: "multimodal_text",
              parts: [
                {
                  content_type: "image_asset_pointer",
                  asset_pointer: "file-service://file-AbCdEf123456",
                },
                "How warm?",
              ],
            },
          },
        },
        b: {
          parent: "a",
          message: {
            author: { role: "assistant" },
            content: { content_type: "text", parts: ["90 °C"] },
          },
        },
        t: {
          parent: "a",
          message: {
            author: { role: "assistant" },
            recipient: "browser",
            content: { content_type: "code", text: "search('tea')" },
          },
        },
        r: {
          parent: "t",
          message: {
            author: { role: "tool", name: "browser" },
            content: { content_type: "execution_output", text: "…" },
          },
        },
        h: {
          parent: "r",
          message: {
            author: { role: "assistant" },
            content: { content_type: "thoughts", thoughts: [{ content: "Cooler is better." }] },
          },
        },
        e: {
          parent: "h",
          message: {
            author: { role: "assistant" },
            metadata: { model_slug: "gpt-4o" },
            content: { content_type: "text", parts: ["70 °C"] },
          },
        },
      },
    },
    title: "Green tea",
    createdAtMs: 1_700_000_000_500,
    path: ["> How warm? [image]", "< 70 °C (Cooler is better.)"],
    lost: { tools: 2 },
  },
  {
    tool: "Claude",
    source: "Sinity/polylogue, docs/providers/claude-ai.md",
    value: {
      uuid: "c",
      name: "Tides",
      created_at: "2025-03-02T15:59:23.000Z",
      chat_messages: [
        {
          uuid: "m1",
          sender: "human",
          text: "Why two tides?",
          content: [{ type: "text", text: "Why two tides?" }],
          created_at: "2025-03-02T15:59:24.000Z",
          attachments: [{ file_name: "notes.txt", extracted_content: "moon" }],
          files: [{ file_name: "a.png" }],
        },
        {
          uuid: "m2",
          sender: "assistant",
          text: "",
          content: [
            { type: "thinking", thinking: "Both sides." },
            { type: "tool_use", name: "web_search" },
            { type: "text", text: "One on each side." },
          ],
        },
      ],
    },
    title: "Tides",
    createdAtMs: Date.parse("2025-03-02T15:59:23.000Z"),
    path: ["> Why two tides? [notes.txt]", "< One on each side. (Both sides.)"],
    lost: { pictures: 1, tools: 1 },
  },
  {
    tool: "LibreChat",
    source: "danny-avila/LibreChat, useExportConversation.ts: messages with branches",
    value: {
      conversationId: "x",
      title: "Sorting",
      recursive: true,
      messages: [
        {
          messageId: "1",
          parentMessageId: "00000000-0000-0000-0000-000000000000",
          isCreatedByUser: true,
          sender: "User",
          text: "Which sort?",
          createdAt: "2025-05-01T10:00:00.000Z",
          children: [
            {
              messageId: "2",
              parentMessageId: "1",
              isCreatedByUser: false,
              model: "qwen",
              text: "",
              content: [
                { type: "think", think: "Small." },
                { type: "text", text: { value: "Insertion sort." } },
              ],
              children: [],
            },
          ],
        },
      ],
    },
    title: "Sorting",
    createdAtMs: Date.parse("2025-05-01T10:00:00.000Z"),
    path: ["> Which sort?", "< Insertion sort. (Small.)"],
  },
  {
    tool: "Open WebUI",
    source: "open-webui/open-webui, backend models/chats.py and src/lib/utils: history of a chat",
    value: {
      id: "y",
      title: "Names",
      created_at: 1_710_000_000,
      chat: {
        title: "Names",
        history: {
          currentId: "3",
          messages: {
            "1": {
              id: "1",
              parentId: null,
              role: "user",
              content: "A name?",
              timestamp: 1_710_000_001,
              files: [{ type: "image", url: PNG }],
            },
            "2": { id: "2", parentId: "1", role: "assistant", content: "Ada", model: "m" },
            "3": { id: "3", parentId: "1", role: "assistant", content: "Grace", model: "m" },
          },
        },
      },
    },
    title: "Names",
    createdAtMs: 1_710_000_000_000,
    path: ["> A name? [image]", "< Grace"],
  },
];

/** Task of Cline and its forks: Anthropic's messages in `api_conversation_history.json`. */
const TASK = [
  {
    role: "user",
    content: [
      { type: "text", text: "<task>\nFix the sum.\n</task>" },
      { type: "text", text: "<environment_details>\nOpen: a.ts\n</environment_details>" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    ],
    ts: 1_740_000_000_000,
  },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I read it." },
      { type: "tool_use", id: "t", name: "read_file", input: {} },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "…" }] },
  { role: "assistant", content: [{ type: "text", text: "It is fixed." }] },
];

describe("a conversation of another tool", () => {
  for (const { tool, source, value, path, title, createdAtMs, lost } of CASES) {
    it(`is read from ${tool} (${source})`, async () => {
      for (const text of [JSON.stringify(value), JSON.stringify([value, value])]) {
        const all = await chatsInText(text);
        assert.equal(all.length, text.startsWith("[") ? 2 : 1);
        for (const found of all) {
          assert.ok(found.kind === "foreign", JSON.stringify(found));
          assert.equal(found.tool, tool);
          const conversation = await made(found);
          assert.deepEqual(inShort(conversation), path);
          assert.equal(conversation.title, title);
          if (createdAtMs !== undefined) assert.equal(conversation.createdAtMs, createdAtMs);
          const result = await importChat(found, "c1", ports());
          assert.ok(result.kind === "imported");
          assert.deepEqual(result.leftOut, { pictures: 0, messages: 0, tools: 0, ...lost });
        }
      }
    });
  }

  it("is read from a task of Cline, Roo Code or Zoo Code, whose replies are joined", async () => {
    const [found, ...others] = await chatsInText(JSON.stringify(TASK));
    assert.ok(found?.kind === "foreign" && others.length === 0);
    const conversation = await made(found);
    assert.deepEqual(inShort(conversation), [
      "> Fix the sum. [image]",
      "< I read it.\n\nIt is fixed.",
    ]);
    assert.equal(conversation.createdAtMs, 1_740_000_000_000);
    assert.deepEqual(found.chat.lost, { pictures: 0, messages: 0, tools: 2 });
  });

  // As a public task of 2026 has them: github.com/mike4567/MRA04242026, api_conversation_history.json.
  it("keeps what a task answered by a tool: its plan, its question and its result", async () => {
    const call = (name: string, input: unknown) => ({ type: "tool_use", id: name, name, input });
    const task = [
      { role: "user", content: [{ type: "text", text: "<task>\nSort the list.\n</task>" }] },
      { role: "assistant", content: [call("plan_mode_respond", { response: "Two steps." })] },
      { role: "user", content: [{ type: "text", text: "Good." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "One thing." },
          call("ask_followup_question", { question: "Up or down?", options: ["Up", "Down"] }),
        ],
      },
      { role: "user", content: [{ type: "text", text: "Up." }] },
      { role: "assistant", content: [call("read_file", { path: "a.ts" })] },
      { role: "assistant", content: [call("attempt_completion", { result: "It is sorted." })] },
      { role: "assistant", content: [call("attempt_completion", { result: 1 })] },
    ];
    const [found] = await chatsInText(JSON.stringify(task));
    assert.ok(found?.kind === "foreign");
    assert.deepEqual(inShort(await made(found)), [
      "> Sort the list.",
      "< Two steps.",
      "> Good.",
      "< One thing.\n\nUp or down?",
      "> Up.",
      "< It is sorted.",
    ]);
    assert.equal(found.chat.lost.tools, 2);
  });

  it("keeps all versions, and shows the path that the tool showed", async () => {
    const value = CASES.find(({ tool }) => tool === "Open WebUI")?.value;
    const [found] = await chatsInText(JSON.stringify(value));
    const conversation = await made(found ?? assert.fail());
    const [question] = shownPath(conversation);
    assert.equal(conversation.children.get(question?.id ?? "")?.length, 2);
  });

  it("has the same id whenever and from wherever it is read, and another one if it grew", async () => {
    const idsOf = async (text: string) => {
      const ids: string[] = [];
      for (const found of await chatsInText(text)) {
        assert.ok(found.kind === "foreign");
        ids.push(await chatId(found.chat, ports().hashOf));
      }
      return ids;
    };
    for (const { value } of CASES) {
      const [alone] = await idsOf(JSON.stringify(value));
      const [first, second] = await idsOf(JSON.stringify([value, value], undefined, 2));
      assert.deepEqual([first, second], [alone, alone]);
      assert.match(alone ?? "", /^[0-9a-z]{19}$/);
    }
    const [grown] = await idsOf(JSON.stringify([...TASK, { role: "user", content: "Thanks" }]));
    const [before] = await idsOf(JSON.stringify(TASK));
    assert.notEqual(grown, before);
  });

  it("is found in a damaged export as far as it is whole", async () => {
    const all = CASES.map(({ value }) => JSON.stringify(value));
    const whole = `[${all.join(",\n")}]`;
    const bytes = new TextEncoder().encode(whole);
    const ends: number[] = [];
    for (const [index] of all.entries())
      ends.push(new TextEncoder().encode(`[${all.slice(0, index + 1).join(",\n")}`).length);
    for (let step = 0; step < 1_000; step++) {
      const cut = Math.floor((bytes.length * step) / 1_000);
      const text = new TextDecoder().decode(bytes.subarray(0, cut));
      const found = await chatsInText(text, 1 + (step % 300));
      const readable = found.filter(({ kind }) => kind === "foreign").length;
      assert.ok(readable >= ends.filter((end) => end < cut).length, `at ${cut}`);
      for (const one of found) await importChat(one, "c1", ports());
    }
  });

  it("never makes the import throw, whatever a field contains", async () => {
    const strange = [null, -1, 1e300, "", "x", [], {}, [[]], { value: {} }, true];
    for (const { value } of CASES) {
      for (const place of placesIn(value)) {
        for (const other of strange) {
          const text = JSON.stringify(replaced(value, place, other));
          for (const found of await chatsInText(text)) await importChat(found, "c1", ports());
        }
      }
    }
  });
});

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  return Object.entries(value).flatMap(([key, child]) => [
    [...place, key],
    ...placesIn(child, [...place, key]),
  ]);
}

function replaced(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = replaced(copy[key], rest, other);
  return copy;
}
