/**
 * Files of drafts. Files are never overwritten: each write creates a file that names the files it
 * replaces, then removes those. Two windows that write at once leave two files, so no text is lost.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import { newId } from "../base/id";
import { defined } from "../base/defined";
import { describeError, type Log } from "../base/log";
import {
  draftSchema,
  mergeDrafts,
  otherText,
  queuedSchema,
  type Draft,
} from "../conversation/draft";
import type { FileSystem } from "./fileSystem";
import { draftConversationOf, draftName, DRAFTS_FOLDER } from "./paths";

const fileSchema = z.extend(draftSchema, {
  /** Names of older files whose content is in this file. */
  replaces: z._default(z.array(z.string()), []),
  /** Texts of earlier builds, which had several in place of `other`. */
  others: z._default(z.array(z.string()), []),
  queued: z._default(
    // Earlier builds had the text of an edit that was not applied.
    z.array(z.extend(queuedSchema, { edited: z.optional(z.string()) })),
    [],
  ),
});
type DraftFile = z.infer<typeof fileSchema>;

/** Attempts to read the folder while another window writes to it. */
const MAX_ATTEMPTS = 20;

/** Merged content of several files. */
export interface FoundDraft {
  readonly draft: Draft;
  /** Names of the files in the draft; files without a readable text are left out and stay on disk. */
  readonly names: readonly string[];
  /** Names of the files, on disk or not, whose content is in newer ones. */
  readonly replaced: ReadonlySet<string>;
}

/** Reads and writes draft files. Every call rejects with the file system's error. */
export class DraftFiles {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Returns the names of a conversation's files, oldest first. */
  async names(conversationId: string): Promise<string[]> {
    return (await this.namesByConversation()).get(conversationId) ?? [];
  }

  /** Returns the names of each conversation's files, oldest first. */
  async namesByConversation(): Promise<Map<string, string[]>> {
    const namesById = new Map<string, string[]>();
    for (const name of [...(await this.files.list(DRAFTS_FOLDER))].sort(byAge)) {
      const id = draftConversationOf(name);
      if (id === undefined) continue;
      const names = namesById.get(id);
      if (names) names.push(name);
      else namesById.set(id, [name]);
    }
    return namesById;
  }

  async read(conversationId: string): Promise<FoundDraft> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const draft = await this.readAll(await this.names(conversationId));
      if (draft) return draft;
    }
    throw new Error("another window kept writing");
  }

  /** Writes a draft in place of older files. Returns the names of the files to replace next. */
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
      // The new file names them as replaced, so they are ignored; the next write removes them.
      this.log.warn(`history: an old draft could not be removed (${describeError(error)})`);
      return [...replaced, name];
    }
  }

  /** Removes files of a conversation, oldest first: newer files name the older as replaced. */
  async remove(conversationId: string, names: readonly string[]): Promise<void> {
    for (const name of [...names].sort(byAge)) {
      if (draftConversationOf(name) === conversationId) await this.files.remove(pathOf(name));
    }
  }

  /** Removes the files of a conversation that newer ones replace, which a crash left. */
  async removeReplaced(conversationId: string): Promise<void> {
    const { replaced } = await this.read(conversationId);
    await this.remove(conversationId, [...replaced]);
  }

  /** Returns undefined if a file is gone because another window replaced it. */
  async readAll(names: readonly string[]): Promise<FoundDraft | undefined> {
    const parsedFiles = new Map<string, DraftFile>();
    for (const name of names) {
      const bytes = await this.files.read(pathOf(name));
      if (bytes === undefined) return undefined;
      const parsed = await this.parse(bytes);
      if (parsed) parsedFiles.set(name, parsed);
    }
    const replaced = new Set([...parsedFiles.values()].flatMap(({ replaces }) => replaces));
    const heads = [...parsedFiles].filter(([name]) => !replaced.has(name));
    return {
      draft: mergeDrafts(heads.map(([, file]) => draftOf(file))),
      names: [...parsedFiles.keys()],
      replaced,
    };
  }

  /** Returns undefined for a file without a readable text; the file stays. */
  private async parse(bytes: Uint8Array): Promise<DraftFile | undefined> {
    const text = new TextDecoder().decode(bytes);
    try {
      return fileSchema.parse(JSON.parse(text));
    } catch (error) {
      // The message of a JSON error quotes the draft, so only the error's name is logged.
      const kind = error instanceof Error ? error.name : "unknown";
      this.log.warn(`history: a draft is damaged or has an unknown format (${kind})`);
      return (await import("./salvagedDraft")).salvagedDraft(text);
    }
  }
}

function draftOf(file: DraftFile): Draft {
  const { text, attached, editing, workspace, fields } = file;
  const edits = file.queued.map(({ edited }) => edited);
  return {
    text,
    attached,
    queued: file.queued.map(({ id, parts }) => ({ id, parts })),
    ...defined({ editing, workspace, fields }),
    ...defined({ other: otherText(text, [...file.others, file.other, ...edits]) }),
  };
}

function pathOf(name: string): string {
  return `${DRAFTS_FOLDER}/${name}`;
}

/** Sorts names of version 1, which have no time, before the others. */
function byAge(one: string, other: string): number {
  return one.split(".").length - other.split(".").length || (one < other ? -1 : 1);
}
