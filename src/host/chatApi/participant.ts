/**
 * Answers requests to `@core` in VS Code's chat view: converts history and request to messages, asks
 * the service and writes the reply to VS Code's stream. Stores nothing.
 */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import type { Ending } from "../../conversation/ending";
import type { Message, Part, Reply, UserMessage } from "../../conversation/message";
import type { ReadImage } from "../../ask/wireMessages";
import { linkedSignal } from "../platform/cancellation";
import { COMMANDS, SETTINGS_SECTION } from "../platform/contributions";
import { askServiceWith, type AskServiceOptions } from "../settings/askService";
import { actionButton, plainNotice } from "../messages/notices";
import { panelMessages } from "../messages/panelMessages";
import { RequestPictures } from "./requestPictures";
import { partsOf } from "./requestParts";
import type { KnownModels } from "../settings/knownModels";
import { withDecidedText } from "./undecidedText";

/** Dependencies of the participant. */
export interface ParticipantOptions extends AskServiceOptions {
  readonly log: Log;
  readonly knownModels: KnownModels;
}

/** The chat participant; has no state between requests. */
export class Participant {
  constructor(private readonly options: ParticipantOptions) {}

  /** Answers a request. Does not reject for failures; the result holds their message. */
  async answer(
    request: vscode.ChatRequest,
    context: vscode.ChatContext,
    response: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const pictures = new RequestPictures();
    const question = await partsOf(request.prompt, request.references, pictures);
    if (question.refused !== undefined) return { errorDetails: { message: question.refused } };
    for (const remark of question.remarks) response.progress(remark);
    const path = [
      ...(await historyMessages(context.history, pictures)),
      userMessage(question.parts),
    ].map((message, index) => ({ ...message, id: String(index) }));
    const linked = linkedSignal(token);
    try {
      return await this.ask(path, pictures.read, response, linked.signal);
    } finally {
      linked.dispose();
    }
  }

  private async ask(
    path: readonly Message[],
    readImage: ReadImage,
    response: vscode.ChatResponseStream,
    signal: AbortSignal,
  ): Promise<vscode.ChatResult> {
    const ask = askServiceWith(this.options, (settings) => settings, readImage);
    const showThinking = thinkingProgress(response);
    let reply = emptyReply();
    for await (const event of withDecidedText(ask(path, signal), this.options.knownModels)) {
      switch (event.type) {
        case "request-sent": {
          reply = { ...reply, receipt: event.receipt };
          const question = path.at(-1);
          if (question?.role === "user") response.progress(panelMessages.sentLine(question, reply));
          break;
        }
        case "still-waiting":
          response.progress(panelMessages.status({ kind: "waiting", forMs: event.forMs }, 0).text);
          break;
        case "uploading": // lines of progress cannot be replaced here
          break;
        case "retry-scheduled": {
          const { attempt, tries, delayMs: untilMs, failure } = event;
          const status = { kind: "retrying" as const, attempt, tries, untilMs, failure };
          const seconds = String(Math.ceil(untilMs / 1000));
          response.progress(panelMessages.status(status, 0).text.replace("%s", seconds));
          break;
        }
        case "reasoning-delta":
          showThinking(event.text);
          reply = { ...reply, thinking: { text: event.text, durationMs: 0 } };
          break;
        case "text-delta":
          reply = { ...reply, text: reply.text + event.text };
          response.markdown(event.text);
          break;
        case "picture": // VS Code's chat shows no picture without a file
          response.progress(
            vscode.l10n.t("The reply has a picture, which only the Core Chat panel shows."),
          );
          break;
        case "turn-ended":
          return this.end({ ...reply, ...event }, event.ending, response);
        default:
          event satisfies never;
      }
    }
    return {};
  }

  private end(
    reply: Reply,
    ending: Ending,
    response: vscode.ChatResponseStream,
  ): vscode.ChatResult {
    // VS Code shows that the user stopped the reply.
    if (ending.kind === "stopped") return {};
    if (ending.kind === "failed")
      this.options.log.info(`participant: failed (${ending.failure.kind})`);
    const notice = panelMessages.ending(reply);
    if (notice === undefined) return {};
    const command = notice.action && commandFor(notice.action.id);
    if (command) response.button(command);
    const responseIsFiltered = ending.kind === "withheld" && !ending.isTextKept;
    return { errorDetails: { message: plainNotice(notice), responseIsFiltered } };
  }
}

/**
 * Returns a function that shows thinking in VS Code's own part where this extension may use it, else
 * one line of progress. VS Code has the method for every extension, but the method throws for those
 * that may not use the proposed API.
 * https://github.com/microsoft/vscode/blob/main/src/vscode-dts/vscode.proposed.chatParticipantAdditions.d.ts
 */
function thinkingProgress(response: vscode.ChatResponseStream): (text: string) => void {
  const stream = response as { thinkingProgress?: (delta: { text: string }) => void };
  let isAllowed = stream.thinkingProgress !== undefined;
  let isShown = false;
  return (text) => {
    if (isAllowed) {
      try {
        stream.thinkingProgress?.({ text });
        return;
      } catch {
        isAllowed = false;
      }
    }
    if (!isShown) response.progress(vscode.l10n.t("Thinking…"));
    isShown = true;
  };
}

/** Returns the command of a notice's button; undefined for actions of the panel. */
function commandFor(action: NoticeAction): vscode.Command | undefined {
  const title = actionButton(action).label;
  switch (action) {
    case "set-api-key":
      return { title, command: COMMANDS.setApiKey };
    case "set-base-url":
      return { title, command: COMMANDS.setBaseUrl };
    case "set-secret-header":
      return { title, command: COMMANDS.setSecretHeader };
    case "switch-profile":
      return { title, command: COMMANDS.switchProfile };
    case "show-log":
      return { title, command: COMMANDS.showLog };
    case "open-settings": {
      const section = `${SETTINGS_SECTION}.`;
      return { title, command: "workbench.action.openSettings", arguments: [section] };
    }
    case "set-model": {
      const query = `${SETTINGS_SECTION}.models`;
      return { title, command: "workbench.action.openSettings", arguments: [query] };
    }
    default:
      return undefined;
  }
}

/** Returns the earlier messages of a chat. References are read again. */
async function historyMessages(
  history: vscode.ChatContext["history"],
  pictures: RequestPictures,
): Promise<Message[]> {
  const path: Message[] = [];
  for (const turn of history) {
    if ("prompt" in turn) {
      const { parts } = await partsOf(turn.prompt, turn.references, pictures);
      path.push(userMessage(parts));
    } else {
      const text = turn.response
        .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""))
        .join("");
      path.push({ ...emptyReply(), text, ending: { kind: "complete" } });
    }
  }
  return path;
}

// The caller sets the ids. Only the journal needs times, and these messages are not stored.
function userMessage(parts: readonly Part[]): UserMessage {
  return { role: "user", id: "", parentId: null, parts: [...parts], sentAtMs: 0 };
}

function emptyReply(): Reply {
  const model = { modelKind: "llm" as const, modelCode: "" };
  return { role: "assistant", id: "", parentId: null, text: "", ...model, startedAtMs: 0 };
}
