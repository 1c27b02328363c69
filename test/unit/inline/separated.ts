/** Replies as the service client hands them on: without thinking, which it separates. */
import { ReplyFold, type FoldOptions, type FoldStep } from "../../../src/inline/replyFold";
import {
  separateThinking,
  ThinkingTags,
  type SeparatedText,
} from "../../../src/service/thinkingTags";

export function answerOf(reply: string): string {
  return separateThinking(reply).text;
}

/** Folds a reply in pieces behind the separation, like a pending edit. */
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
