/** Text files are distinguished from other files by their first bytes and their size. */
import assert from "node:assert/strict";
import { fileKindOf, MAX_TEXT_FILE_BYTES } from "../../../src/pictures/fileKind";
import type { FileKind } from "../../../src/pictures/fileSignatures";

function check(head: Uint8Array | string, kind: FileKind, totalBytes = head.length): void {
  const bytes = typeof head === "string" ? new TextEncoder().encode(head) : head;
  assert.equal(fileKindOf(bytes, totalBytes), kind);
}

describe("fileKindOf", () => {
  it("reads text in any script, with and without a byte order mark", () => {
    check("const a = 1;\n", "text");
    check("变量 = 1\n\tconst é = '😀';\r\n", "text");
    check("\ufeffmarked", "text");
    check(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62, 0), "text");
    check("\u001b[31mred\u001b[0m output of a terminal", "text");
    check("", "text");
  });

  it("is not misled by text that starts like a program or a picture", () => {
    check("MZ is a signature", "text");
    check("BMI is an index", "text");
  });

  it("names the kind of a binary file", () => {
    check(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0), "picture");
    check(Buffer.from("\0\0\0\x20ftypavif\0\0\0\0", "latin1"), "picture");
    check(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0), "archive");
    check(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0), "program");
    check("%PDF-1.7\n%", "document");
    check(Uint8Array.of(0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70, 0x69, 0x73), "sound-or-video");
    check(Uint8Array.of(0x77, 0x4f, 0x46, 0x32, 0, 1), "font");
    check(Uint8Array.of(1, 2, 3, 0, 5), "binary");
  });

  it("rejects a text that is larger than any model accepts", () => {
    check("a", "text", MAX_TEXT_FILE_BYTES);
    check("a", "huge", MAX_TEXT_FILE_BYTES + 1);
  });
});
