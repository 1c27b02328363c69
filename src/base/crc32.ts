/**
 * CRC-32 of journal records and PNG chunks: reflected polynomial 0xEDB88320 (ISO 3309). Processes
 * four bytes a step, because a long conversation has millions of bytes to verify.
 */

const POLYNOMIAL = 0xedb88320;
const BYTE_VALUES = 256;

/** Four consecutive tables: a byte followed by zero, one, two and three zero bytes. */
const TABLES = createTables();

/** Returns the CRC-32 of `bytes` as an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  const at = (index: number) => bytes[index] ?? 0;
  const table = (zeroBytes: number, value: number) => TABLES[zeroBytes * BYTE_VALUES + value] ?? 0;
  const wholeEnd = bytes.length - (bytes.length % 4);
  let crc = -1;
  let index = 0;
  for (; index < wholeEnd; index += 4) {
    const next = at(index) | (at(index + 1) << 8) | (at(index + 2) << 16) | (at(index + 3) << 24);
    crc ^= next;
    crc =
      table(3, crc & 0xff) ^
      table(2, (crc >>> 8) & 0xff) ^
      table(1, (crc >>> 16) & 0xff) ^
      table(0, crc >>> 24);
  }
  for (; index < bytes.length; index++) crc = table(0, (crc ^ at(index)) & 0xff) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function createTables(): Int32Array {
  const tables = new Int32Array(4 * BYTE_VALUES);
  for (let value = 0; value < BYTE_VALUES; value++) {
    let crc = value;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    tables[value] = crc;
  }
  for (let index = BYTE_VALUES; index < tables.length; index++) {
    const before = tables[index - BYTE_VALUES] ?? 0;
    tables[index] = (before >>> 8) ^ (tables[before & 0xff] ?? 0);
  }
  return tables;
}
