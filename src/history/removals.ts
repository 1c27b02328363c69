/**
 * Records of what the user removed for ever, a file for each removal. A record is written before anything
 * is removed, so that the next window can finish, and stays afterwards: a window that still has a removed
 * conversation in memory, or a sync program, must not bring it back. Holds ids only, and the hashes of
 * pictures until they are removed.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import { newId } from "../base/id";
import { parseJson } from "../base/parseJson";
import { stepSchema, type Step } from "../conversation/conversation";
import type { FileSystem } from "./fileSystem";
import { REMOVED_FOLDER } from "./paths";

const removalSchema = z.object({
  /** Ids of conversations that are removed with their drafts. */
  conversations: z._default(z.array(z.string()), []),
  /** Conversations of which messages or pictures are forgotten, with the steps that say so. */
  forgotten: z._default(
    z.array(
      z.object({
        id: z.string(),
        steps: z.array(stepSchema),
        /** Size of the conversation's file with these steps, in bytes; 0 until they are written. */
        fileBytes: z.number(),
      }),
    ),
    [],
  ),
  /** Pictures to remove unless something else uses them. */
  pictures: z._default(
    z.array(
      z.object({
        hash: z.string(),
        /** Time of the latest write of the picture that belongs to what is removed. */
        storedBeforeMs: z.number(),
      }),
    ),
    [],
  ),
  isDone: z.boolean(),
});
export type Removal = Readonly<z.infer<typeof removalSchema>>;

/** Attempts to read the records while other windows replace them. */
const MAX_ATTEMPTS = 20;

/** Removal that is not finished, with the name of its record. */
export interface PendingRemoval {
  readonly name: string;
  readonly removal: Removal;
}

/** Removals of all windows; each window has its own object. */
export class Removals {
  private readonly removed = new Set<string>();
  /** Least size of the file of each conversation with forgotten messages, in bytes. */
  private readonly minBytes = new Map<string, number>();
  /** Steps that forget messages or pictures, by conversation. */
  private readonly forgotten = new Map<string, Map<string, Step>>();
  private readonly readNames = new Set<string>();
  private changes = 0;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
  ) {}

  /** Ids of the conversations that this window knows to be removed; `read` updates them. */
  get knownIds(): ReadonlySet<string> {
    return this.removed;
  }

  /** Number of changes of what `isOutdated` returns; `read` updates it. */
  get changeCount(): number {
    return this.changes;
  }

  /** Reads the records of other windows. Rejects as the file system. */
  async read(): Promise<PendingRemoval[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const pending = await this.readListed();
      if (pending) return pending;
    }
    throw new Error("another window kept writing records of deletions");
  }

  /** Returns undefined if another window replaced a record meanwhile. */
  private async readListed(): Promise<PendingRemoval[] | undefined> {
    const pending: PendingRemoval[] = [];
    for (const name of await this.files.list(REMOVED_FOLDER)) {
      if (this.readNames.has(name) || !name.endsWith(".json")) continue;
      const bytes = await this.files.read(pathOf(name));
      if (bytes === undefined) return undefined;
      const removal = parse(bytes);
      if (removal === undefined) continue;
      this.learn(removal);
      if (removal.isDone) this.readNames.add(name);
      else pending.push({ name, removal });
    }
    return pending;
  }

  /** True if a conversation was removed for ever by any window. Rejects as the file system. */
  async has(conversationId: string): Promise<boolean> {
    if (!this.removed.has(conversationId)) await this.read();
    return this.removed.has(conversationId);
  }

  /** True for content of a conversation that was removed, or was read before messages were forgotten. */
  isOutdated(conversationId: string, fileBytes: number): boolean {
    return this.removed.has(conversationId) || fileBytes < (this.minBytes.get(conversationId) ?? 0);
  }

  async begin(removal: Omit<Removal, "isDone">): Promise<PendingRemoval> {
    return this.write({ ...removal, isDone: false });
  }

  /**
   * Replaces the record of a removal. Each record has a new name, because on a folder without append a
   * write that is cut off damages the file.
   */
  async update(former: PendingRemoval, removal: Removal): Promise<PendingRemoval> {
    const written = await this.write(removal);
    await this.files.remove(pathOf(former.name));
    return written;
  }

  /** Returns the steps that forget messages of a conversation; `read` updates them. */
  forgottenSteps(conversationId: string): Step[] {
    return [...(this.forgotten.get(conversationId)?.values() ?? [])];
  }

  private async write(removal: Removal): Promise<PendingRemoval> {
    const name = `${newId(this.clock.nowMs())}.json`;
    await this.files.replace(pathOf(name), new TextEncoder().encode(JSON.stringify(removal)));
    this.learn(removal);
    if (removal.isDone) this.readNames.add(name);
    return { name, removal };
  }

  private learn({ conversations, forgotten }: Removal): void {
    for (const id of conversations) {
      if (!this.removed.has(id)) this.changes++;
      this.removed.add(id);
    }
    for (const { id, steps, fileBytes } of forgotten) {
      const stepsOfConversation = this.forgotten.get(id) ?? new Map<string, Step>();
      for (const step of steps) {
        if (step.kind === "forgotten") stepsOfConversation.set(step.message.id, step);
        if (step.kind === "pictures-forgotten")
          stepsOfConversation.set(`pictures ${step.messageIds[0]}`, step);
      }
      this.forgotten.set(id, stepsOfConversation);
      if (fileBytes <= (this.minBytes.get(id) ?? 0)) continue;
      this.changes++;
      this.minBytes.set(id, fileBytes);
    }
  }
}

function pathOf(name: string): string {
  return `${REMOVED_FOLDER}/${name}`;
}

/** Returns undefined for a file that this version cannot read; the file stays. */
function parse(bytes: Uint8Array): Removal | undefined {
  return removalSchema.safeParse(parseJson(new TextDecoder().decode(bytes))).data;
}
