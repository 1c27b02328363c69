/**
 * The shown path of a conversation as a Markdown document, with its pictures as data URLs or as
 * files beside it. What anybody wrote stays text: a reply's own Markdown shows, but its HTML does
 * not act, no picture is loaded from elsewhere, and an open code fence ends with its message.
 */
import { toBase64 } from "../base/base64";
import { shownPath, titleOf, type Conversation } from "./conversation";
import type { PictureSource } from "./exportJson";
import { fencedCode, inlineCode, oneLine, plainMarkdown, quoted } from "./markdownText";
import { isWithdrawn, type ExcerptPart, type ImagePart, type Message, type Part } from "./message";

/** What stands in the document beside what was said; in the person's language. */
export interface ExportMessages {
  readonly untitled: string;
  readonly you: string;
  readonly assistant: string;
  /** In place of a picture whose bytes are gone, by its name. */
  readonly missingPicture: (name: string) => string;
  /** In place of text that the service withheld. */
  readonly withheld: string;
  /** Under a reply that did not come whole. */
  readonly unfinished: string;
  /** Where messages could not be read. */
  readonly gapBefore: string;
  /** Under a reply with text in the middle that could not be read. */
  readonly gapInside: string;
}

/** True when the shown path holds a picture that can go along. */
export function holdsPictures(conversation: Conversation): boolean {
  return shownPath(conversation).some(
    (message) => message.role === "user" && message.parts.some(({ kind }) => kind === "image"),
  );
}

/** How pictures travel: inside the document, or as files in a folder beside it. */
export type PictureTarget =
  { readonly kind: "inside" } | { readonly kind: "beside"; readonly folder: string };

/** A file to be written beside the document. */
export interface ExportedFile {
  /** Relative to the document, `/` between names; letters, digits, dots, dashes and underscores. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The document and its files. */
export interface MarkdownExport {
  readonly markdown: string;
  readonly files: readonly ExportedFile[];
}

/** Digits of the hash in a picture's file name; enough for the pictures of one conversation. */
const HASH_DIGITS = 16;

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/bmp", "bmp"],
]);

/** Makes the document. Rejects only with what `readPicture` rejects with. */
export async function exportMarkdown(
  conversation: Conversation,
  place: PictureTarget,
  words: ExportMessages,
  readPicture: PictureSource,
): Promise<MarkdownExport> {
  const files = new Map<string, ExportedFile>();

  async function picture(part: ImagePart): Promise<string> {
    const bytes = await readPicture(part.hash);
    const ending = ENDINGS.get(part.mediaType);
    if (bytes === undefined || ending === undefined) {
      return oneLine(words.missingPicture(part.name));
    }
    if (place.kind === "inside") {
      return image(part.name, `data:${part.mediaType};base64,${toBase64(bytes)}`);
    }
    const path = `${safeFolder(place.folder)}/${part.hash.slice(0, HASH_DIGITS)}.${ending}`;
    files.set(path, { path, bytes });
    return image(part.name, encodeURI(path));
  }

  async function partText(part: Part): Promise<string> {
    switch (part.kind) {
      case "text":
        return quoted(plainMarkdown(part.text));
      case "image":
        return picture(part);
      case "image-address":
        return inlineCode(part.url);
      case "excerpt":
        return excerptText(part);
      case "note":
        return quoted(`${oneLine(part.label)}\n\n${fencedCode(part.text, "")}`);
      default:
        return part satisfies never;
    }
  }

  async function messageText(message: Message): Promise<string[]> {
    if (message.role === "user") {
      return [`## ${words.you}`, ...(await Promise.all(message.parts.map(partText)))];
    }
    const head = `## ${words.assistant}`;
    if (isWithdrawn(message)) return [head, `*${oneLine(words.withheld)}*`];
    const calls = (message.toolCalls ?? []).map((call) =>
      fencedCode(`${call.name}(${call.argumentsText})`, ""),
    );
    const kind = message.ending?.kind;
    const isWhole = kind === "complete" || kind === "tool-calls";
    const tail = isWhole ? [] : [`*${oneLine(words.unfinished)}*`];
    if (message.hasGap) tail.unshift(`*${oneLine(words.gapInside)}*`);
    return [head, ...(message.text === "" ? [] : [plainMarkdown(message.text)]), ...calls, ...tail];
  }

  const blocks = [`# ${oneLine(titleOf(conversation) ?? "") || words.untitled}`];
  for (const message of shownPath(conversation)) {
    if (message.followsGap) blocks.push(`*${oneLine(words.gapBefore)}*`);
    blocks.push(...(await messageText(message)));
  }
  return { markdown: blocks.join("\n\n") + "\n", files: [...files.values()] };
}

function excerptText(part: ExcerptPart): string {
  const { startLine, endLine } = part;
  const lines = startLine === undefined ? "" : `:${startLine}-${endLine ?? startLine}`;
  return `${inlineCode(part.path + lines)}\n\n${fencedCode(part.text, part.languageId)}`;
}

function image(name: string, target: string): string {
  return `![${oneLine(name)}](${target})`;
}

/** A folder name that means the same folder wherever the document lies. */
function safeFolder(folder: string): string {
  const safe = folder
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, "");
  return safe === "" ? "pictures" : safe;
}
