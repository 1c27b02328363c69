/**
 * Screenshots with real programs on PATH: tools that write a picture, are canceled, fail, or hang.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { captureRegion } from "../../../src/host/node/regionTools";
import { madePng } from "../../support/pictures/madePng";

const MAX_BYTES = 1024 * 1024;

describe("the system's screenshot tools", () => {
  let folder: string;
  let picture: string;
  /** Folder for temporary files; empty after each test. */
  let temporary: string;
  const { TMPDIR: before } = process.env;
  const bytes = madePng(7, 5);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "screenshot-tools-"));
    picture = join(folder, "made.png");
    writeFileSync(picture, bytes);
  });
  beforeEach(() => {
    temporary = join(folder, "temporary");
    mkdirSync(temporary);
    process.env["TMPDIR"] = temporary;
  });
  afterEach(() => {
    const left = readdirSync(temporary);
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(left, []);
  });

  /** Writes a shell script into a folder on PATH. */
  function stub(name: string, ...lines: string[]): void {
    const file = join(folder, name);
    writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
  }

  function capture(
    platform: NodeJS.Platform = "linux",
    signal = new AbortController().signal,
    env: NodeJS.ProcessEnv = {},
  ) {
    const own = { PATH: [folder, "/usr/bin", "/bin"].join(delimiter), ...env };
    return captureRegion({ platform, env: own, maxBytes: MAX_BYTES }, signal);
  }

  const lastArgument = 'for file in "$@"; do :; done';

  for (const [platform, name] of [
    ["darwin", "screencapture"],
    ["linux", "spectacle"],
    ["linux", "gnome-screenshot"],
    ["linux", "scrot"],
  ] as const) {
    it(`captures with ${name} and removes its file`, async () => {
      const log = join(folder, "log");
      stub(name, lastArgument, `echo "$file" > "${log}"`, `cp "${picture}" "$file"`);
      const result = await capture(platform);
      assert.deepEqual(result.kind === "captured" && Buffer.from(result.bytes), bytes);
      const written = readFileSync(log, "utf8").trim();
      assert.ok(written.startsWith(temporary), written);
      assert.equal(existsSync(join(written, "..")), false);
    });
  }

  it("captures with grim the region that slurp printed", async () => {
    stub("slurp", 'echo "10,20 30x40"');
    stub("grim", lastArgument, `[ "$1 $2" = "-g 10,20 30x40" ] && cp "${picture}" "$file"`);
    assert.equal((await capture()).kind, "captured");
  });

  it("uses the first tool that is installed, and the next after a failure", async () => {
    stub("spectacle", 'echo "cannot connect to display" >&2', "exit 1");
    stub("scrot", lastArgument, `cp "${picture}" "$file"`);
    assert.equal((await capture()).kind, "captured");
  });

  for (const [description, ...lines] of [
    ["without a file and without output", "exit 0"],
    ["with code 1 and no output", "exit 1"],
    ["with a message about the key", 'echo "scrot: Key was pressed, aborting shot" >&2', "exit 2"],
  ] as const) {
    it(`treats an exit ${description} as canceled`, async () => {
      stub("scrot", ...lines);
      assert.deepEqual(await capture(), { kind: "canceled" });
    });
  }

  it("runs no other tool after the user canceled", async () => {
    stub("slurp", 'echo "selection cancelled" >&2', "exit 1");
    stub("grim", "exit 3");
    stub("scrot", lastArgument, `cp "${picture}" "$file"`);
    assert.deepEqual(await capture(), { kind: "canceled" });
  });

  it("names a tool that fails", async () => {
    stub("scrot", 'echo "giblib error: Can\'t open X display" >&2', "exit 1");
    assert.deepEqual(await capture(), { kind: "failed", tool: "scrot" });
  });

  it("reports that there is no tool", async () => {
    const empty = { PATH: folder };
    assert.deepEqual(await capture("linux", undefined, empty), { kind: "no-tool" });
    assert.deepEqual(await capture("darwin", undefined, empty), { kind: "no-tool" });
  });

  it("ends a tool that hangs, with the programs that it started", async () => {
    const pids = join(folder, "pids");
    stub("scrot", "sleep 1000 &", `echo "$! $$" > "${pids}"`, "wait");
    const controller = new AbortController();
    const capturing = capture("linux", controller.signal);
    while (!existsSync(pids) || readFileSync(pids, "utf8").trim() === "") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    controller.abort(new Error("canceled"));
    assert.deepEqual(await capturing, { kind: "canceled" });
    const ids = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    assert.equal(ids.length, 2);
    for (const pid of ids) {
      while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});

function isRunning(pid: number): boolean {
  const ids = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(ids.stdout); // Z is a zombie, which a container may not reap.
}
