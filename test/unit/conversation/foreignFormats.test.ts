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
import {
  noLosses,
  type ImportLosses,
  type ImportOptions,
} from "../../../src/conversation/importResult";
import { chatsInText, CountingSlice, SLICE } from "../../support/conversation/importText";

const PNG = "data:image/png;base64,AAAA";

function ports(): ImportOptions {
  let count = 0;
  return {
    slice: SLICE,
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
  readonly lost?: Partial<ImportLosses>;
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
              { type: "text", text: "Be short." },
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
        {
          message: { role: "assistant", content: "The loop starts at 1." },
          contextItems: [],
          reasoning: { active: false, text: "Check.", startAt: 1 },
        },
      ],
    },
    title: "Sum of a cart",
    path: [
      "> Why is the sum wrong?\nBe short. [cart.ts] [image]",
      "< The loop starts at 1. (One off.\n\nCheck.)",
    ],
    lost: { tools: 1 },
  },
  {
    tool: "VS Code",
    source: "microsoft/vscode, chatModel.ts: IExportableChatData, AbstractResponse.partsToRepr",
    value: {
      requesterUsername: "ada",
      responderUsername: "GitHub Copilot",
      creationDate: 1_750_000_000_000,
      requests: [
        {
          requestId: "r1",
          message: { text: "What does this do?", parts: [] },
          variableData: {
            variables: [
              { kind: "image", name: "a.png" },
              { kind: "image", name: "b.png", mimeType: "image/png", value: { $base64: "AAAA" } },
              { kind: "paste", pastedLines: "1 line", code: "let a = 1" },
              { kind: "file" },
            ],
          },
          modelId: "copilot/gpt-4.1",
          timestamp: 1_750_000_000_500,
          response: [
            { kind: "mcpServersStarting", didStartServerIds: [] },
            { kind: "thinking", value: "It reads.", id: "1" },
            { kind: "thinking", value: ["It ", "ends."], id: "2" },
            { kind: "thinking", value: [], id: "3" },
            { value: "It calls ", supportThemeIcons: false },
            { kind: "inlineReference", name: "totalPrice", inlineReference: {} },
            { value: " of " },
            { kind: "inlineReference", inlineReference: { $mid: 1, path: "/shop/src/cart.ts" } },
            { value: " and " },
            { kind: "inlineReference", inlineReference: { name: "sum", location: {} } },
            { value: "." },
            { kind: "toolInvocationSerialized", toolId: "read" },
            { kind: "undoStop", id: "u" },
            { kind: "markdownContent", content: { value: "\n\nThe code:" } },
            { kind: "codeblockUri", uri: {}, isEdit: true },
            { kind: "textEditGroup", uri: {}, edits: [] },
            { kind: "markdownVuln", content: { value: "`eval(a)`" }, vulnerabilities: [] },
            { kind: "confirmation", title: "Go on?", message: "It takes long." },
          ],
        },
        { message: { text: "Stop" }, response: [], isCanceled: true },
        { message: "And then?", response: [{ value: "Nothing." }] },
      ],
    },
    createdAtMs: 1_750_000_000_000,
    path: [
      "> What does this do? [1 line] [image]",
      "< It calls `totalPrice` of `cart.ts` and `sum`.\n\nThe code:\n\n`eval(a)`\n\nGo on?\nIt takes long. (It reads.\nIt ends.)",
      "> Stop",
      "> And then?",
      "< Nothing.",
    ],
    lost: { pictures: 1, tools: 2 },
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
    source:
      "Sinity/polylogue, docs/providers/claude-ai.md; dknedlik/OpenArchive, tests/fixtures/claude_export.json",
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
          files: [{ file_name: "a.png" }, { file_name: "b.pdf" }],
        },
        null,
        {
          uuid: "m2",
          sender: "assistant",
          text: "",
          content: [
            { type: "thinking", thinking: "Both sides." },
            { type: "text", text: "I look.", citations: [] },
            { type: "tool_use", name: "web_search", input: {} },
            { type: "tool_result", name: "web_search", content: [{ type: "text", text: "…" }] },
            { type: "text", text: "One on each side.", citations: [] },
            { type: "token_budget" },
          ],
        },
      ],
    },
    title: "Tides",
    createdAtMs: Date.parse("2025-03-02T15:59:23.000Z"),
    path: ["> Why two tides? [notes.txt]", "< I look.\n\nOne on each side. (Both sides.)"],
    lost: { pictures: 1, files: 1, messages: 1, tools: 2 },
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
          files: [{ file_id: "f", type: "application/pdf", filename: "list.pdf" }],
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
                { type: "tool_call", tool_call: { name: "search", args: "{}", output: "…" } },
                { type: "text", text: { value: "Insertion sort." } },
              ],
              attachments: [{ filename: "chart.png", filepath: "/images/1.png" }],
              children: [],
            },
          ],
        },
      ],
    },
    title: "Sorting",
    createdAtMs: Date.parse("2025-05-01T10:00:00.000Z"),
    path: ["> Which sort?", "< Insertion sort. (Small.)"],
    lost: { pictures: 1, files: 1, tools: 1 },
  },
  {
    tool: "LibreChat",
    source: "danny-avila/LibreChat, api/server/utils/import/__data__/librechat-export.json: a tree",
    value: {
      conversationId: "x",
      recursive: true,
      messagesTree: [
        {
          messageId: "1",
          isCreatedByUser: true,
          text: "Which sort?",
          children: [
            {
              messageId: "2",
              isCreatedByUser: false,
              text: ":::thinking\nSmall.\n:::\n\nInsertion sort.",
              children: [],
            },
          ],
        },
      ],
    },
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
  {
    tool: "Open WebUI",
    source:
      "open-webui/open-webui, middleware.py: serialize_content_blocks; Chats.svelte: legacy format",
    value: {
      title: "Weather",
      timestamp: 1_710_000_000_000,
      history: {
        currentId: "2",
        messages: {
          "1": {
            parentId: null,
            role: "user",
            content: "Is it warm?",
            files: [
              {
                type: "file",
                name: "log.txt",
                file: { filename: "log.txt", data: { content: "18 °C" } },
              },
              { type: "collection", id: "k", name: "Notes" },
            ],
          },
          "2": {
            parentId: "1",
            role: "assistant",
            content: [
              '<details type="reasoning" done="true" duration="3">',
              "<summary>Thought for 3 seconds</summary>",
              "&gt; Is 18 &lt; 20?",
              "&gt; Yes.",
              "</details>",
              '<details type="tool_calls" done="true" name="get" result="&quot;18&quot;">',
              "<summary>Tool Executed</summary>",
              "</details>",
              "No.",
              "<details><summary>More</summary>18 °C</details>",
            ].join("\n"),
          },
        },
      },
    },
    title: "Weather",
    createdAtMs: 1_710_000_000_000,
    path: [
      "> Is it warm? [log.txt]",
      "< No.\n<details><summary>More</summary>18 °C</details> (Is 18 < 20?\nYes.)",
    ],
    lost: { files: 1, tools: 1 },
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
          assert.deepEqual(result.leftOut, { ...noLosses(), ...lost });
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
    assert.deepEqual(found.chat.lost, { ...noLosses(), tools: 2 });
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

  // As in gmfstu/Online-Card-Architecture, exported_task_1769064454592/api_conversation_history.json.
  it("has the user's texts of a task, and not what its tools and its extension wrote", async () => {
    const user = (...texts: string[]) => ({
      role: "user",
      content: texts.map((text) => ({ type: "text", text })),
    });
    const assistant = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
    const editor = "<environment_details>\nOpen: a.ts\n</environment_details>";
    const task = [
      user(
        "<task>\nFix 'a.ts' (see below).\n</task>\n\n<file_content path=\"a.ts\">\nlet a\n</file_content>",
        "\n# task_progress RECOMMENDED\n…",
        editor,
      ),
      assistant("I read it.\n\n<read_file>\n<path>a.ts</path>\n</read_file>"),
      user(
        "[read_file for 'a.ts'] Result:\nThe user <feedback>is a type</feedback>? No: code.",
        "Tool [read_file] was not executed because a tool has already been used.",
        editor,
      ),
      assistant(
        "<thinking>\nWhich?\n</thinking>\n<ask_followup_question>\n<question>Which a?</question>\n</ask_followup_question>",
      ),
      user(
        "[ask_followup_question for 'Which a?'] Result:\n<answer>\nThe first.\n</answer>",
        editor,
      ),
      assistant(
        "Done soon.\n<write_to_file>\n<path>b.ts</path>\n<content></write_to_file> x</content>\n</write_to_file>",
      ),
      user("[write_to_file for 'b.ts'] Result:", "The content was saved.", editor),
      assistant("<attempt_completion>\n<result>\nIt is fixed.\n</result>\n</attempt_completion>"),
      user(
        "[attempt_completion] Result:",
        "The user has provided feedback on the results.\n<feedback>\nNot yet.\n</feedback>",
        editor,
      ),
      user("[TASK RESUMPTION] This task was interrupted.", editor),
      user("New instructions for task continuation:\n<user_message>\nGo on.\n</user_message>"),
      user("[ERROR] You did not use a tool in your previous response!", editor),
      assistant("Use `<read>` for this."),
    ];
    const [found] = await chatsInText(JSON.stringify(task));
    assert.ok(found?.kind === "foreign");
    assert.equal(found.tool, "Cline");
    assert.deepEqual(inShort(await made(found)), [
      "> Fix 'a.ts' (see below). [a.ts]",
      "< I read it.\n\nWhich a? (Which?)",
      "> The first.",
      "< Done soon.\n\nIt is fixed.",
      "> Not yet.",
      "> Go on.",
      "< Use `<read>` for this.",
    ]);
    // Two calls and four results, one of which has the answer and one the feedback.
    assert.deepEqual(found.chat.lost, { ...noLosses(), tools: 6 });
  });

  // As in haram-333/fineye, CoreGems/Cline-Xray and Jeehunter/mcp-vscode-server, ui_messages.json.
  it("is read from the messages of the view of a task", async () => {
    const ts = 1_750_000_000_000;
    const say = (kind: string, text?: string, images?: string[]) => ({
      ts,
      type: "say",
      say: kind,
      text,
      images,
    });
    const ask = (kind: string, text: string) => ({ ts: 2, type: "ask", ask: kind, text });
    const view = [
      say("text", "Fix the sum.", [PNG]),
      say("checkpoint_created"),
      say("api_req_started", '{"request":"<task>…"}'),
      say("reasoning", "One off."),
      say("text", "I read it."),
      say("tool", '{"tool":"readFile"}'),
      ask("followup", '{"question":"Which one?","options":["a","b"]}'),
      say("user_feedback", "The first."),
      ask("plan_mode_respond", "Two steps."),
      say("completion_result", "It is fixed.HAS_CHANGES"),
      ask("completion_result", ""),
      { ts: "?", type: "say" },
    ];
    const [found, ...others] = await chatsInText(JSON.stringify(view));
    assert.ok(found?.kind === "foreign" && others.length === 0);
    assert.equal(found.tool, "Cline");
    assert.deepEqual(inShort(await made(found)), [
      "> Fix the sum. [image]",
      "< I read it.\n\nWhich one? (One off.)",
      "> The first.",
      "< Two steps.\n\nIt is fixed.",
    ]);
    assert.deepEqual(found.chat.lost, { ...noLosses(), tools: 1, messages: 1 });
  });

  it("is refused as empty if it has nothing to import", async () => {
    const message = { sender: "human", text: "", content: [{ type: "text", text: "" }] };
    for (const messages of [[], [message]])
      assert.deepEqual(await chatsInText(JSON.stringify([{ name: "", chat_messages: messages }])), [
        { kind: "refused", reason: "empty" },
      ]);
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

  it("keeps the whole messages of a conversation that ends too early, and names a loss", async () => {
    const turn = (index: number) => [
      { message: { role: "user", content: `Question ${index}, "a\\b"?` }, contextItems: [] },
      { message: { role: "assistant", content: `Answer ${index}.` }, contextItems: [] },
    ];
    const history = [1, 2, 3].flatMap(turn);
    // The order in which Continue writes them.
    const text = JSON.stringify({ history, title: "T", sessionId: "s" });
    const ends = history.map(
      (item) => text.indexOf(JSON.stringify(item)) + JSON.stringify(item).length,
    );
    for (let cut = ends[0] ?? 0; cut < text.length; cut++) {
      const [found] = await chatsInText(text.slice(0, cut));
      assert.ok(found?.kind === "foreign", `at ${cut}`);
      const whole = ends.filter((end) => end <= cut).length;
      const said = found.chat.messages.filter(({ text: own }) => own !== "");
      assert.ok(said.length >= whole, `at ${cut}: ${said.length} of ${whole}`);
      assert.ok(found.chat.lost.messages > 0);
    }
  });

  it("loses nothing but a damaged message, whatever is wrong with it", async () => {
    const values = [...CASES.map(({ value }) => value), TASK];
    let count = 0;
    for (const value of values) {
      for (const place of placesIn(value)) {
        const message = messageAround(place);
        if (message === undefined && NEEDED.has(String(place.at(-1)))) continue;
        const others = await textsIn(message ? removed(value, message) : value);
        for (const damaged of [
          removed(value, place),
          replaced(value, place, 7),
          replaced(value, place, null),
        ]) {
          const left = await textsIn(damaged);
          const missing = others.filter((text) => !left.includes(text));
          assert.deepEqual(missing, [], `${place.join(".")} of ${JSON.stringify(damaged)}`);
          count++;
        }
      }
    }
    assert.ok(count > 1_000, `${count}`);
  });

  it("can pause between any two messages", async () => {
    const slice = new CountingSlice();
    const count = 1_000;
    const message = { message: { role: "user", content: "Hello" }, contextItems: [] };
    const history = Array.from({ length: count }, () => message);
    const text = JSON.stringify({ history, title: "T", sessionId: "s" });
    const [found] = await chatsInText(text, text.length, slice);
    assert.ok(found?.kind === "foreign");
    assert.ok(slice.count >= 2 * count, "while messages are parsed, and while they are read");
    slice.count = 0;
    await importChat(found, "c1", { ...ports(), slice });
    assert.ok(slice.count >= count, "while messages are converted");
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

/** Fields by which a format is known; without them nothing can be read. */
const NEEDED = new Set([
  ...["sessionId", "history", "responderUsername", "requests", "mapping", "chat_messages"],
  ...["messages", "messagesTree", "chat"],
]);
const LISTS = new Set([...NEEDED, "children"]);

/** Returns the place of the message in which a place is; undefined outside of messages. */
function messageAround(place: Place): Place | undefined {
  if (typeof place[0] === "string" && /^\d+$/.test(place[0])) return place.slice(0, 1);
  const at = place.findLastIndex(
    (key, index) => LISTS.has(String(key)) && index + 1 < place.length,
  );
  const isList = at >= 0 && !LISTS.has(String(place[at + 1]));
  const isInHistory = place[at] === "history" && place[at + 1] === "currentId";
  return isList && !isInHistory && place[at] !== "chat" ? place.slice(0, at + 2) : undefined;
}

/** Returns the paragraphs of all branches of a file. */
async function textsIn(value: unknown): Promise<string[]> {
  const texts: string[] = [];
  for (const found of await chatsInText(JSON.stringify(value))) {
    const result = await importChat(found, "c1", ports());
    if (result.kind !== "imported") continue;
    for (const message of applySteps(emptyConversation("c1", 0), result.steps).messages.values())
      texts.push(
        ...(message.role === "assistant"
          ? message.text.split("\n\n")
          : message.parts.flatMap((part) => (part.kind === "text" ? part.text.split("\n\n") : []))),
      );
  }
  return texts.filter((text) => text !== "");
}

function removed(value: unknown, [key, ...rest]: Place): unknown {
  if (typeof value !== "object" || value === null || key === undefined) return value;
  const entries = Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    if (name !== String(key)) return [[name, child] as const];
    return rest.length === 0 ? [] : [[name, removed(child, rest)] as const];
  });
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}

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
