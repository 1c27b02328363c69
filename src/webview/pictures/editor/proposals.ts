/** Areas that are proposed for redaction: made of the text of a picture or of the model's reply, and drawn. */
import { t } from "@vscode/l10n";
import type { PrivateKind, RedactionsView } from "../../../protocol/pictureMessages";
import { croppedArea, type Area, type Mark } from "../marks";
import { doMeet, drawNumber, isInside } from "../noteMarks";
import { areasOfText, type PageText } from "../pageText";

export interface ProposedArea {
  /** 1-based number in the list and on the picture. */
  readonly number: number;
  readonly name: string;
  readonly area: Area;
  readonly isTaken: boolean;
}

type Found = Pick<ProposedArea, "name" | "area">;

/** Returns what the matches in the text of a picture cover. */
export function foundInText(matches: RedactionsView["matches"], text: PageText): Found[] {
  return matches.flatMap(({ kind, start, end }) =>
    areasOfText(text, start, end).map((area) => ({ name: kindName(kind, ""), area })),
  );
}

/** Returns what a reading of the reply covers. */
export function foundInReply({ areas }: RedactionsView["readings"][number]): Found[] {
  return areas.map(({ kind, label, ...area }) => ({ name: kindName(kind, label), area }));
}

/**
 * Numbers what was found, all taken: the user asked for what must not be seen, so that an area which is
 * overlooked does more harm than one too many. Leaves out what is redacted or cropped off already, and
 * what is within another area.
 */
export function proposalsOf(
  found: readonly Found[],
  marks: readonly Mark[],
  size: { readonly widthPx: number; readonly heightPx: number },
): ProposedArea[] {
  const kept = croppedArea(marks, size.widthPx, size.heightPx);
  const covers = marks.flatMap((mark) =>
    mark.kind === "redaction" || mark.kind === "blur" ? [mark] : [],
  );
  const open = found.filter(
    ({ area }) => doMeet(area, kept) && !covers.some((cover) => isInside(area, cover)),
  );
  const outermost = open.filter(
    ({ area }, index) =>
      !open.some(
        (other, at) =>
          at !== index &&
          isInside(area, other.area) &&
          // Of two equal areas the first stays.
          (at < index || !isInside(other.area, area)),
      ),
  );
  return outermost.map((one, index) => ({ ...one, number: index + 1, isTaken: true }));
}

function kindName(kind: PrivateKind, label: string): string {
  switch (kind) {
    case "name":
      return t("Name");
    case "email":
      return t("E-mail address");
    case "key":
      return t("Key or password");
    case "face":
      return t("Face");
    case "other":
      return label === "" ? t("Other") : label;
    default:
      return kind satisfies never;
  }
}

/** Radius of a number, in CSS pixels. */
const RADIUS_PX = 10;

/**
 * Draws proposals as numbered dashed frames; those that are taken are darkened.
 * @param scale pixels of the canvas per CSS pixel of the editor and per pixel of the picture
 */
export function drawProposals(
  context: CanvasRenderingContext2D,
  proposals: readonly ProposedArea[],
  scale: number,
): void {
  context.save();
  for (const { area, isTaken } of proposals) {
    const { x, y, width, height } = area;
    if (isTaken) {
      context.fillStyle = "#000000a0";
      context.fillRect(x, y, width, height);
    }
    // Two colors, so that the frame is visible on light and on dark pictures.
    for (const [color, offset] of [["#ffffff", 0] as const, ["#000000", 5] as const]) {
      context.strokeStyle = color;
      context.lineWidth = 2 / scale;
      context.setLineDash([5 / scale, 5 / scale]);
      context.lineDashOffset = offset / scale;
      context.strokeRect(x, y, width, height);
    }
  }
  context.setLineDash([]);
  const radius = RADIUS_PX / scale;
  for (const { area, number } of proposals) {
    const { x, y } = area;
    drawNumber(context, { x, y, number, radius, color: "#000000", edge: 2 / scale });
  }
  context.restore();
}
