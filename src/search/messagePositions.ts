/** Finds the message at a position of the tokens in a segment. */

/** Positions in a block of the table that finds the message of a position. */
const POSITION_BITS = 12;

const MAX_POSITION = 2 ** 30;

/** Positions of the messages of a segment. */
export class MessagePositions {
  /** Position of each message, and the end of the last. */
  private readonly starts: Uint32Array;
  /** First message that ends in each block of positions or later. */
  private readonly messageOfBlock: Uint32Array;

  constructor(positionCounts: readonly number[]) {
    this.starts = sums(positionCounts);
    let message = 0;
    this.messageOfBlock = new Uint32Array((this.end >> POSITION_BITS) + 1);
    for (let block = 0; block < this.messageOfBlock.length; block++) {
      while (this.endOf(message) <= block << POSITION_BITS) message++;
      this.messageOfBlock[block] = message;
    }
  }

  /** End of the last message. */
  get end(): number {
    return this.starts.at(-1) ?? 0;
  }

  /** Returns the end (exclusive) of a message. Always a small integer, which is faster than infinity. */
  endOf(message: number): number {
    return this.starts[message + 1] ?? MAX_POSITION;
  }

  /** Returns the message at a position. */
  messageAt(position: number): number {
    let message = this.messageOfBlock[position >> POSITION_BITS] ?? 0;
    while (this.endOf(message) <= position) message++;
    return message;
  }
}

/** Returns the sums of the first 0, 1, 2 … numbers. */
export function sums(numbers: readonly number[]): Uint32Array {
  const all = new Uint32Array(numbers.length + 1);
  let sum = 0;
  for (const [at, number] of numbers.entries()) all[at + 1] = sum += number;
  return all;
}
