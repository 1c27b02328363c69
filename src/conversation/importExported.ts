/**
 * Our own JSON back into steps. Everything is checked before anything is believed: that messages
 * follow those they answer, and that each picture's bytes are those its hash names.
 */
import { fromBase64 } from "../base/base64";
import { applySteps, emptyConversation, type Step } from "./conversation";
import { exportSchema, pictureHashes } from "./exportJson";
import type { ImportedPicture, ImportPorts, ImportResult } from "./importFile";
import type { Message } from "./message";
import { joinOrphans } from "./orphans";
import { stepsOf } from "./stepsOf";

const DAMAGED: ImportResult = { kind: "refused", reason: "damaged" };
const SAFE_ID = /^[\w-]{1,64}$/;
const SHA_256 = /^[0-9a-f]{64}$/;

/** Takes over a file that says it is ours. */
export async function importExported(json: unknown, ports: ImportPorts): Promise<ImportResult> {
  const parsed = exportSchema.safeParse(json);
  if (!parsed.success || !areWellOrdered(parsed.data.messages)) return DAMAGED;
  const { messages, leafId, title, workspace, createdAtMs } = parsed.data;
  const { isPinned, model, parameters } = parsed.data;
  if (messages.length === 0) return { kind: "refused", reason: "empty" };
  if (leafId !== null && !messages.some((message) => message.id === leafId)) return DAMAGED;
  const hashes = pictureHashes(messages);
  const pictures: ImportedPicture[] = [];
  for (const [hash, base64] of Object.entries(parsed.data.pictures)) {
    const bytes = SHA_256.test(hash) ? fromBase64(base64) : undefined;
    if (bytes === undefined || (await ports.hashOf(bytes)) !== hash) return DAMAGED;
    if (hashes.has(hash)) pictures.push({ hash, bytes });
  }
  for (const hash of hashes) if (!SHA_256.test(hash)) return DAMAGED;
  const id = ports.newId();
  const steps: Step[] = [
    { kind: "created", id, atMs: createdAtMs, ...(workspace !== undefined && { workspace }) },
    ...messages.map((message) => ({ kind: "message-added" as const, message })),
    { kind: "path-chosen", leafId },
    ...(title === undefined ? [] : [{ kind: "titled" as const, title }]),
    ...(isPinned ? [{ kind: "pinned" as const, isPinned }] : []),
    ...(model ? [{ kind: "model-chosen" as const, model }] : []),
    ...(parameters ? [{ kind: "parameters-chosen" as const, parameters }] : []),
  ];
  return {
    kind: "imported",
    id,
    // Written as a window would have written them, a reply's text in a record of its own.
    steps: stepsOf(joinOrphans(applySteps(emptyConversation(id, createdAtMs), steps))),
    pictures,
    leftOut: { pictures: hashes.size - pictures.length, messages: 0 },
  };
}

/**
 * True when ids are plain and unlike, and each message stands behind the one it answers. Some
 * versions exported messages whose parent could not be read; such a parent is not in the file.
 */
function areWellOrdered(messages: readonly Message[]): boolean {
  const seen = new Set<string>();
  const all = new Set(messages.map(({ id }) => id));
  for (const { id, parentId } of messages) {
    if (!SAFE_ID.test(id) || seen.has(id)) return false;
    if (parentId !== null && all.has(parentId) && !seen.has(parentId)) return false;
    seen.add(id);
  }
  return true;
}
