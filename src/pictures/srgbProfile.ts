/**
 * Detects color profiles that mean sRGB, the color space of pictures without a profile.
 * Format: ICC.1:2022, 7.3 (tag table), 10.6 (curve), 10.18 (parametric curve), 10.31 (XYZ).
 */

/** Colors of the primaries for the white point D50. Source: https://www.color.org/srgbprofiles.xalter */
const PRIMARIES: readonly (readonly [tag: string, ...number[]])[] = [
  ["rXYZ", 0.4361, 0.2225, 0.0139],
  ["gXYZ", 0.3851, 0.7169, 0.0971],
  ["bXYZ", 0.1431, 0.0606, 0.7141],
];
const MAX_PRIMARY_ERROR = 0.002;

/** Share of the full light that the middle of the scale has in sRGB; profiles with gamma 2.2 differ less. */
const MIDDLE = 0.214;
const MAX_MIDDLE_ERROR = 0.01;

const MAX_TAGS = 100;

/** Returns false for other color spaces and for damaged profiles. */
export function isSrgb(profile: Uint8Array): boolean {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  try {
    const starts = new Map<string, number>();
    const tableEnd = 132 + 12 * Math.min(view.getUint32(128), MAX_TAGS);
    for (let at = 132; at < tableEnd; at += 12) {
      starts.set(String.fromCharCode(...profile.subarray(at, at + 4)), view.getUint32(at + 4));
    }
    // Reading at Infinity throws, as reading beyond the end does.
    const startOf = (tag: string) => starts.get(tag) ?? Infinity;
    return (
      PRIMARIES.every(([tag, ...color]) =>
        color.every((part, index) => {
          const error = Math.abs(fixedAt(view, startOf(tag) + 8 + 4 * index) - part);
          return error <= MAX_PRIMARY_ERROR;
        }),
      ) &&
      ["rTRC", "gTRC", "bTRC"].every(
        (tag) => Math.abs(middleOf(view, startOf(tag)) - MIDDLE) <= MAX_MIDDLE_ERROR,
      )
    );
  } catch {
    return false;
  }
}

/** Returns the value of a curve in the middle of its range. */
function middleOf(view: DataView, at: number): number {
  if (view.getUint32(at) === 0x70617261) {
    // "para": a power of a line through a and b.
    const hasLine = view.getUint16(at + 8) > 0;
    const [a, b] = hasLine ? [fixedAt(view, at + 16), fixedAt(view, at + 20)] : [1, 0];
    return (a * 0.5 + b) ** fixedAt(view, at + 12);
  }
  const count = view.getUint32(at + 8);
  if (count === 0) return 0.5;
  if (count === 1) return 0.5 ** (view.getUint16(at + 12) / 256);
  return view.getUint16(at + 12 + 2 * Math.floor((count - 1) / 2)) / 65_535;
}

/** Reads a signed number with 16 binary places. */
function fixedAt(view: DataView, at: number): number {
  return view.getInt32(at) / 65_536;
}
