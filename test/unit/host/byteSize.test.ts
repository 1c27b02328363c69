import assert from "node:assert/strict";
import { byteSize, uploadProgress } from "../../../src/host/messages/byteSize";

const MB = 1024 * 1024;

describe("byteSize", () => {
  it("counts in powers of 1024 and rounds up to the next unit", () => {
    const sizes = [0, 700, 412.3 * 1024, MB - 513, MB - 512, 2.14 * MB, 33.6 * MB].map(byteSize);
    const expected = ["0 bytes", "700 bytes", "412 KB", "1023 KB", "1 MB", "2.1 MB", "34 MB"];
    assert.deepEqual(sizes, expected);
  });
});

describe("uploadProgress", () => {
  it("shows the sent size and the total in one unit", () => {
    assert.equal(uploadProgress(12.4 * MB, 33.6 * MB), "Sending 12 of 34 MB");
    assert.equal(uploadProgress(1.24 * MB, 3.36 * MB), "Sending 1.2 of 3.4 MB");
    assert.equal(uploadProgress(0, 0.4 * MB), "Sending 0 of 0.4 MB");
  });
});
