/**
 * The files of drafts. A file is never written over: each write makes a new one, which names those
 * it takes the place of, and then removes them. So two windows that write the draft of one
 * conversation at once leave two files, whatever comes between, and nothing is lost.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import { draftSchema, mergeDrafts, type Draft } from "./draft";
import type { FileSystem } from "./fileSystem";
import { draftConversationOf, draftName, draftWrittenAtMs, DRAFTS_FOLDER } from "./paths";

const fileSchema = z.extend(draftSchema, {
  /** Names of files that hold nothing that is not in this one. */
  replaces: z._default(z.array(z.string()), []),
});

/** How often the folder is looked at again when another window writes meanwhile. */
const MAX_LOOKS = 20;

/** Everything that files hold, as one. */
export interface FoundDraft {
  readonly draft: Draft;
  /** The files' names; one that cannot be understood is not among them, and stays. */
  readonly names: readonly string[];
}

/** Every call throws what the disk throws. */
export class DraftFiles {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Names of the files there are for a conversation, the oldest first. */
  async names(conversationId: string): Promise<string[]> {
    const names = await this.files.list(DRAFTS_FOLDER);
    const isItsOwn = (name: string) => draftConversationOf(name) === conversationId;
    return names.filter(isItsOwn).sort(byAge);
  }

  /** Conversations that have a file, and when the newest of each was written; 0 if not known. */
  async newestByConversation(): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    for (const name of await this.files.list(DRAFTS_FOLDER)) {
      const id = draftConversationOf(name);
      if (id === undefined) continue;
      newest.set(id, Math.max(newest.get(id) ?? 0, draftWrittenAtMs(name)));
    }
    return newest;
  }

  /** Reads the files of a conversation, without those that are passed over. */
  async read(
    conversationId: string,
    isPassedOver: (name: string) => boolean = () => false,
  ): Promise<FoundDraft> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const names = (await this.names(conversationId)).filter((name) => !isPassedOver(name));
      const found = await this.readAll(names);
      if (found) return found;
    }
    throw new Error("another window kept writing");
  }

  /** Writes a draft in the place of the files named; gives the names that hold it now. */
  async write(
    conversationId: string,
    draft: Draft,
    replaced: readonly string[],
  ): Promise<readonly string[]> {
    const name = draftName(conversationId, newId(this.clock.nowMs()));
    const bytes = new TextEncoder().encode(JSON.stringify({ ...draft, replaces: replaced }));
    await this.files.replace(pathOf(name), bytes);
    try {
      await this.remove(conversationId, replaced);
      return [name];
    } catch (error) {
      // Nobody takes them for drafts any more; the next write tries again.
      this.log.warn(`history: an old draft was not removed (${describeError(error)})`);
      return [...replaced, name];
    }
  }

  /** Removes files of a conversation; the older first, as the younger say what they are. */
  async remove(conversationId: string, names: readonly string[]): Promise<void> {
    for (const name of [...names].sort(byAge)) {
      if (draftConversationOf(name) === conversationId) await this.files.remove(pathOf(name));
    }
  }

  /** Undefined when one of them is gone: another window has written in its place. */
  private async readAll(names: readonly string[]): Promise<FoundDraft | undefined> {
    const read = new Map<string, z.infer<typeof fileSchema>>();
    for (const name of names) {
      const bytes = await this.files.read(pathOf(name));
      if (bytes === undefined) return undefined;
      const parsed = this.parse(bytes);
      if (parsed) read.set(name, parsed);
    }
    const replaced = new Set([...read.values()].flatMap(({ replaces }) => replaces));
    const heads = [...read].filter(([name]) => !replaced.has(name));
    return {
      draft: mergeDrafts(heads.map(([, found]) => found)),
      names: [...read.keys()],
    };
  }

  /** What another version wrote, or what was damaged, is left as it is. */
  private parse(bytes: Uint8Array): z.infer<typeof fileSchema> | undefined {
    try {
      return fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      // The message of a JSON error quotes what was typed.
      const kind = error instanceof Error ? error.name : "unknown";
      this.log.warn(`history: a draft could not be understood (${kind})`);
      return undefined;
    }
  }
}

function pathOf(name: string): string {
  return `${DRAFTS_FOLDER}/${name}`;
}

/** The name of the first version, which has no time in it, sorts before the others. */
function byAge(one: string, other: string): number {
  return one.split(".").length - other.split(".").length || (one < other ? -1 : 1);
}
