/** The organization's policy: which file counts, what it fixes, and that a file with a flaw closes. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemPolicyFiles } from "../../../src/host/node/policyFile";
import { isFixed, policy, policyState, usePolicyFiles } from "../../../src/host/policy/policy";
import { readSettings } from "../../../src/host/settings/settings";
import { withSettings } from "../../support/fakes/fakeVscode";

const isPosix = process.platform !== "win32";

describe("the policy of an organization", () => {
  let folder: string;
  let path: string;
  const ownerId = process.getuid?.();

  beforeEach(() => {
    const root = mkdtempSync(join(tmpdir(), "core-chat-policy-"));
    folder = join(root, "core-chat");
    path = join(folder, "policy.json");
    mkdirSync(folder, { mode: 0o755 });
    usePolicyFiles({ paths: [path], ownerId });
  });
  afterEach(() => {
    usePolicyFiles();
    rmSync(join(folder, ".."), { recursive: true });
  });
  const write = (content: unknown) =>
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), {
      mode: 0o644,
    });

  it("is in a folder of the administrator on each system", () => {
    assert.deepEqual(systemPolicyFiles("linux").paths, ["/etc/core-chat/policy.json"]);
    assert.deepEqual(systemPolicyFiles("darwin").paths, [
      "/Library/Application Support/CoreChat/policy.json",
    ]);
    for (const system of ["linux", "darwin"]) assert.equal(systemPolicyFiles(system).ownerId, 0);
    // The user can set the variable, so it cannot replace the usual folder.
    const { ProgramFiles } = process.env;
    process.env["ProgramFiles"] = "C:\\Users\\me";
    try {
      assert.equal(systemPolicyFiles("win32").paths[0], "C:\\Program Files\\CoreChat\\policy.json");
    } finally {
      if (ProgramFiles === undefined) delete process.env["ProgramFiles"];
      else process.env["ProgramFiles"] = ProgramFiles;
    }
  });

  it("allows everything where there is none", () => {
    assert.deepEqual(policyState().problem, undefined);
    assert.equal(policy().export && policy().pictures, true);
    assert.equal(isFixed("baseUrl"), false);
  });

  it("replaces the user's values, and applies at once when the file changes", () => {
    const read = () => withSettings({ "coreChat.baseUrl": "https://own.test" }, readSettings);
    assert.equal(read().settings.baseUrl, "https://own.test");
    write({ settings: { baseUrl: "https://maas.corp.test" } });
    assert.equal(read().settings.baseUrl, "https://maas.corp.test");
    write({ settings: { baseUrl: "https://maas2.corp.test" } });
    assert.equal(read().settings.baseUrl, "https://maas2.corp.test");
    rmSync(path);
    assert.equal(read().settings.baseUrl, "https://own.test");
  });

  it("fixes all addresses as soon as it fixes one", () => {
    const profiles = [{ name: "Own", baseUrl: "https://own.test" }];
    write({ settings: { baseUrl: "https://maas.corp.test" } });
    const { settings } = withSettings({ "coreChat.profiles": profiles }, readSettings);
    assert.deepEqual(settings.profiles, []);
  });

  for (const [flaw, spoil] of [
    ["is not JSON", () => write('{"export": false')],
    ["is empty", () => write("")],
    ["is a list", () => write([])],
    ["has a name that does not exist", () => write({ exports: false })],
    ["fixes a setting that it cannot fix", () => write({ settings: { fontSize: 20 } })],
    ["has a value of another type", () => write({ settings: { offerModels: "no" } })],
    ["has a value outside its range", () => write({ settings: { "history.retentionDays": -1 } })],
    [
      "has a command without a path",
      () => write({ settings: { apiKeyCommand: ["token", "--now"] } }),
    ],
    ["has headers for any address", () => write({ headers: { "X-Corp": "1" } })],
    ["never sends a path that is not valid", () => write({ neverSent: ["/plans/[draft/"] })],
    ["never sends a path that is too long", () => write({ neverSent: ["a".repeat(700)] })],
    ["is larger than a megabyte", () => write(JSON.stringify({}) + " ".repeat(1024 * 1024))],
    ["is a folder", () => mkdirSync(path)],
  ] as const)
    it(`closes when it ${flaw}`, () => {
      spoil();
      const { problem, policy: closed } = policyState();
      assert.ok(problem !== undefined);
      assert.deepEqual(
        [closed.export, closed.pictures, closed.settings.offerModels, closed.settings.baseUrl],
        [false, false, false, ""],
      );
      assert.deepEqual(closed.neverSent, ["*"]);
    });

  for (const [flaw, expected, spoil] of [
    ["is of another user", "owner", () => usePolicyFiles({ paths: [path], ownerId: 4242 })],
    ["can be written by its group", "mode", () => chmodSync(path, 0o664)],
    ["can be written by others", "mode", () => chmodSync(path, 0o646)],
    ["is in a folder that others can write", "mode", () => chmodSync(folder, 0o777)],
    [
      "is a link",
      "unreadable",
      () => {
        renameSync(path, join(folder, "other.json"));
        symlinkSync(join(folder, "other.json"), path);
      },
    ],
  ] as const)
    it(`closes when it ${flaw}`, function () {
      if (!isPosix) this.skip();
      write({ export: true });
      assert.equal(policyState().problem, undefined);
      spoil();
      assert.equal(policyState().problem, expected);
      assert.equal(policy().export, false);
    });
});
