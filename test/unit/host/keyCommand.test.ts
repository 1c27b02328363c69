/** Keys that a command of the user prints: no shell, bounded output and time, nothing of it shown. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../src/host/node/runCommand";
import { keyAfter, keyOfCommand } from "../../../src/host/settings/keyOfCommand";

const node = (program: string) => [process.execPath, "-e", program];

describe("a command for the key", () => {
  const run = (words: readonly string[], atMs = 0) => keyOfCommand(words, atMs);

  it("gives the key that it prints, without the end of the line", async () => {
    assert.deepEqual(await run(node("console.log('sso-token-1')")), {
      ok: true,
      key: "sso-token-1",
    });
  });

  it("passes its arguments as they are: a shell would read them", async () => {
    const words = [...node("console.log(process.argv[1])"), "$(id)&&`id`;%PATH%"];
    assert.deepEqual(await run(words), { ok: true, key: "$(id)&&`id`;%PATH%" });
  });

  it("does not run in the workspace", async () => {
    const read = await run(node("console.log(process.cwd())"));
    assert.notEqual(read.ok && read.key, process.cwd());
  });

  it("runs again after a minute, not before", async () => {
    const words = node("console.log(process.hrtime.bigint() + '')");
    const first = await run(words, 1_000);
    assert.deepEqual(await run(words, 60_000), first);
    assert.notDeepEqual(await run(words, 61_001), first);
  });

  it("runs again for a key that the service refused, once for all who were refused", async () => {
    const words = node("console.log(process.hrtime.bigint() + '')");
    const first = await run(words, 100_000);
    assert.ok(first.ok);
    const after = () => keyAfter(first.key, words, 100_001);
    const [one, other] = await Promise.all([after(), after()]);
    assert.ok(one.ok && one.key !== first.key);
    assert.deepEqual(other, one);
    assert.deepEqual(await after(), one, "a newer key is held");
    assert.deepEqual(await run(words, 100_002), one);
  });

  for (const [problem, words] of [
    ["not-found", ["/does/not/exist"]],
    ["failed", node("console.error('secret-of-stderr'); process.exit(3)")],
    ["no-key", node("")],
    ["no-key", node("console.log('two\\nlines')")],
    ["too-long", node("console.log('x'.repeat(100000))")],
  ] as const)
    it(`gives only the reason when it ends with ${problem}`, async () => {
      assert.deepEqual(await run(words), { ok: false, problem });
    });

  it("is ended when it goes on for too long", async () => {
    const command = node("setInterval(() => undefined, 1000)");
    assert.deepEqual(await runCommand(command, 100), { ok: false, problem: "timed-out" });
  });

  describe("that leaves a program behind, which keeps the output open", () => {
    const folder = mkdtempSync(join(tmpdir(), "core-chat-agent-"));
    const idFile = join(folder, "id");
    /** Starts a program that outlives it, then runs `last`. */
    const leaving = (last: string) =>
      node(`
        const stay = "setInterval(() => undefined, 1000)";
        const { pid } = require("node:child_process").spawn(
          process.execPath, ["-e", stay], { stdio: "inherit", detached: true });
        require("node:fs").writeFileSync(${JSON.stringify(idFile)}, String(pid));
        ${last}`);
    const leftBehind = () => Number(readFileSync(idFile, "utf8"));
    afterEach(() => void process.kill(leftBehind(), "SIGKILL"));
    after(() => rmSync(folder, { recursive: true }));

    it("gives the key as soon as the command has ended, and leaves that program alone", async () => {
      const command = leaving("console.log('sso-token-2'); process.exit();");
      assert.deepEqual(await run(command), { ok: true, key: "sso-token-2" });
      assert.equal(process.kill(leftBehind(), 0), true);
    });
  });
});
