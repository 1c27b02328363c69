/**
 * A window that runs as a separate process. It writes turns into a journal on a real disk and
 * prints each step after saving, so that a test that kills the process knows which data must exist.
 */
import { writeSync } from "node:fs";
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../support/fakes/silentLog";
import { History } from "../../../src/history/history";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
import type { Step } from "../../../src/conversation/conversation";
import type { Journal } from "../../../src/history/journal";
import { wholeFilesAt } from "../../support/fakes/wholeFileDisk";
import { ended, grown, question, replyStarted } from "./turns";

const CHECKPOINTS = 6;
const STDOUT = 1;

/** Returns the text of a checkpoint, with ASCII and multi-byte characters. */
export function pieceOf(turnNumber: number, checkpoint: number): string {
  return `«${turnNumber}.${checkpoint} 字🦉» `.repeat(20);
}

/** Returns the text of a whole reply. */
export function replyOf(turnNumber: number): string {
  return Array.from({ length: CHECKPOINTS }, (_, at) => pieceOf(turnNumber, at)).join("");
}

/** Options of the process, as JSON in its first argument. */
export interface WindowOptions {
  readonly root: string;
  readonly conversationId: string;
  /** Prefix of this window's message ids. */
  readonly name: string;
  readonly turns: number;
  /** Id of a reply that all turns continue, instead of new questions. */
  readonly replyId?: string;
  /** True for a folder that only writes whole files. */
  readonly isForeign?: boolean;
}

/** Writes the turns in sequence. */
export async function runWindow(options: WindowOptions): Promise<void> {
  const filesAt = options.isForeign === true ? wholeFilesAt : nodeFileSystem;
  const history = new History(filesAt(options.root), systemClock, silentLog);
  const { journal, pictures } = history;
  if (options.replyId !== undefined) {
    await continueReply(journal, options, options.replyId);
    await history.close();
    print("done");
    return;
  }
  for (let number = 0; number < options.turns; number++) {
    const questionId = `${options.name}-q${number}`;
    const replyId = `${options.name}-r${number}`;
    const { hash } = await pictures.store(new TextEncoder().encode(`picture ${questionId}`));
    print(`picture ${hash}`);
    const created = { kind: "created", id: options.conversationId, atMs: 1 } as const;
    await journal.append(options.conversationId, [
      ...(number === 0 ? [created] : []),
      question(questionId, null, questionId),
      replyStarted(replyId, questionId),
    ]);
    print(`asked ${number}`);
    let length = 0;
    for (let checkpoint = 0; checkpoint < CHECKPOINTS; checkpoint++) {
      const text = pieceOf(number, checkpoint);
      await journal.append(options.conversationId, [grown(replyId, length, text)]);
      length += text.length;
      print(`grown ${number} ${length}`);
    }
    await journal.append(options.conversationId, [ended(replyId)]);
    print(`ended ${number}`);
  }
  await history.close();
  print("done");
}

/** Continues a reply in each turn, after the text that the turn has read. */
async function continueReply(
  journal: Journal,
  options: WindowOptions,
  replyId: string,
): Promise<void> {
  for (let number = 0; number < options.turns; number++) {
    const { conversation } = (await journal.load(options.conversationId))!;
    const reply = conversation.messages.get(replyId);
    const length = reply?.role === "assistant" ? reply.text.length : 0;
    const turnId = `${options.name}${number}`;
    const afterTurnId = conversation.turns?.writers.get(replyId)?.turnId;
    const own = { messageId: replyId, turnId };
    print(`after ${length}`);
    const steps: Step[] = [{ kind: "reply-continued", ...own, afterTurnId, length, atMs: 1 }];
    await journal.append(options.conversationId, steps);
    let offset = length;
    for (let checkpoint = 0; checkpoint < CHECKPOINTS; checkpoint++) {
      const text = `<${turnId}.${checkpoint}>`;
      await journal.append(options.conversationId, [
        { kind: "reply-grown", ...own, offset, text, atMs: 1 },
      ]);
      offset += text.length;
      print(`said ${text}`);
    }
    await journal.append(options.conversationId, [
      { kind: "reply-ended", ...own, atMs: 1, ending: { kind: "cut-short" } },
    ]);
  }
}

/** Prints synchronously, so that no line is lost when the process is killed. */
function print(line: string): void {
  writeSync(STDOUT, `${line}\n`);
}
