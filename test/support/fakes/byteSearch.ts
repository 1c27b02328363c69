/**
 * Searches every byte of a storage for a text or a picture: as UTF-8, UTF-16 and Base64, as it is, folded
 * for the search and in lower case, also in compressed files and in compressed parts of files.
 */
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { normalizeText } from "../../../src/search/normalizeText";

type Files = Iterable<readonly [path: string, bytes: Uint8Array]>;

/** Results by content and needle: tests search the same files after each of many steps. */
const results = new Map<string, boolean>();

/** Returns the paths of the files that have the needle in any form. */
export function filesWith(files: Files, needle: string | Uint8Array): string[] {
  const patterns = typeof needle === "string" ? formsOf(needle) : [Buffer.from(needle)];
  const name = `${typeof needle} ${hashOf(needle)}`;
  const found: string[] = [];
  for (const [path, bytes] of files) {
    const key = `${hashOf(bytes)} ${name}`;
    let isFound = results.get(key);
    if (isFound === undefined) {
      const contents = [Buffer.from(bytes), ...decompressed(Buffer.from(bytes))];
      isFound = contents.some((content) => patterns.some((pattern) => content.includes(pattern)));
      results.set(key, isFound);
    }
    if (isFound) found.push(path);
  }
  return found;
}

const hashes = new WeakMap<Uint8Array, string>();

function hashOf(content: string | Uint8Array): string {
  const earlier = typeof content === "string" ? undefined : hashes.get(content);
  const hash = earlier ?? createHash("sha1").update(content).digest("base64");
  if (typeof content !== "string") hashes.set(content, hash);
  return hash;
}

function formsOf(text: string): Buffer[] {
  const forms = [text, text.toLowerCase(), text.normalize("NFD"), normalizeText(text).text];
  return [...new Set([...forms, ...forms.map((form) => form.replaceAll(" ", "\u0000"))])].flatMap(
    (form) => {
      const bytes = Buffer.from(form, "utf8");
      // A text can begin at any of three positions of a Base64 group.
      const base64 = [0, 1, 2].map((skipped) => {
        const from = bytes.subarray((3 - skipped) % 3);
        return Buffer.from(from.subarray(0, from.length - (from.length % 3)).toString("base64"));
      });
      return [
        bytes,
        Buffer.from(form, "utf16le"),
        Buffer.from(form, "utf16le").swap16(),
        ...base64,
      ];
    },
  );
}

/** Returns the contents that any decompression of the standard library finds at any offset. */
function decompressed(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const add = (run: () => Buffer) => {
    try {
      found.push(run());
    } catch {
      // Not compressed in this way.
    }
  };
  add(() => brotliDecompressSync(bytes));
  add(() => inflateRawSync(bytes));
  // The magic bytes of RFC 1952 and the usual headers of RFC 1950.
  for (const [magic, unpack] of [
    [[0x1f, 0x8b], gunzipSync],
    [[0x78, 0x01], inflateSync],
    [[0x78, 0x9c], inflateSync],
    [[0x78, 0xda], inflateSync],
  ] as const) {
    const mark = Buffer.from(magic);
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
      add(() => unpack(bytes.subarray(at)));
  }
  return found;
}
