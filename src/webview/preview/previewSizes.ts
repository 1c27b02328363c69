/** Sizes in which a preview is shown: those of the original screenshots first, then usual screens. */
import { t } from "@vscode/l10n";
import type { Size } from "../../pointing/coordinates";
import type { PreviewOriginal } from "../../protocol/previewMessages";

export interface PreviewSize extends Size {
  readonly picture: Size;
}

export interface PreviewSizeChoice {
  readonly id: string;
  readonly label: string;
  /** Missing for the size of the tab. */
  readonly size?: PreviewSize;
}

/** Largest side of a picture that is drawn, in pixels. */
const MAX_SIDE_PX = 8_192;

/** Widest CSS size of a screenshot of a phone, for which three pixels a CSS pixel are usual. */
const MAX_PHONE_PX = 600;

const PHONE = { widthPx: 390, heightPx: 844 };
const TABLET = { widthPx: 820, heightPx: 1180 };

/** Returns the choices; the first is the best for the first original, or the size of the tab. */
export function previewSizes(
  originals: readonly PreviewOriginal[],
  devicePixelRatio: number,
): PreviewSizeChoice[] {
  const several = originals.length > 1;
  const ofOriginals = originals.flatMap((original) => {
    const name = several ? `${original.name}: ` : "";
    return ratiosOf(original, devicePixelRatio).map((ratio) => {
      const size = sizeAt(original, ratio);
      const pixels = `${name}${size.widthPx} × ${size.heightPx}`;
      const label =
        ratio === 1
          ? t("{0} (original)", pixels)
          : t("{0} (original at {1} %)", pixels, Math.round(ratio * 100));
      return { id: `${original.hash} ${ratio}`, label, size };
    });
  });
  const whole = (size: Size) => ({ ...size, picture: size });
  const pixelsOf = ({ widthPx, heightPx }: Size) => `${widthPx} × ${heightPx}`;
  return [
    ...ofOriginals,
    { id: "fit", label: t("Fit to tab") },
    { id: "phone", label: t("Phone: {0}", pixelsOf(PHONE)), size: whole(PHONE) },
    { id: "tablet", label: t("Tablet: {0}", pixelsOf(TABLET)), size: whole(TABLET) },
  ];
}

/**
 * Returns the size in which the picture of a preview has the pixels of the original.
 * @param chosen shown size, whose ratio is used if it is of this original
 */
export function comparedPreviewSize(
  original: PreviewOriginal,
  chosen: PreviewSizeChoice | undefined,
  devicePixelRatio: number,
): PreviewSize {
  if (chosen?.size && chosen.id.startsWith(original.hash)) return chosen.size;
  return sizeAt(original, ratiosOf(original, devicePixelRatio)[0] ?? 1);
}

/** Returns the pixels for each CSS pixel that a screenshot can have, the likeliest first. */
function ratiosOf({ widthPx, heightPx }: Size, devicePixelRatio: number): number[] {
  const isPhone = heightPx > widthPx && widthPx / 3 <= MAX_PHONE_PX;
  const ratios = [devicePixelRatio, 1, 2, ...(isPhone ? [3] : [])];
  const isUsual = (ratio: number) => ratio >= 1 && widthPx / ratio >= 240;
  return [...new Set(ratios)].filter((ratio) => ratio === 1 || isUsual(ratio));
}

function sizeAt({ widthPx, heightPx }: Size, ratio: number): PreviewSize {
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(widthPx, heightPx));
  return {
    widthPx: Math.round(widthPx / ratio),
    heightPx: Math.round(heightPx / ratio),
    picture: { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) },
  };
}
