/** Replies as the service client returns them, with the thinking already separated. */
import { ReplyFold, type FoldOptions, type FoldStep } from "../../../src/inline/replyFold";
import {
  separateThinking,
  ThinkingTags,
  type SeparatedText,
} from "../../../src/service/thinkingTags";

export function answerOf(reply: string): string {
  return separateThinking(reply).text;
}

/** Separates the thinking and folds the answer in pieces, like a pending edit. */
export class SeparatedFold {
  fold: ReplyFold;
  private readonly tags = new ThinkingTags();

  constructor(private readonly options: FoldOptions) {
    this.fold = new ReplyFold(options);
  }

  push(piece: string): FoldStep[] {
    return this.steps(this.tags.push(piece));
  }

  end(isWhole = true): FoldStep[] {
    return [...this.steps(this.tags.end()), this.fold.end(isWhole)];
  }

  private steps({ isEarlierTextReasoning, text }: SeparatedText): FoldStep[] {
    if (!isEarlierTextReasoning) return [this.fold.push(text)];
    this.fold = new ReplyFold(this.options);
    return [{ isRestart: true, lines: [], isPlaced: false }, this.fold.push(text)];
  }
}
