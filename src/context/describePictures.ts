/**
 * Adds a line of text before each picture that names the picture and, for a tile, its position. A
 * model otherwise sees a row of pictures without names, order or connection.
 */
import {
  asksToPoint,
  isPicture,
  isPictureNote,
  type ImagePart,
  type Message,
  type Part,
} from "../conversation/message";

/** Descriptions that were sentence; they are sent but never stored. */
const descriptions = new WeakSet<Part>();

/** True for a part that only describes the picture after it. */
export function isDescription(part: Part): boolean {
  return descriptions.has(part);
}

/**
 * Returns `path` with a description before each picture. Pictures are numbered through the whole
 * conversation, so that a number stays the same when other pictures are left out.
 * @param path messages to send, oldest first
 * @param conversation all messages up to the question; holds the very parts of `path`
 * @param which messages whose pictures are described; those that ask for positions or have notes always are,
 *   because positions need the size and the number of the picture
 */
export function withDescriptions(
  path: readonly Message[],
  conversation: readonly Message[],
  which: "all" | "asked-for-positions",
): Message[] {
  const numbers = pictureNumbers(conversation);
  return path.map((message) => {
    if (message.role !== "user" || !message.parts.some(isPicture)) return message;
    const isAsked = message.parts.some((part) => asksToPoint(part) || isPictureNote(part));
    if (which !== "all" && !isAsked) return message;
    const parts = message.parts.flatMap((part) => {
      const number = numbers.get(part);
      return number === undefined ? [part] : [description(part, number), part];
    });
    return { ...message, parts };
  });
}

/** Numbers pictures from 1, as their descriptions do; overview and tiles of a picture share its number. */
export function pictureNumbers(conversation: readonly Message[]): Map<Part, number> {
  const numbers = new Map<Part, number>();
  let last = 0;
  for (const message of conversation) {
    if (message.role !== "user") continue;
    let hasOverview = false;
    for (const part of message.parts.filter(isPicture)) {
      const index = part.kind === "image" ? part.tile?.index : undefined;
      const isNextTile = index !== undefined && (index > 0 || hasOverview);
      if (!isNextTile) last++;
      numbers.set(part, last);
      hasOverview = part.kind === "image" && part.overviewOfTiles !== undefined;
    }
  }
  return numbers;
}

function description(part: Part, number: number): Part {
  const facts = part.kind === "image" ? imageFacts(part) : ["from a web address"];
  const sentence: Part = { kind: "text", text: `Picture ${number}: ${facts.join(", ")}.` };
  descriptions.add(sentence);
  return sentence;
}

/** Returns the name of a picture without the number of a tile. */
export function wholeName(name: string): string {
  return name.replace(/ \(\d+\/\d+\)$/, "");
}

function imageFacts(part: ImagePart): string[] {
  const { name, widthPx, heightPx, tile, original, overviewOfTiles } = part;
  if (overviewOfTiles !== undefined) {
    return [
      JSON.stringify(name),
      ...(original ? [`${original.widthPx}×${original.heightPx} px`] : []),
      `overview of the whole picture, scaled down to ${widthPx}×${heightPx} px`,
      `${overviewOfTiles} tiles follow`,
    ];
  }
  if (tile === undefined) return [JSON.stringify(name), `${widthPx}×${heightPx} px`];
  const { index, count, x, y, ofWidthPx, ofHeightPx } = tile;
  return [
    JSON.stringify(wholeName(name)),
    `${ofWidthPx}×${ofHeightPx} px`,
    `tile ${index + 1} of ${count}: columns ${x}-${x + widthPx}`,
    `rows ${y}-${y + heightPx} (tiles overlap)`,
  ];
}
