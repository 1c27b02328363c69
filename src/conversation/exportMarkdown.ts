/**
 * Export of the shown path as a Markdown document, with pictures as files next to it. A reply's
 * Markdown stays; HTML and external pictures are escaped, and an open code fence is closed.
 */
import { asidesOf, type Aside } from "./asides";
import type { Conversation } from "./conversation";
import { shownPath } from "./paths";
import { titleOf } from "./title";
import type { PictureSource } from "./exportJson";
import { fencedCode, inlineCode, oneLine, plainMarkdown, quoted } from "./markdownText";
import { sendingState } from "./sending";
import {
  isWithdrawn,
  type ExcerptPart,
  type ImagePart,
  type ReplyPicture,
  type Message,
  type Part,
} from "./message";

/** Headings and notes of the document, in the user's language. */
export interface ExportMessages {
  readonly untitled: string;
  readonly you: string;
  readonly assistant: string;
  readonly missingPicture: (name: string) => string;
  readonly pictureNotShown: (picture: Extract<ReplyPicture, { kind: "not-shown" }>) => string;
  /** Placeholder of withheld text. */
  readonly withheld: string;
  /** Note under an incomplete reply. */
  readonly unfinished: string;
  /** Heading of the thinking before a reply. */
  readonly thinking: string;
  /** Heading of the summary that is sent in place of older messages; below those messages. */
  readonly summary: (messageCount: number) => string;
  /** Heading of a question that was asked aside, with its answer; below the message it is about. */
  readonly aside: string;
  /** Note in place of unreadable messages. */
  readonly gapBefore: string;
  /** Note under a reply with unreadable text in the middle. */
  readonly gapInside: string;
}

/** True if a reply of the conversation has thinking that an export can include. */
export function holdsThinking({ messages }: Conversation): boolean {
  return [...messages.values()].some(
    (message) => message.role === "assistant" && message.thinking && !isWithdrawn(message),
  );
}

export interface ExportedFile {
  /** Path relative to the document, with `/`; letters, digits, dots, dashes and underscores. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Digits of the hash in a file name; enough for the pictures of a conversation. */
const HASH_DIGITS = 16;

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/bmp", "bmp"],
]);

/**
 * Creates the document. Rejects only with an error of `readPicture`.
 * @param folder name of the folder for the pictures
 * @param isWithThinking true to put the thinking of replies before them, as a quotation
 */
export async function exportMarkdown(
  conversation: Conversation,
  folder: string,
  labels: ExportMessages,
  readPicture: PictureSource,
  isWithThinking = false,
) {
  const files = new Map<string, ExportedFile>();

  async function picture(part: ImagePart): Promise<string> {
    const bytes = await readPicture(part.hash);
    const extension = EXTENSIONS.get(part.mediaType);
    if (bytes === undefined || extension === undefined) {
      return oneLine(labels.missingPicture(part.name));
    }
    const path = `${safeFolder(folder)}/${part.hash.slice(0, HASH_DIGITS)}.${extension}`;
    files.set(path, { path, bytes });
    return image(part.name, encodeURI(path));
  }

  async function madePicture(made: ReplyPicture): Promise<string> {
    return made.kind === "image" ? picture(made) : oneLine(labels.pictureNotShown(made));
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
      case "related":
        return part.items.map(excerptText).join("\n\n");
      case "note":
        return quoted(`${oneLine(part.label)}\n\n${fencedCode(part.text, "")}`);
      default:
        return part satisfies never;
    }
  }

  async function messageText(message: Message): Promise<string[]> {
    if (message.role === "user") {
      return [`## ${labels.you}`, ...(await Promise.all(message.parts.map(partText)))];
    }
    const head = `## ${labels.assistant}`;
    if (isWithdrawn(message)) return [head, `*${oneLine(labels.withheld)}*`];
    const calls = (message.toolCalls ?? []).map((call) =>
      fencedCode(`${call.name}(${call.argumentsText})`, ""),
    );
    const kind = message.ending?.kind;
    const isWhole = kind === "complete" || kind === "tool-calls";
    const tail = isWhole ? [] : [`*${oneLine(labels.unfinished)}*`];
    if (message.hasGap) tail.unshift(`*${oneLine(labels.gapInside)}*`);
    const thought =
      message.thinking && isWithThinking
        ? [quoted(`*${oneLine(labels.thinking)}*\n\n${plainMarkdown(message.thinking.text)}`)]
        : [];
    return [
      head,
      ...thought,
      ...(message.text === "" ? [] : [plainMarkdown(message.text)]),
      ...(await Promise.all((message.pictures ?? []).map(madePicture))),
      ...calls,
      ...tail,
    ];
  }

  const path = shownPath(conversation);
  const { summary, coveredCount } = sendingState(path, conversation.sending);
  const asides = new Map<string | null, Aside[]>();
  for (const aside of asidesOf(conversation)) {
    const asidesOfMessage = asides.get(aside.question.parentId);
    if (asidesOfMessage) asidesOfMessage.push(aside);
    else asides.set(aside.question.parentId, [aside]);
  }
  const blocks = [`# ${oneLine(titleOf(conversation) ?? "") || labels.untitled}`];
  for (const [index, message] of path.entries()) {
    if (summary && index === coveredCount) {
      blocks.push(
        `## ${labels.summary(summary.covers.length)}`,
        quoted(plainMarkdown(summary.text)),
      );
    }
    if (message.followsGap) blocks.push(`*${oneLine(labels.gapBefore)}*`);
    blocks.push(...(await messageText(message)));
    for (const { question, reply } of asides.get(message.id) ?? []) {
      const [, ...asked] = await messageText(question);
      const [, ...answered] = reply ? await messageText(reply) : [];
      const text = [`*${oneLine(labels.aside)}*`, ...asked, ...answered].join("\n\n");
      blocks.push(quoted(text));
    }
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

/** Returns a folder name that is valid and relative on every platform. */
function safeFolder(folder: string): string {
  const safe = folder
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, "");
  return safe === "" ? "pictures" : safe;
}
