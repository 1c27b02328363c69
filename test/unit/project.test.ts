/**
 * What strangers and GitHub read: forms, workflows, documentation, bill of materials and the public address.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ALL } from "../support/depth";
import { parse } from "yaml";
import { fixableSettings } from "../../src/host/policy/fixableSettings";
import { policyState, usePolicyFiles } from "../../src/host/policy/policy";
import { filesBelow } from "../support/source/files";
import { ADDRESS_FILE, checkAddress, filesWithAddress } from "../support/release/address.mjs";
import { billOfMaterials, bundledPackages } from "../support/release/sbom.mjs";

const read = (path: string) => readFileSync(path, "utf8");
const workflows = readdirSync(".github/workflows").map((name) => `.github/workflows/${name}`);
const documents = [
  ...filesBelow("docs", /\.md$/),
  "README.md",
  "CONTRIBUTING.md",
  "MAINTAINING.md",
  "SECURITY.md",
];

/** Most lines of `src` (*.ts, *.tsx). Only falls: a change that needs more removes something first. */
const MAX_SRC_LINES = 79_417;

describe("the size of src", () => {
  it("is at most a number that only falls", () => {
    const files = filesBelow("src", /\.tsx?$/);
    const lines = files.reduce((sum, file) => sum + (read(file).match(/\n/g)?.length ?? 0), 0);
    assert.ok(lines <= MAX_SRC_LINES, `src has ${lines} lines, ${MAX_SRC_LINES} are allowed`);
  });
});

describe("the workflows", () => {
  it("pin every action by its full commit, and name its version", () => {
    const used = workflows.flatMap((file) =>
      [...read(file).matchAll(/uses: *(.+)/g)].map((match) => match[1] ?? ""),
    );
    assert.ok(used.length > 0);
    const loose = used.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one));
    assert.deepEqual(loose, []);
  });

  it("and the issue forms are YAML", () => {
    const forms = filesBelow(".github/ISSUE_TEMPLATE", /\.yml$/);
    for (const file of [...workflows, ...forms]) assert.equal(typeof parse(read(file)), "object");
  });

  it("give no right to write but for the attestation", () => {
    const rights = workflows.flatMap((file) => read(file).match(/[\w-]+: write/g) ?? []);
    assert.deepEqual(rights, ["id-token: write", "attestations: write"]);
  });
});

describe("the documentation", () => {
  for (const file of documents)
    it(`has links that lead to a file: ${file}`, () => {
      const links = [...read(file).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
        (match) => match[1] ?? "",
      );
      const broken = links.filter((link) => !existsSync(join(dirname(file), link)));
      assert.deepEqual(broken, []);
    });

  it("shows the administrator a policy that counts, with each setting that can be fixed", () => {
    const [, example = ""] = /```json\n([^]*?)```/.exec(read("docs/administrator.md")) ?? [];
    const policy = JSON.parse(example) as { readonly settings: object };
    assert.deepEqual(Object.keys(policy.settings).sort(), Object.keys(fixableSettings).sort());
    assert.equal(problemOf(example), undefined);
  });
});

describe("the public address", () => {
  const address = {
    repository: "https://github.com/someone/core-chat",
    codeOwner: "@someone",
    security: "https://github.com/someone/core-chat/security/advisories/new",
  };

  it("stops a release while it is not filled in, and names the file", () => {
    assert.doesNotThrow(() => checkAddress(address));
    for (const name of Object.keys(address))
      assert.throws(
        () => checkAddress({ ...address, [name]: "" }),
        new RegExp(`${name}.*${ADDRESS_FILE}`),
      );
    assert.match(read("test/support/release/release.mjs"), /checkAddress\(readAddress\(\)\)/);
  });

  it("is in the files that GitHub and VS Code read, from this one file", () => {
    const now = JSON.parse(read(ADDRESS_FILE)) as typeof address;
    for (const [path, text] of Object.entries(filesWithAddress(now)))
      assert.equal(read(path), text, `run "npm run address": ${path}`);
    const filled = filesWithAddress(address);
    assert.match(filled[".github/CODEOWNERS"], /^\* @someone$/m);
    assert.match(filled["package.json"], /"bugs": \{\n {4}"url": "https:\/\/github\.com\/someone/);
  });
});

describe("the bill of materials", () => {
  it(`has only packages with a license in the notices, in the same version ${ALL}`, async function () {
    this.timeout(120_000);
    const bill = JSON.parse(billOfMaterials(await bundledPackages())) as {
      readonly components: readonly { name: string; version: string; licenses: unknown[] }[];
    };
    assert.ok(bill.components.length > 10);
    const notices = read("ThirdPartyNotices.txt");
    const missing = bill.components.filter(
      ({ name, version }) => !notices.includes(`\n${name} ${version} (`),
    );
    assert.deepEqual(missing, []);
  });
});

/** Returns the flaw of a policy with this text. */
function problemOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-policy-"));
  try {
    const path = join(folder, "policy.json");
    writeFileSync(path, text, { mode: 0o644 });
    usePolicyFiles({ paths: [path], ownerId: process.getuid?.() });
    return policyState().problem;
  } finally {
    usePolicyFiles();
    rmSync(folder, { recursive: true });
  }
}
