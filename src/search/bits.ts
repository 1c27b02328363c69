/** Bits by number, eight in a byte. */

export function isBitSet(bits: Uint8Array, number: number): boolean {
  return ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
}

export function setBit(bits: Uint8Array, number: number): void {
  bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
}

/** True if a bit from `start` to `end` (exclusive) is set. */
export function hasBit(bits: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    // Bytes without any bit are passed in a single step.
    if (bits[at >> 3] === 0) at |= 7;
    else if (isBitSet(bits, at)) return true;
  }
  return false;
}
