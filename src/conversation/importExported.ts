/**
 * Import of Core Chat's JSON export. Validates the order of messages, the hashes of pictures and the
 * range of numbers. Pictures are cleaned, because the file may come from anywhere.
 */
import * as z from "zod/mini";
import { fromBase64 } from "../base/base64";
import { parseJson } from "../base/parseJson";
import { applySteps, emptyConversation, type Step } from "./conversation";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  exportSchema,
  pictureHashes,
  withoutOriginal,
} from "./exportJson";
import type { ImportOptions, ImportRefusal, ImportResult } from "./importResult";
import { messageSchema, type ImagePart, type Message, type Part } from "./message";
import { joinOrphans } from "./orphans";
import { addedKind, toSteps } from "./toSteps";

const DAMAGED: ImportResult = { kind: "refused", reason: "damaged" };
const WEB_ADDRESS = /^https?:\/\//i;
const SAFE_ID = /^[\w-]{1,64}$/;
const SHA_256 = /^[0-9a-f]{64}$/;

/** Types of pictures that are sent to the service. */
const SENT_TYPE = /^image\/(?:png|jpeg|webp|gif)$/;

/** Maximum of all numbers: the last time of a `Date`, in milliseconds. */
const MAX_NUMBER = 8_640_000_000_000_000;

/** Limits of a picture without bytes in the file: side in pixels, and size in bytes. */
const MAX_SIDE_PX = 100_000;
const MAX_PICTURE_BYTES = 1_000_000_000;

const headSchema = z.object({ format: z.literal(EXPORT_FORMAT), version: z.unknown() });

/** Imports the text of a file. Never rejects because of the content. */
export async function importExported(text: string, options: ImportOptions): Promise<ImportResult> {
  const { slice } = options;
  const json = parseJson(text);
  await slice.pause();
  const parsed = exportSchema.safeParse(json);
  await slice.pause();
  if (!parsed.success) return { kind: "refused", reason: refusalOf(json) };
  const { leafId, title, workspace, createdAtMs } = parsed.data;
  const messages: Message[] = [];
  for (const item of parsed.data.messages) {
    const message = messageSchema.safeParse(item);
    if (!message.success || !areValidNumbers(message.data)) return DAMAGED;
    messages.push(message.data);
    const pause = slice.pause();
    if (pause) await pause;
  }
  if (!areValidNumbers(createdAtMs) || !areOrdered(messages)) return DAMAGED;
  await slice.pause();
  const { isPinned, model, sending = [] } = parsed.data;
  const { systemPrompt, ...parameters } = parsed.data.parameters ?? {};
  if (messages.length === 0) return { kind: "refused", reason: "empty" };
  if (leafId !== null && !messages.some(({ id, isAside }) => id === leafId && isAside !== true))
    return DAMAGED;
  const hashes = pictureHashes(messages);
  // Cleaned picture by hash; undefined for a picture that is refused.
  const cleaned = new Map<string, Partial<ImagePart> | undefined>();
  const pictures = new Map<string, Uint8Array>();
  for (const [hash, base64] of Object.entries(parsed.data.pictures)) {
    if (!SHA_256.test(hash)) return DAMAGED;
    if (!hashes.has(hash)) continue;
    const bytes = fromBase64(base64);
    const isIntact = bytes !== undefined && (await options.hashOf(bytes)) === hash;
    const clean = isIntact ? options.cleanPicture(bytes) : undefined;
    if (clean === undefined) {
      cleaned.set(hash, undefined);
      continue;
    }
    const { mediaType, widthPx, heightPx } = clean;
    const newHash = await options.hashOf(clean.bytes);
    pictures.set(newHash, clean.bytes);
    const size = { widthPx, heightPx, bytes: clean.bytes.length };
    cleaned.set(hash, { hash: newHash, mediaType, ...size });
  }
  let picturesLeftOut = 0;
  for (const hash of hashes) {
    if (!SHA_256.test(hash)) return DAMAGED;
    if (cleaned.get(hash) === undefined) picturesLeftOut++;
  }
  const cleanPart = (part: Part): Part[] => {
    if (part.kind === "image-address" && !WEB_ADDRESS.test(part.url)) {
      picturesLeftOut++;
      return [];
    }
    if (part.kind !== "image") return [part];
    const image = withoutOriginal(part);
    // A picture without bytes in the file stays, and is shown as missing.
    if (!cleaned.has(part.hash)) return SENT_TYPE.test(part.mediaType) ? [image] : [];
    const clean = cleaned.get(part.hash);
    return clean === undefined ? [] : [{ ...image, ...clean }];
  };
  // Choices name a picture by its hash, which cleaning changes, or by its address.
  const newKey = (key: string) => cleaned.get(key)?.hash ?? key;
  const cleanMessages = messages.map((message) => {
    if (message.role !== "user") return message;
    const { leavesPictures } = message;
    const parts = message.parts.flatMap(cleanPart);
    return {
      ...message,
      parts,
      ...(leavesPictures && { leavesPictures: leavesPictures.map(newKey) }),
    };
  });
  const id = options.newId();
  const steps: Step[] = [
    { kind: "created", id, atMs: createdAtMs, ...(workspace !== undefined && { workspace }) },
    ...cleanMessages.map((message) => ({ kind: addedKind(message), message })),
    { kind: "path-chosen", leafId },
    ...(title === undefined ? [] : [{ kind: "titled" as const, title }]),
    ...(isPinned ? [{ kind: "pinned" as const, isPinned }] : []),
    ...(model ? [{ kind: "model-chosen" as const, model }] : []),
    ...(Object.keys(parameters).length > 0
      ? [{ kind: "parameters-chosen" as const, parameters }]
      : []),
    ...sending.map((step) =>
      "picture" in step && step.picture !== undefined
        ? { ...step, picture: newKey(step.picture) }
        : step,
    ),
  ];
  await slice.pause();
  const conversation = applySteps(emptyConversation(id, createdAtMs), steps);
  await slice.pause();
  return {
    kind: "imported",
    id,
    // `toSteps` writes the same records as a window, with a reply's text in a separate record.
    steps: toSteps(joinOrphans(conversation)),
    pictures: [...pictures].map(([hash, bytes]) => ({ hash, bytes })),
    ...(systemPrompt !== undefined &&
      systemPrompt.trim() !== "" && { parametersWithPrompt: { ...parameters, systemPrompt } }),
    picturesLeftOut,
  };
}

function refusalOf(json: unknown): ImportRefusal {
  if (json === undefined) return "not-json";
  const head = headSchema.safeParse(json);
  if (!head.success) return "foreign";
  const { version } = head.data;
  return typeof version === "number" && version > EXPORT_VERSION ? "newer" : "damaged";
}

/**
 * True if ids are safe and unique, and each message follows its parent. A parent may be missing,
 * because some versions exported messages with an unreadable parent.
 */
function areOrdered(messages: readonly Message[]): boolean {
  const seen = new Set<string>();
  const all = new Set(messages.map(({ id }) => id));
  for (const { id, parentId } of messages) {
    if (!SAFE_ID.test(id) || seen.has(id)) return false;
    if (parentId !== null && all.has(parentId) && !seen.has(parentId)) return false;
    seen.add(id);
  }
  return true;
}

/** True if every number is a possible time, count or size. */
function areValidNumbers(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) <= MAX_NUMBER;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(areValidNumbers) && (!isImage(value) || hasValidSize(value));
}

function isImage(value: object): value is ImagePart {
  return "kind" in value && value.kind === "image";
}

function hasValidSize({ widthPx, heightPx, bytes }: ImagePart): boolean {
  const isWithin = (number: number, max: number): boolean =>
    Number.isInteger(number) && number >= 1 && number <= max;
  return (
    isWithin(widthPx, MAX_SIDE_PX) &&
    isWithin(heightPx, MAX_SIDE_PX) &&
    isWithin(bytes, MAX_PICTURE_BYTES)
  );
}
