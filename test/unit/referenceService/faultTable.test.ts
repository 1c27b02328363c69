import assert from "node:assert/strict";
import {
  requestedFault,
  describeFaults,
  FAULT_FAMILIES,
  FAULTS,
  findFault,
} from "../../service/faults/faults";

/**
 * Rows of faults that a service can cause. S2 does not exist; S32 and S33 concern the client only.
 */
const SERVICE_ROWS = Array.from({ length: 31 }, (_unused, index) => `S${index + 1}`).filter(
  (row) => row !== "S2",
);

const NAMES = [...Object.keys(FAULTS), ...FAULT_FAMILIES.flatMap((family) => family.examples)];

describe("the list of faults", () => {
  it("has a fault for every row that a service can cause", () => {
    const rows = new Set(NAMES.map((name) => findFault(name)?.row));
    assert.deepEqual(
      SERVICE_ROWS.filter((row) => !rows.has(row)),
      [],
    );
    assert.deepEqual(
      [...rows].filter((row) => !SERVICE_ROWS.includes(row ?? "")),
      [],
    );
  });

  it("finds every fault under exactly its listed name", () => {
    for (const family of FAULT_FAMILIES) {
      for (const name of family.examples) {
        // `status-204` and `only-comments` are in the table although a family has the same form.
        if (Object.hasOwn(FAULTS, name)) continue;
        const first = FAULT_FAMILIES.find((candidate) => candidate.find(name) !== undefined);
        assert.equal(first?.listedAs, family.listedAs, name);
      }
    }
  });

  it("lists every name and family in a Markdown table", () => {
    const text = describeFaults();
    for (const name of Object.keys(FAULTS)) assert.ok(text.includes(`\`${name}\``), name);
    for (const { listedAs } of FAULT_FAMILIES) assert.ok(text.includes(`\`${listedAs}\``));
  });

  it("is selected by a header or by a line of the question", () => {
    assert.equal(requestedFault("please\n /fault CRLF now", {}), "crlf");
    assert.equal(requestedFault("what is /fault crlf", {}), undefined);
    assert.equal(requestedFault("/fault crlf", { "x-core-chat-fault": "bom" }), "bom");
  });

  it("ignores names of Object.prototype", () => {
    for (const name of ["__proto__", "constructor", "odd-constructor", "tostring"]) {
      assert.equal(findFault(name), undefined);
    }
  });
});
