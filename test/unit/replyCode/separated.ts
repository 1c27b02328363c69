/** Replies as the service client returns them, with the thinking already separated. */
import { ReplyReader, type ReadStep, type ReplyOptions } from "../../../src/replyCode/readReply";
import {
  separateThinking,
  ThinkingTags,
  type SeparatedText,
} from "../../../src/service/thinkingTags";

export function answerOf(reply: string): string {
  return separateThinking(reply).text;
}

/** Separates the thinking and reads the answer in pieces, like a pending edit. */
export class SeparatedReader {
  reader: ReplyReader;
  private readonly tags = new ThinkingTags();

  constructor(private readonly options: ReplyOptions) {
    this.reader = new ReplyReader(options);
  }

  push(piece: string): ReadStep[] {
    return this.steps(this.tags.push(piece));
  }

  end(isWhole = true): ReadStep[] {
    return [...this.steps(this.tags.end()), this.reader.end(isWhole)];
  }

  private steps({ isEarlierTextReasoning, text }: SeparatedText): ReadStep[] {
    if (!isEarlierTextReasoning) return [this.reader.push(text)];
    this.reader = new ReplyReader(this.options);
    return [{ isRestart: true, lines: [] }, this.reader.push(text)];
  }
}
