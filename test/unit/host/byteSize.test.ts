import assert from "node:assert/strict";
import { byteSize, uploadProgress } from "../../../src/host/messages/byteSize";

describe("byteSize", () => {
  it("counts in units of 1000 and rounds up to the next unit", () => {
    const sizes = [0, 700, 412_300, 999_499, 999_500, 2_140_000, 33_600_000].map(byteSize);
    assert.deepEqual(sizes, ["1 KB", "1 KB", "412 KB", "999 KB", "1 MB", "2.1 MB", "34 MB"]);
  });
});

describe("uploadProgress", () => {
  it("names what is sent and the total in one unit", () => {
    assert.equal(uploadProgress(12_400_000, 33_600_000), "Sending 12 of 34 MB");
    assert.equal(uploadProgress(1_240_000, 3_360_000), "Sending 1.2 of 3.4 MB");
    assert.equal(uploadProgress(0, 400_000), "Sending 0 of 0.4 MB");
  });
});
