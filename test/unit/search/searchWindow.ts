/** Window with the list and the search of a history; several windows may share the files. */
import assert from "node:assert/strict";
import type { Clock } from "../../../src/base/clock";
import { silentLog } from "../../support/fakes/silentLog";
import type { Step } from "../../../src/conversation/conversation";
import { Removals } from "../../../src/history/removals";
import { indexOfBytes } from "../../../src/host/node/indexOfBytes";
import { ConversationList } from "../../../src/search/conversationList";
import { Search, type SearchAnswer, type SearchQuery } from "../../../src/search/search";
import { TextPacks } from "../../../src/search/textPacks";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { openJournal } from "../history/openJournal";
import { question } from "../history/turns";

export class SearchWindow {
  readonly list: ConversationList;
  readonly texts: TextPacks;
  readonly search: Search;
  readonly signal = new AbortController().signal;
  private readonly journal;

  /** @param minPackBytes size of texts that are written; less stay in memory */
  constructor(
    readonly files = new MemoryFileSystem(),
    clock: Clock = new ManualClock(),
    minPackBytes?: number,
  ) {
    this.journal = openJournal(files);
    this.list = new ConversationList(files, clock, silentLog);
    const removals = new Removals(files, clock);
    const { list, signal } = this;
    this.texts = new TextPacks(
      files,
      files,
      list,
      clock,
      silentLog,
      signal,
      removals,
      minPackBytes,
    );
    this.search = new Search(list, this.texts, clock, indexOfBytes);
  }

  async write(id: string, ...steps: Step[]): Promise<void> {
    await this.journal.append(id, steps);
  }

  /** Writes a conversation of questions; its time depends on the number in its id. */
  async ask(id: string, ...texts: string[]): Promise<void> {
    const atMs = Number(id.slice(1)) % 7;
    await this.write(
      id,
      ...texts.map((text, at) =>
        question(`${id}-${at}`, at ? `${id}-${at - 1}` : null, text, atMs),
      ),
    );
  }

  build(): Promise<void> {
    return this.texts.build(() => undefined);
  }

  async answers(text: string, more: Partial<SearchQuery> = {}): Promise<SearchAnswer[]> {
    const answers: SearchAnswer[] = [];
    const query = { text, maxHits: 1_000, ...more };
    for await (const answer of this.search.search(query, this.signal)) answers.push(answer);
    return answers;
  }

  /** Returns the last, complete answer. */
  async answer(text: string, more?: Partial<SearchQuery>): Promise<SearchAnswer> {
    const last = (await this.answers(text, more)).at(-1)!;
    assert.ok(last.isComplete);
    return last;
  }

  async count(text: string): Promise<number> {
    return (await this.answer(text)).foundCount;
  }

  /** Returns the ids of the conversations in an answer. */
  async found(text: string, more?: Partial<SearchQuery>): Promise<string[]> {
    return (await this.answer(text, more)).hits.map(({ entry }) => entry.id);
  }
}

/** Returns a text with ranges of it in brackets. */
export function bracketed(
  text: string,
  ranges: readonly (readonly [start: number, end: number])[],
): string {
  return [...ranges]
    .reverse()
    .reduce(
      (marked, [start, end]) =>
        `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
      text,
    );
}
