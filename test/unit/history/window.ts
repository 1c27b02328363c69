/**
 * A window that runs as a separate process. It writes turns into a journal on a real disk and
 * prints each step after saving, so that a test that kills the process knows which data must exist.
 */
import { writeSync } from "node:fs";
import { systemClock } from "../../../src/base/clock";
import { silentLog } from "../../support/fakes/silentLog";
import { History } from "../../../src/history/history";
import { nodeFileSystem } from "../../../src/host/node/nodeFileSystem";
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
  /** True for a folder that only writes whole files. */
  readonly isForeign?: boolean;
}

/** Writes the turns in sequence. */
export async function runWindow(options: WindowOptions): Promise<void> {
  const filesAt = options.isForeign === true ? wholeFilesAt : nodeFileSystem;
  const history = new History(filesAt(options.root), systemClock, silentLog);
  const { journal, pictures } = history;
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

/** Prints synchronously, so that no line is lost when the process is killed. */
function print(line: string): void {
  writeSync(STDOUT, `${line}\n`);
}
