/**
 * Tasks of Cline, Roo Code and Zoo Code: what was said in them, without what the extension wrote into the
 * messages. Sources: cline/cline and RooCodeInc/Roo-Code, `src/core/prompts/responses.ts` (texts),
 * `ToolResultUtils.ts` and `presentAssistantMessage.ts` (results of tools), `parse-assistant-message.ts`
 * (calls as XML), `ExtensionMessage.ts` (messages of the view).
 */
import * as z from "zod/mini";
import { defined } from "../base/defined";
import type { ForeignMessage, Format } from "./foreignChat";
import {
  between,
  inOrder,
  isTool,
  items,
  lenient,
  text,
  textOf,
  thinkingOf,
  timeOf,
  type ForeignPart,
} from "./foreignParts";
import { noLosses } from "./importResult";

/** Tools by which the assistant answers the user, and the argument with the text. */
const ANSWERING_TOOLS = new Map([
  ["attempt_completion", "result"],
  ["ask_followup_question", "question"],
  ["plan_mode_respond", "response"],
  ["plan_mode_response", "response"],
]);

/** Other tools that are called as XML in the text of a reply: `toolUseNames` of Cline, `toolNames` of Roo Code. */
const XML_TOOLS = (
  "execute_command read_file write_to_file replace_in_file apply_diff edit_file insert_content " +
  "search_and_replace search_files list_files browser_action list_code_definition_names codebase_search " +
  "use_mcp_tool access_mcp_resource load_mcp_documentation fetch_instructions web_fetch update_todo_list " +
  "switch_mode new_task new_rule condense summarize_task report_bug run_slash_command generate_image"
).split(" ");
/** Tools whose argument may hold their own closing tag, so that the last one ends the call. */
const WRITING_TOOLS = new Set(["write_to_file", "new_rule"]);

/** Start of a call. Made of the constants above. */
const XML_TOOL = new RegExp(`<(${[...ANSWERING_TOOLS.keys(), ...XML_TOOLS].join("|")})>`);

/** Tags around the text of the user. */
const USER_TAGS = ["task", "feedback", "answer", "user_message"];

/** Longest sentence before such a tag, and how these sentences begin. */
const MAX_LEAD = 400;
const LEAD =
  /^(?:The user (?:(?:denied|approved) this operation and |has )?provided |You seem to be having trouble|New (?:instructions for task|message to respond) )/;

/** Result of a tool: `[read_file for 'a.ts'] Result:`. */
const RESULT_HEAD = /^\[([a-z_]{1,60})(?: for |\]|: )/;
const RESULT_END = "] Result:";

/** Texts that the extension adds where no tool was used. */
const NOTICES =
  /^(?:\[TASK RESUMPTION\]|\[ERROR\] You did not use a tool|Tool \[[a-z_]{1,60}\] was not executed|# task_progress|# TODO LIST UPDATE|\[NOTE\] Some previous conversation|<environment_details>|<explicit_instructions|\[\[NOTE\] This file read)/;

const FILE_OPEN = '<file_content path="';
const FILE_CLOSE = "</file_content>";

interface Said {
  readonly text: string;
  readonly files: NonNullable<ForeignMessage["files"]>;
  readonly tools: number;
}

/** True if the first question has the form in which the extension writes a task. */
export function isAgentTask(parts: readonly ForeignPart[]): boolean {
  return parts.some((part) => {
    const own = textOf([part]).trimStart();
    return own.startsWith("<task>") || own.startsWith("<environment_details>");
  });
}

/** Returns what the user said in a message of a task. */
export function saidByUser(parts: readonly ForeignPart[]): Said {
  const texts = parts.filter((part) => !isTool(part)).map((part) => textOf([part]));
  const isAnswerOfTool = parts.some(isTool) || texts.some((one) => resultOf(one) !== undefined);
  const files: Said["files"][number][] = [];
  let tools = parts.filter(isTool).length;
  const said = texts.flatMap((whole) => {
    const trimmed = whole.trim();
    const tool = resultOf(whole);
    if (tool !== undefined) tools++;
    const start = tool === undefined ? 0 : trimmed.indexOf(RESULT_END) + RESULT_END.length;
    const tagged = taggedIn(
      trimmed.slice(start).trim(),
      tool === undefined || ANSWERING_TOOLS.has(tool),
    );
    if (tagged) {
      files.push(...filesIn(tagged.after));
      return [tagged.inner.trim()];
    }
    return isAnswerOfTool || NOTICES.test(trimmed) || trimmed === "" ? [] : [whole];
  });
  return { text: said.filter((one) => one !== "").join("\n\n"), files, tools };
}

/** Returns the tool of whose result a text begins; undefined for another text. */
function resultOf(whole: string): string | undefined {
  const trimmed = whole.trimStart();
  return trimmed.includes(RESULT_END) ? RESULT_HEAD.exec(trimmed)?.[1] : undefined;
}

/**
 * Returns the text in one of the user's tags.
 * @param mayBegin false for the result of a tool whose text may be anything, so that a sentence must come first
 */
function taggedIn(body: string, mayBegin: boolean) {
  for (const tag of USER_TAGS) {
    const found = between(body, `<${tag}>`, `</${tag}>`);
    if (!found || found.before.length > MAX_LEAD) continue;
    const isNamed = LEAD.test(found.before) && !found.before.includes("<");
    if (isNamed || (mayBegin && (found.before.trim() === "" || NOTICES.test(body)))) return found;
  }
  return undefined;
}

/** Returns the files that the user named in the text. */
function filesIn(after: string): Said["files"] {
  const files = [];
  for (let rest = after; ;) {
    const found = between(rest, FILE_OPEN, FILE_CLOSE);
    const nameEnd = found?.inner.indexOf('">') ?? -1;
    if (!found || nameEnd < 0) return files;
    files.push({
      name: found.inner.slice(0, nameEnd),
      text: found.inner.slice(nameEnd + 2).trim(),
    });
    rest = found.after;
  }
}

/** Returns a reply of a task with its answering tools as text, and without the other calls. */
export function saidByAssistant(parts: readonly ForeignPart[]) {
  let tools = 0;
  const thoughts = [thinkingOf(parts)];
  const said = parts.map((part): ForeignPart => {
    if (part.type === "tool_use") {
      const answer = answerOf(part);
      if (answer === undefined) tools++;
      return answer === undefined ? part : { type: "text", text: `\n\n${answer}` };
    }
    if (isTool(part)) return part;
    const read = withoutXml(textOf([part]));
    tools += read.tools;
    thoughts.push(...read.thoughts);
    return { ...part, text: read.text };
  });
  return {
    text: textOf(said).trim(),
    thinking: thoughts.filter((one) => one !== "").join("\n\n"),
    tools,
  };
}

function answerOf({ name, input }: ForeignPart): string | undefined {
  const field = ANSWERING_TOOLS.get(name ?? "");
  if (field === undefined) return undefined;
  const said = z.record(z.string(), z.unknown()).safeParse(input);
  const own = said.success ? said.data[field] : undefined;
  return typeof own === "string" && own.trim() !== "" ? own : undefined;
}

/** Returns a text without calls as XML; an answering one leaves its answer. */
function withoutXml(whole: string) {
  const kept: string[] = [];
  const thoughts: string[] = [];
  let tools = 0;
  let rest = whole;
  for (let found = between(rest, "<thinking>", "</thinking>"); found;) {
    thoughts.push(found.inner.trim());
    rest = found.before + found.after;
    found = between(rest, "<thinking>", "</thinking>");
  }
  for (let open = XML_TOOL.exec(rest); open; open = XML_TOOL.exec(rest)) {
    const [tag, name = ""] = open;
    const close = `</${name}>`;
    const end = WRITING_TOOLS.has(name) ? rest.lastIndexOf(close) : rest.indexOf(close, open.index);
    const body = rest.slice(open.index + tag.length, end < open.index ? undefined : end);
    const field = ANSWERING_TOOLS.get(name);
    const answer = field === undefined ? undefined : between(body, `<${field}>`, `</${field}>`);
    kept.push(rest.slice(0, open.index).trimEnd());
    if (answer) kept.push(answer.inner.trim());
    else tools++;
    rest = end < open.index ? "" : rest.slice(end + close.length);
  }
  kept.push(tools === 0 && kept.length === 0 ? rest : rest.trim());
  return { text: kept.filter((one) => one !== "").join("\n\n"), thoughts, tools };
}

/** Message of the view of such a task (`ui_messages.json`). */
export const viewMessageSchema = z.looseObject({
  ts: z.number(),
  type: z.enum(["say", "ask"]),
  say: text,
  ask: text,
  text,
  images: lenient(z.nullable(z.array(z.string()))),
});

/** Kinds of messages by which the assistant answers, and by which it works. */
const ANSWERS = new Set(["text", "completion_result", "followup", "plan_mode_respond"]);
const WORK = new Set([
  "tool",
  "command",
  "use_mcp_server",
  "browser_action_launch",
  "use_subagents",
]);

/** Text of a question to the user: JSON with its options, in older versions the text alone. */
const askedSchema = z.looseObject({ question: text, response: text });

const viewSchema = z.looseObject({ messages: items });
export const agentView: Format<z.infer<typeof viewSchema>, z.infer<typeof viewMessageSchema>> = {
  tool: "Cline",
  schema: viewSchema,
  itemsOf: ({ messages }) => messages,
  itemSchema: viewMessageSchema,
  async read(_, messages, slice) {
    const lost = noLosses();
    const first = messages.findIndex((one) => one?.say === "task" || one?.say === "text");
    const read = await slice.map(messages, (one, index): ForeignMessage => {
      const own = inOrder(index);
      const kind = one?.say ?? one?.ask ?? "";
      if (one === undefined) lost.messages++;
      else if (WORK.has(kind)) lost.tools++;
      const said = one?.text ?? "";
      const base = { ...own, text: said, ...defined({ atMs: timeOf(one?.ts) }) };
      if (index === first || kind === "user_feedback")
        return { ...base, role: "user", pictures: one?.images ?? [] };
      if (kind === "reasoning") return { ...base, role: "assistant", text: "", thinking: said };
      if (!ANSWERS.has(kind) || said.trim() === "") return { ...own, role: "other", text: "" };
      return {
        ...base,
        role: "assistant",
        text: one?.type === "ask" ? askedOf(said) : shownOf(said),
      };
    });
    return { messages: read, lost, ...defined({ createdAtMs: timeOf(messages[0]?.ts) }) };
  },
};

function askedOf(said: string): string {
  try {
    const asked = askedSchema.safeParse(JSON.parse(said));
    return (asked.success && (asked.data.question ?? asked.data.response)) || said;
  } catch {
    return said;
  }
}

/** `COMPLETION_RESULT_CHANGES_FLAG` of Cline, which it hides. */
function shownOf(said: string): string {
  const flag = "HAS_CHANGES";
  return said.endsWith(flag) ? said.slice(0, -flag.length) : said;
}
